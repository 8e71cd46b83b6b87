'use strict';

const assert = require('node:assert/strict');
const fs = require('node:fs');
const zlib = require('node:zlib');
const { fieldPath, absent } = require('../support/field');
const { skipIf } = require('../support/skip');
const { diagnose } = require('../../lib/diagnose/diagnose');
const { loadRules } = require('../../lib/rules/registry');
const { NO_FACTS } = require('../../lib/server/pure/facts');
const { readSample } = require('../../lib/server/pure/sample');
const { makeWindow } = require('../../lib/server/pure/window');

const MiB = 2 ** 20;
const FACTS = {
  ...NO_FACTS,
  memoryBytes: 24105 * MiB,
  memLimitBytes: 24105 * MiB,
  cores: 2,
  dataBytes: 1164 * MiB,
};
const labelled = fieldPath('field', 'labelled');
const reference = fieldPath('reference', 'wt_stats_by_version.json');
const RELEASES = ['4.4.0', '5.0.31', '6.0.24', '7.0.0', '7.0.21', '8.0.0', '8.1.0', '8.2.0-alpha'];
const RECORDINGS = [
  'c01-read-bound-cache-too-small',
  'c03-write-dirty-pressure',
  'c08-healthy-light',
];

/** Counters that got another name, by section: 8.1. @type {Record<string, string>} */
const RENAMED = {
  'pages evicted by application threads': 'page evict attempts by application threads',
  'modified pages evicted by application threads':
    'modified page evict attempts by application threads',
  'eviction worker thread evicting pages': 'evict page attempts by eviction worker threads',
  'eviction server evicting pages': 'evict page attempts by eviction server',
};
/**
 * Until 6.0 bit 4 of the state is DEBUG; 7.0 dropped it, and all above moved down.
 * @param {number} state
 */
const moveBits = (state) => (state & 3) | ((state >> 1) & ~3);

/**
 * Where a release has what 6.0.5 tells.
 * @param {string} section
 * @param {string} name
 * @returns {[string, string][]} the first that it has counts
 */
function places(section, name) {
  const checkpoint = /^transaction checkpoint (.*)$/.exec(name)?.[1];
  const bucket = /^(.*\(bucket )(\d)(\) - .*)$/.exec(name);
  return [
    [section, name],
    ['cache', name],
    [section, RENAMED[name] ?? name],
    ...(checkpoint === undefined
      ? []
      : [
          /** @type {[string, string]} */ ([
            'checkpoint',
            checkpoint === 'currently running' ? 'progress state' : checkpoint,
          ]),
        ]),
    ...(name === 'transaction checkpoints'
      ? [/** @type {[string, string]} */ (['checkpoint', 'total succeed number of checkpoints'])]
      : []),
    ...(bucket === null
      ? []
      : [
          /** @type {[string, string]} */ ([
            section,
            `${bucket[1]}${Number(bucket[2]) + 1}${bucket[3]}`,
          ]),
        ]),
  ];
}

/**
 * A status of 6.0.5 as another release would have told it.
 * @param {any} status
 * @param {Set<string>} stats that the release has
 * @param {number} major
 */
function asToldBy(status, stats, major) {
  const { concurrentTransactions, ...sections } = status.wiredTiger;
  const reported = /** @type {any} */ ({});
  const put = (
    /** @type {string} */ section,
    /** @type {string} */ name,
    /** @type {any} */ value,
  ) => {
    (reported[section] ??= {})[name] = value;
  };
  for (const [section, counters] of Object.entries(sections)) {
    for (const [name, value] of Object.entries(/** @type {any} */ (counters))) {
      const place = places(section, name).find(([where, what]) => stats.has(`${where}: ${what}`));
      if (place) put(...place, name === 'eviction state' && major >= 7 ? moveBits(value) : value);
    }
  }
  for (const mark of [
    'recent modification of a page blocked its eviction',
    'page evict failures by application threads',
  ])
    if (stats.has(`cache: ${mark}`)) put('cache', mark, 0);
  const { readers, writers } = status.globalLock.currentQueue;
  const queues = {
    execution: {
      read: { ...concurrentTransactions.read, normalPriority: { queueLength: readers } },
      write: { ...concurrentTransactions.write, normalPriority: { queueLength: writers } },
    },
  };
  return major >= 8
    ? { ...status, wiredTiger: reported, queues }
    : { ...status, wiredTiger: { ...reported, concurrentTransactions } };
}

/** @param {any[]} statuses */
const judged = (statuses) => {
  const window = makeWindow(statuses.map((status) => readSample(status)));
  const { bottleneck, change, findings } = diagnose(
    { window, facts: FACTS },
    { engine: loadRules() },
  );
  return { bottleneck, change, errors: findings.filter(({ status }) => status === 'error') };
};

describe('recordings with a known answer, as other releases would have told them', () => {
  it('are at hand', function () {
    skipIf(this, absent(labelled));
    skipIf(this, absent(reference));
  });
  if (labelled === null || reference === null) return;
  const statistics = JSON.parse(fs.readFileSync(String(reference), 'utf8'));

  for (const name of RECORDINGS) {
    const statuses = zlib
      .gunzipSync(fs.readFileSync(String(fieldPath('field', 'labelled', `${name}.jsonl.gz`))))
      .toString()
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    for (const release of RELEASES) {
      it(`${name}, ${release}`, () => {
        const stats = new Set(/** @type {string[]} */ (statistics[`mongodb-${release}`]));
        const reported = statuses.map((status) => asToldBy(status, stats, parseInt(release, 10)));
        assert.notDeepEqual(
          reported[0].wiredTiger,
          statuses[0].wiredTiger,
          'nothing is told differently',
        );
        assert.deepEqual(judged(reported), judged(statuses));
      });
    }
  }
});
