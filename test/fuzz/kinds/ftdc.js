'use strict';

const assert = require('node:assert/strict');
const fs = require('node:fs');
const path = require('node:path');
const fc = require('fast-check');
const { ChunkDecoder } = require('../../../lib/recording/ftdc/chunk');
const { Damaged } = require('../../../lib/recording/ftdc/bson');
const { Recording } = require('../../../lib/recording/ftdc/recording');
const { run: ftdc } = require('../../../lib/commands/ftdc');
const {
  chunkBody,
  chunkData,
  chunkOf,
  docOf,
  metadata,
  metricsOf,
  update,
} = require('../../support/ftdc');
const { chanceOf, injured } = require('../../support/injuries');
const { temporaryFolder } = require('../../support/cleanup');
const { statuses, T0 } = require('../../support/statuses');
const { orTuneError, quietContext } = require('../answered');
const { soundText } = require('../sound');

/**
 * Bytes of diagnostic data with bits turned over, cut, doubled, and lengths that lie: an answer or
 * an error in little time, and the rest is read.
 */

const CHUNKS = 4;
const PER_CHUNK = 6;
const HANGS_MS = 10_000;

const all = statuses(CHUNKS * PER_CHUNK, (i) => ({ readMicros: i * 1e4 }));
const samplesOf = (/** @type {number} */ c) => all.slice(c * PER_CHUNK, (c + 1) * PER_CHUNK);
const documents = Array.from({ length: CHUNKS }, (_, c) =>
  samplesOf(c).map((serverStatus) => docOf({ start: serverStatus.localTime, serverStatus })),
);
const bodies = documents.map(([first, ...rest]) => chunkBody(first, rest.map(metricsOf)));
const HEAD = [
  metadata(T0, { hostInfo: { system: { memSizeMB: 1024, numCores: 2 } } }),
  update(T0, { getParameter: { syncdelay: 60 } }),
];
const chunkAt = (/** @type {number} */ c, /** @type {Buffer} */ body) =>
  chunkOf(T0 + c * PER_CHUNK * 1000, chunkData(body));
const WHOLE = bodies.map((body, c) => chunkAt(c, body));

/**
 * What a chunk is packed from: most of the cases, for it needs no file.
 * @param {number} seed
 * @param {number} which
 * @param {number} times
 */
function decode(seed, which, times) {
  const chance = chanceOf(seed);
  let body = bodies[which];
  for (let i = 0; i < times && body.length > 5; i += 1) body = injured(body, chance);
  try {
    const { values, samples, metrics } = new ChunkDecoder().decode(
      chance.below(3) === 0 && body.length > 5 ? injured(chunkData(body), chance) : chunkData(body),
    );
    assert.equal(values.length, samples * metrics.length);
  } catch (error) {
    if (!(error instanceof Damaged)) throw error;
  }
}

/**
 * A file with some damaged parts: an answer, and all of the other chunks is read.
 * @param {string} name
 * @param {{ seed: number, hits: readonly number[], where: 'document' | 'body' | 'noise' }} damage
 *   `body`: inside of a chunk that is whole outside; `noise`: nothing is left of any
 */
async function file(name, { seed, hits, where }) {
  const chance = chanceOf(seed);
  const hit = (/** @type {number} */ c) => where === 'noise' || hits.includes(c + HEAD.length);
  const chunks = WHOLE.map((part, c) => {
    if (!hit(c)) return part;
    return where === 'body' ? chunkAt(c, injured(bodies[c], chance)) : injured(part, chance);
  });
  const head = HEAD.map((part, i) =>
    where === 'document' && hits.includes(i) ? injured(part, chance) : part,
  );
  fs.writeFileSync(
    name,
    where === 'noise'
      ? Buffer.from(Array.from({ length: chance.below(3000) }, () => chance.below(256)))
      : Buffer.concat([...head, ...chunks]),
  );
  const began = performance.now();
  const advice = await orTuneError(() => ftdc(quietContext(), name));
  assert.ok(performance.now() - began < HANGS_MS, `${performance.now() - began} ms`);
  await allRead(
    name,
    WHOLE.map((_, c) => c).filter((c) => !hit(c)),
  );
  if (advice === null) return;
  soundText(String(advice), { values: true });
  assert.deepEqual(
    advice.findings.filter(({ status }) => status === 'error').map(({ message }) => message),
    [],
  );
}

/** @param {string} name of the file @param {readonly number[]} chunks that are not damaged */
async function allRead(name, chunks) {
  const times = new Set();
  for await (const { block } of new Recording([name]).pieces())
    for (const atMs of block.atMs) times.add(atMs);
  for (const c of chunks)
    assert.ok(
      samplesOf(c).every(({ localTime }) => times.has(localTime.getTime())),
      `chunk ${c} is lost`,
    );
}

module.exports = {
  name: 'ftdc',
  what: 'damaged diagnostic data',
  share: 10,
  async open() {
    const folder = temporaryFolder('fuzz');
    const seed = fc.integer();
    const given = fc.oneof(
      {
        weight: 9,
        arbitrary: fc.record({
          seed,
          which: fc.nat(CHUNKS - 1),
          times: fc.integer({ min: 1, max: 4 }),
        }),
      },
      {
        weight: 1,
        arbitrary: fc.record({
          seed,
          where: fc.constantFrom('document', 'document', 'body', 'noise'),
          hits: fc.uniqueArray(fc.nat(HEAD.length + CHUNKS - 1), { minLength: 1, maxLength: 3 }),
        }),
      },
    );
    const property = fc.asyncProperty(given, async (/** @type {any} */ one) =>
      one.hits
        ? file(path.join(folder.path, 'metrics.x'), one)
        : decode(one.seed, one.which, one.times),
    );
    return { property, close: folder.remove };
  },
};
