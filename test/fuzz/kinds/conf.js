'use strict';

const assert = require('node:assert/strict');
const fc = require('fast-check');
const { run: lint } = require('../../../lib/commands/lint');
const { orTuneError, quietContext } = require('../answered');
const { engineText } = require('../engine-text');
const { soundText } = require('../sound');

/**
 * mongod.conf as people write it and as nobody should: tabs, keys twice, anchors, includes, options
 * of other kinds.
 */

const HANGS_MS = 10_000;
const OPTIONS = [
  'storage',
  'dbPath',
  'wiredTiger',
  'engineConfig',
  'cacheSizeGB',
  'cacheSizePct',
  'configString',
  'syncPeriodSecs',
  'journal',
  'commitIntervalMs',
  'enabled',
  'engine',
  'directoryPerDB',
  'collectionConfig',
  'blockCompressor',
  'setParameter',
  'wiredTigerEngineRuntimeConfig',
  'syncdelay',
  'net',
  'port',
  'bindIp',
  'serviceExecutor',
  'systemLog',
  'replication',
  'replSetName',
  'oplogSizeMB',
  'security',
  'authorization',
  'cachesizegb',
  '<<',
  '__rest',
  '__proto__',
  'constructor',
];
const scalar = fc.oneof(
  fc.constantFrom(
    '1',
    '0.1',
    '-1',
    '1e99',
    '.inf',
    '.nan',
    'true',
    'null',
    '~',
    '""',
    '"a\\u0000b"',
    '2G',
    '*a',
    '&a 5',
    '!!binary aGk=',
    '!!js/function x',
    '!include x.yml',
    '{__rest: "http://x"}',
    '[]',
    '|\n  a\n  b',
    '>-\n x',
    '2026-01-01',
    '0x10',
    '0o7',
    '1_000',
    "'it''s'",
    '"',
    '@x',
    '%x',
    '# x',
  ),
  fc.nat(200).map(String),
  fc.string({ maxLength: 10 }),
  engineText('6.0.5').text.map((text) => JSON.stringify(text)),
  engineText('6.0.5').text.map((text) => `'${text.replaceAll("'", "''")}'`),
);
const node = fc.letrec((tie) => ({
  node: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    scalar.map((text) => ({ text })),
    fc
      .array(
        fc.tuple(
          fc.oneof(
            { weight: 8, arbitrary: fc.constantFrom(...OPTIONS) },
            { weight: 1, arbitrary: fc.string({ maxLength: 6 }) },
          ),
          tie('node'),
        ),
        { maxLength: 4 },
      )
      .map((pairs) => ({ pairs })),
  ),
})).node;
const indent = fc.constantFrom('  ', '  ', '  ', '    ', ' ', '\t', '');
/** A place that matters, so that values get there. */
const SPINE = fc.constantFrom(
  'storage:\n  wiredTiger:\n    engineConfig:\n      configString: ',
  'storage:\n  wiredTiger:\n    engineConfig:\n      cacheSizeGB: ',
  'storage:\n  syncPeriodSecs: ',
  'storage:\n  engine: ',
  'setParameter:\n  wiredTigerEngineRuntimeConfig: ',
  'storage: ',
  'net:\n  serviceExecutor: ',
);

/** @param {any} tree @param {string} by @param {string} [before] @returns {string} */
function yaml(tree, by, before = '') {
  if (tree.text !== undefined) return ` ${tree.text}\n`;
  return `\n${tree.pairs.map(([key, one]) => `${before}${key}:${yaml(one, by, before + by)}`).join('')}`;
}

/** @param {string} text */
async function holds(text) {
  const began = performance.now();
  const answer = await orTuneError(() => lint(quietContext(), { text, version: '6.0.5' }));
  assert.ok(performance.now() - began < HANGS_MS, `${performance.now() - began} ms`);
  if (answer === null) return;
  soundText(String(answer), { values: true });
  for (const { position, line } of answer.problems)
    assert.ok(
      position === null || (position >= 0 && position <= text.length && Number.isInteger(line)),
      `position ${position}`,
    );
}

module.exports = {
  name: 'conf',
  what: 'mongod.conf through the linter',
  share: 4,
  async open() {
    const made = fc.tuple(node, indent).map(([tree, by]) => `storage:${yaml(tree, by, by)}`);
    const given = fc.oneof(
      { weight: 4, arbitrary: made },
      { weight: 4, arbitrary: fc.tuple(SPINE, scalar).map((parts) => `${parts.join('')}\n`) },
      {
        weight: 1,
        arbitrary: fc.string({ unit: 'binary', maxLength: 60 }).map((text) => `storage:\n${text}`),
      },
    );
    return { property: fc.asyncProperty(given, holds) };
  },
};
