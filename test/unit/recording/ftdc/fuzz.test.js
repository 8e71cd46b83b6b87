'use strict';

const assert = require('node:assert/strict');
const fs = require('node:fs');
const os = require('node:os');
const path = require('node:path');
const {
  chunkBody,
  chunkData,
  chunkOf,
  docOf,
  metadata,
  metricsOf,
  update,
} = require('../../../support/ftdc');
const { chanceOf, injured } = require('../../../support/injuries');
const { statuses, T0 } = require('../../../support/statuses');
const { TuneError } = require('../../../../lib/base/pure/errors');
const { Recording } = require('../../../../lib/recording/ftdc/recording');
const { run: ftdc } = require('../../../../lib/commands/ftdc');

/**
 * @import { Chance } from '../../../support/injuries'
 */

/** @type {any} */
const CONTEXT = { signal: new AbortController().signal, progress: () => {} };
const CHUNKS = 8;
const PER_CHUNK = 12;
/** More on a quick machine; on a slow one as many as it can in this time. */
const ROUNDS = 400;
const LONGEST_MS = 4000;
/** A round that takes longer hangs, on whatever machine. */
const HANGS_MS = 10_000;

const all = statuses(CHUNKS * PER_CHUNK, (i) => ({ readMicros: i * 1e4 }));
const documents = Array.from({ length: CHUNKS }, (_, c) =>
  all
    .slice(c * PER_CHUNK, (c + 1) * PER_CHUNK)
    .map((serverStatus) => docOf({ start: serverStatus.localTime, serverStatus })),
);
const timesOf = (/** @type {number} */ c) =>
  all.slice(c * PER_CHUNK, (c + 1) * PER_CHUNK).map(({ localTime }) => localTime.getTime());
const bodyOf = (/** @type {number} */ c) =>
  chunkBody(documents[c][0], documents[c].slice(1).map(metricsOf));
const HEAD = [
  metadata(T0, {
    hostInfo: { system: { memSizeMB: 1024, numCores: 2 } },
    getCmdLineOpts: { parsed: { storage: { dbPath: '/d' } } },
  }),
  update(T0, { getParameter: { syncdelay: 60 } }),
];
const WHOLE = Array.from({ length: CHUNKS }, (_, c) =>
  chunkOf(T0 + c * PER_CHUNK * 1000, chunkData(bodyOf(c))),
);

describe('collect/ftdc, damaged by chance', () => {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), `mongosh-tune-${process.pid}-fuzz-`));
  const file = path.join(folder, 'metrics.x');
  after(() => fs.rmSync(folder, { recursive: true }));

  /**
   * @param {readonly Buffer[]} parts
   * @returns {Promise<Set<number>>} times of the samples that are read
   */
  async function timesIn(parts) {
    fs.writeFileSync(file, Buffer.concat(parts));
    const times = new Set();
    for await (const { block } of new Recording([file]).pieces())
      for (const atMs of block.atMs) times.add(atMs);
    return times;
  }

  /** Advice, or an error that a person can do something about. */
  async function answer() {
    try {
      const advice = await ftdc(CONTEXT, file);
      assert.doesNotMatch(String(advice), /\bundefined\b|\bNaN\b/);
      assert.equal(advice.findings.filter(({ status }) => status === 'error').length, 0);
    } catch (error) {
      if (!(error instanceof TuneError)) throw error;
    }
  }

  /**
   * @param {string} name
   * @param {(chance: Chance) => Promise<void>} round
   */
  const rounds = (name, round) =>
    it(name, async () => {
      const began = performance.now();
      for (let seed = 1; seed <= ROUNDS && performance.now() - began < LONGEST_MS; seed++) {
        const started = performance.now();
        try {
          await round(chanceOf(seed));
        } catch (/** @type {any} */ error) {
          error.message = `seed ${seed}: ${error.message}`;
          throw error;
        }
        assert.ok(
          performance.now() - started < HANGS_MS,
          `seed ${seed} took ${performance.now() - started} ms`,
        );
      }
    });

  it('reads all of it where nothing is damaged', async () =>
    assert.equal((await timesIn([...HEAD, ...WHOLE])).size, CHUNKS * PER_CHUNK));

  rounds('documents: the others are read', async (chance) => {
    const hit = new Set(
      Array.from({ length: 1 + chance.below(3) }, () => chance.below(CHUNKS + HEAD.length)),
    );
    const parts = [...HEAD, ...WHOLE].map((part, i) => (hit.has(i) ? injured(part, chance) : part));
    const times = await timesIn(parts);
    for (let c = 0; c < CHUNKS; c++)
      if (!hit.has(c + HEAD.length))
        assert.ok(
          timesOf(c).every((atMs) => times.has(atMs)),
          `chunk ${c} is lost, ${[...hit]} were hit`,
        );
    await answer();
  });

  rounds(
    'what is packed in a chunk: the others are read, and no number is beyond reason',
    async (chance) => {
      const hit = chance.below(CHUNKS);
      const damaged = chunkOf(T0 + hit * PER_CHUNK * 1000, chunkData(injured(bodyOf(hit), chance)));
      const times = await timesIn([
        ...HEAD,
        ...WHOLE.map((part, c) => (c === hit ? damaged : part)),
      ]);
      for (let c = 0; c < CHUNKS; c++)
        if (c !== hit)
          assert.ok(
            timesOf(c).every((atMs) => times.has(atMs)),
            `chunk ${c} is lost, ${hit} was hit`,
          );
      await answer();
    },
  );

  rounds('a file of nothing but noise', async (chance) => {
    fs.writeFileSync(
      file,
      Buffer.from(Array.from({ length: chance.below(3000) }, () => chance.below(256))),
    );
    await answer();
  });
});
