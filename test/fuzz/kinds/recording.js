'use strict';

const assert = require('node:assert/strict');
const fs = require('node:fs');
const path = require('node:path');
const zlib = require('node:zlib');
const fc = require('fast-check');
const { StatusRecording } = require('../../../lib/recording/recording');
const { run: replay } = require('../../../lib/commands/replay');
const { makeConfig } = require('../../../lib/config/effective-config');
const { NO_FACTS } = require('../../../lib/server/pure/facts');
const { temporaryFolder } = require('../../support/cleanup');
const { chanceOf, injured } = require('../../support/injuries');
const { orTuneError, quietContext } = require('../answered');
const { fullStatuses } = require('../full-status');
const { bends, bendAll, leaves, weirdJson } = require('../weird');
const { soundText } = require('../sound');

/**
 * Recordings for tune.replay(), of a disk that fails or a stranger: plain, packed, in a list, of
 * values that no server has.
 */

const LINES = 8;
const HANGS_MS = 10_000;
const { config } = makeConfig({ startup: null, runTime: [], memoryBytes: 2 ** 32, live: {} });
const FACTS = {
  tuneRecording: 1,
  facts: { ...NO_FACTS, host: 'db1', version: '8.0.10', cores: 4, memoryBytes: 2 ** 32, config },
};
const DOCS = [FACTS, ...fullStatuses(LINES).map((doc) => JSON.parse(JSON.stringify(doc)))];
const [FACT_PATHS, PATHS] = [leaves(FACTS), leaves(DOCS[1])];

/** @param {any} list */
const bentDocs = (list) => [
  bendAll([FACTS], FACT_PATHS, list.slice(0, 2))[0],
  ...bendAll(DOCS.slice(1), PATHS, list.slice(2)),
];

/** @param {any} one @returns {Buffer} */
function bytesOf({ seed, form, bent }) {
  const docs = bent ? bentDocs(bent) : DOCS;
  const text = {
    list: () => JSON.stringify(docs.slice(1)),
    laid: () => JSON.stringify(docs.slice(1), null, 2),
    lines: () => docs.map((doc) => JSON.stringify(doc)).join('\n'),
  }[/** @type {'list'} */ (form.split(' ')[0])]();
  const packed = form.endsWith('gz') ? zlib.gzipSync(text) : Buffer.from(text);
  return seed === null ? packed : injured(packed, chanceOf(seed));
}

/**
 * Some lines are damaged: all others are read.
 * @param {string} file
 * @param {number} seed
 */
async function linesHit(file, seed) {
  const chance = chanceOf(seed);
  const hit = new Set(Array.from({ length: 1 + chance.below(3) }, () => 1 + chance.below(LINES)));
  const lines = DOCS.map((doc, i) => {
    const line = Buffer.from(JSON.stringify(doc));
    return Buffer.concat([hit.has(i) ? injured(line, chance) : line, Buffer.from('\n')]);
  });
  fs.writeFileSync(file, Buffer.concat(lines));
  const times = new Set();
  for await (const { block } of new StatusRecording([file]).pieces())
    for (const atMs of block.atMs) times.add(atMs);
  DOCS.forEach(({ localTime }, i) =>
    assert.ok(i === 0 || hit.has(i) || times.has(Date.parse(localTime)), `line ${i} is lost`),
  );
}

module.exports = {
  name: 'recording',
  what: 'recordings for tune.replay()',
  share: 0.2,
  async open() {
    const folder = temporaryFolder('fuzz');
    const file = path.join(folder.path, 'r.ndjson');
    const form = fc.constantFrom('lines', 'lines', 'list', 'laid', 'lines gz', 'list gz');
    const given = fc.oneof(
      fc.record({ form, seed: fc.constant(null), bent: bends(weirdJson) }),
      fc.record({ form, seed: fc.integer(), bent: fc.constant(null) }),
      fc.record({ form: fc.constant('some lines'), seed: fc.integer(), bent: fc.constant(null) }),
    );
    const property = fc.asyncProperty(given, async (one) => {
      if (one.form === 'some lines') await linesHit(file, one.seed);
      else fs.writeFileSync(file, bytesOf(one));
      const began = performance.now();
      const advice = await orTuneError(() => replay(quietContext(), file));
      assert.ok(performance.now() - began < HANGS_MS, `${performance.now() - began} ms`);
      if (advice === null) return;
      soundText(String(advice), { values: true });
      assert.deepEqual(
        advice.findings.filter(({ status }) => status === 'error').map(({ say }) => say),
        [],
      );
    });
    return { property, close: folder.remove };
  },
};
