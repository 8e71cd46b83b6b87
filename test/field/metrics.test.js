'use strict';

const assert = require('node:assert/strict');
const fs = require('node:fs');
const path = require('node:path');
const { fieldPath, absent } = require('../support/field');
const { status902 } = require('../support/status-9.0');
const { skipIf } = require('../support/skip');
const { COUNTERS } = require('../../lib/server/pure/counters');
const { readSample } = require('../../lib/server/pure/sample');
const { makeWindow } = require('../../lib/server/pure/window');
const { metricsOf } = require('../../lib/server/pure/metrics');
const { isExpected } = require('../../scripts/documents/counters-page');
const { NO_FACTS } = require('../../lib/server/pure/facts');

/** Servers of this project's releases with WiredTiger. */
const RELEASE = /__([4-9]\.\d+\.\d+)\b.*(rs|standalone)/;
const TOO_OLD = /__4\.2\./;

const folder = fieldPath('field', 'serverstatus');
const captures =
  folder === null
    ? []
    : fs
        .readdirSync(folder)
        .map((name) => ({
          name,
          version: TOO_OLD.test(name) ? undefined : RELEASE.exec(name)?.[1],
        }));

describe('the map of metrics, on real servers', () => {
  it('recordings are at hand', function () {
    skipIf(this, absent(folder));
  });

  for (const { name, version } of captures.filter((capture) => capture.version)) {
    it(`finds everything that ${name.slice(0, 24)} tells`, () => {
      const doc = JSON.parse(fs.readFileSync(path.join(String(folder), name), 'utf8'));
      const { counters } = readSample(doc.serverStatus);
      const lacking = Object.keys(COUNTERS).filter(
        (metric) => !(metric in counters) && isExpected(metric, String(version)),
      );
      assert.deepEqual(lacking, []);
      const metrics = metricsOf(makeWindow([readSample(doc.serverStatus)]), NO_FACTS);
      assert.ok((metrics['cache.usedRatio'] ?? -1) >= 0 && (metrics['cache.usedRatio'] ?? 2) < 1);
    });
  }

  for (const { name } of captures.filter((capture) => capture.name.includes('__eft'))) {
    it(`${name.slice(0, 24)} has no WiredTiger, and nothing of the cache is made up`, () => {
      const doc = JSON.parse(fs.readFileSync(path.join(String(folder), name), 'utf8'));
      const { counters } = readSample(doc.serverStatus);
      assert.deepEqual(
        Object.keys(counters).filter((metric) => /^(cache|eviction|checkpoint)\./.test(metric)),
        [],
      );
    });
  }

  it('every spelling of the map has been seen in a real release', function () {
    const file = fieldPath('reference', 'keymatrix.md');
    skipIf(this, absent(file));
    const seen = fs.readFileSync(String(file), 'utf8');
    const reported = JSON.stringify(
      JSON.parse(
        fs.readFileSync(String(fieldPath('reference', 'wt_stats_by_version.json')), 'utf8'),
      ),
    );
    // Not in the matrix; of $currentOp (ttlPass, runningBuilds); in the captures above, in the published answer of
    // 9.0.2, or, of shards and of mirrored reads on a secondary, in the sources or the manual of the server.
    const OTHER_SECTIONS =
      /^(opcounters|opcountersRepl|opLatencies|extra_info|connections|globalLock|tcmalloc|asserts|metrics|transactions|spillWiredTiger|queues|repl|activeIndexBuilds|indexBulkBuilder|shardingStatistics|mirroredReads|storageEngine|ttlPass|runningBuilds)\b/;
    const strange = Object.values(COUNTERS)
      .flatMap(({ spellings }) => spellings.map(({ path: parts }) => parts))
      .filter(
        (parts) =>
          !OTHER_SECTIONS.test(parts[0]) &&
          !seen.includes(`| ${parts.join('/')} |`) &&
          !reported.includes(`: ${parts.at(-1)}"`) &&
          !(String(parts.at(-1)) in status902().wiredTiger.cache) &&
          !isThreshold(parts) &&
          !isOld(parts),
      );
    assert.deepEqual(strange, []);
  });
});

/** Before 4.4, which the matrix does not have. @param {readonly string[]} parts */
const isOld = (parts) => /^(cache overflow|lookaside) table /.test(String(parts.at(-1)));

/**
 * The matrix shortens these six of 9.0; test/unit/server/sample-9.0.test.js has them as a real one
 * spells them. @param {readonly string[]} parts
 */
const isThreshold = (parts) =>
  /^eviction threshold (cache )?(full|dirty|updates) (target|trigger) multiplied by 100 for precision$/.test(
    String(parts.at(-1)),
  );
