'use strict';

const assert = require('node:assert/strict');
const fc = require('fast-check');
const { diagnose } = require('../../../lib/diagnose/diagnose');
const { loadRules } = require('../../../lib/rules/registry');
const { makeConfig } = require('../../../lib/config/effective-config');
const { NO_FACTS } = require('../../../lib/server/pure/facts');
const { metricsOf } = require('../../../lib/server/pure/metrics');
const { readSample } = require('../../../lib/server/pure/sample');
const { statusOf } = require('../../../lib/server/pure/status');
const { makeWindow } = require('../../../lib/server/pure/window');
const { renderAdvice } = require('../../../lib/diagnose/advice-text');
const { renderStatus } = require('../../../lib/server/pure/status-text');
const { bends, bendAll, bent, leaves } = require('../weird');
const { fullStatuses, T0 } = require('../full-status');
const { soundNumbers, soundText } = require('../sound');

/**
 * @import { Facts } from '../../../lib/server/pure/types'
 */

/**
 * Server statuses that lack things and hold others, through samples, window, readings and rules to
 * what is printed.
 */

const SAMPLES = 4;
const plain = (/** @type {string} */ text) => text;
const { config } = makeConfig({
  startup: { opened: null, cacheSizeGB: 0.25, configString: null, syncPeriodSecs: null },
  runTime: [],
  memoryBytes: 2 ** 34,
  live: {},
});
const FACTS = {
  ...NO_FACTS,
  host: 'db1:27017',
  version: '6.0.5',
  role: /** @type {const} */ ('primary'),
  memoryBytes: 2 ** 34,
  cores: 4,
  dataBytes: 2 ** 30,
  config,
};
const BASES = /** @type {const} */ (['newest', 'oldest']).map((spelling) =>
  fullStatuses(SAMPLES, { spelling }),
);
const PATHS = BASES.map(([first]) => leaves(first));

/** @param {readonly any[]} docs @param {Facts} facts */
function sample(docs, facts) {
  const window = makeWindow(docs.map((doc, i) => readSample(doc, T0 + i * 1000)));
  return { window, facts, metrics: metricsOf(window, facts) };
}

/** @param {any[]} docs @param {any} facts */
function answers(docs, facts) {
  const { window, metrics } = sample(docs, facts);
  // A time that is no number comes with no document of a server; what is read of files has refused
  // it.
  if (!Number.isFinite(window.from.getTime()) || !Number.isFinite(window.to.getTime()))
    return metrics;
  for (const sample of window.samples) soundNumbers(sample.counters, 'sample');
  soundNumbers(metrics, 'readings');
  const status = { ...statusOf(window, facts), notes: [] };
  soundNumbers(status, 'status');
  soundText(renderStatus(/** @type {any} */ (status), plain));
  const found = diagnose({ window, facts }, { engine: loadRules() });
  assert.deepEqual(
    found.findings.filter(({ status: level }) => level === 'error').map(({ say }) => say),
    [],
  );
  const { findings, ...verdict } = found;
  soundText(
    [
      verdict.because,
      ...verdict.evidence.map(({ say }) => say),
      ...verdict.explain,
      ...findings.flatMap(({ say, advice }) => [say, advice ?? '']),
    ].join('\n'),
  );
  soundText(
    renderAdvice(
      /** @type {any} */ ({
        ...found,
        host: facts.host,
        version: facts.version,
        window: { from: window.from, to: window.to, samples: window.samples.length },
        notes: [],
      }),
      plain,
    ),
  );
  return metrics;
}

/** By these a server of each release says which bits of its eviction state mean what. */
const MARK = /overflow table|lookaside table|recent modification|page evict failures/;

/**
 * 0 has a meaning of its own: probing is over; no eviction was slower than the slowest before, where
 * only the slowest since the start is reported.
 */
const MAY_BE_0 = new Set(['tickets.probing', 'eviction.slowestMs']);

/** What is not reported is not known, and not 0. @param {number} which @param {number[]} places */
function lost(which, places) {
  const paths = places
    .map((place) => PATHS[which][place % PATHS[which].length])
    .filter(
      (path) => !['localTime', 'uptimeMillis'].includes(path[0]) && !MARK.test(`${path.at(-1)}`),
    );
  const before = sample(BASES[which], FACTS).metrics;
  const metrics = answers(
    BASES[which].map((doc) => paths.reduce((made, path) => bent(made, path, { gone: true }), doc)),
    FACTS,
  );
  for (const [name, value] of Object.entries(metrics)) {
    assert.ok(name in before, `${name} is ${value} where less is told`);
    if (!MAY_BE_0.has(name))
      assert.ok(
        value !== 0 || /** @type {any} */ (before)[name] === 0,
        `${name} was ${/** @type {any} */ (before)[name]}, and is 0 where ` +
          `${JSON.stringify(paths)} is not reported`,
      );
  }
}

module.exports = {
  name: 'status',
  what: 'server statuses that lack things and hold others, to the printed answer',
  share: 0.5,
  async open() {
    const facts = fc.constantFrom(
      FACTS,
      NO_FACTS,
      { ...FACTS, config: null },
      { ...FACTS, version: '9.1.0-rc3', cores: 1, memoryBytes: 2 ** 28 },
      { ...FACTS, version: 'x', dataBytes: 0 },
    );
    const base = fc.nat(BASES.length - 1);
    const given = fc.oneof(
      { weight: 3, arbitrary: fc.record({ base, bent: bends(), facts }) },
      {
        weight: 1,
        arbitrary: fc.record({ base, lost: fc.array(fc.nat(100_000), { maxLength: 8 }) }),
      },
    );
    return {
      property: fc.property(given, (/** @type {any} */ one) => {
        if (one.lost) lost(one.base, one.lost);
        else answers(bendAll(BASES[one.base], PATHS[one.base], one.bent), one.facts);
      }),
    };
  },
};
