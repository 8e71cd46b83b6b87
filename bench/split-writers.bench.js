'use strict';

const path = require('node:path');
const { fork } = require('node:child_process');
const { once } = require('node:events');
const { tune: tuneOf } = require('../lib/node');
const { temporaryFolder } = require('../test/support/cleanup');
const { filled, splitOf } = require('./split-kit');
const { percentile, show } = require('./kit');

/**
 * What applications that write notice of a split: before it, during the copy, during the building
 * of indexes, and at the cut-over.
 */
const DOCUMENTS = Number(process.env.SPLIT_WRITERS_DOCUMENTS || 10_000_000);
const METHOD = process.env.SPLIT_WRITERS_METHOD;
const PAD_BYTES = 40;
const INDEXES = [{ key: { customer: 1 }, name: 'customer' }];
const BEFORE_MS = 20_000;
const AROUND_MS = 2_000;
const BAR_TIMES = 2;
const BAR_PAUSE_MS = 1_000;

/** @typedef {{ at: number, ms: number }} Write */

async function run() {
  const server = await filled({ documents: DOCUMENTS, padBytes: PAD_BYTES, indexes: INDEXES });
  const home = temporaryFolder('bench-split');
  const writers = fork(path.join(__dirname, 'split-writer.js'), [
    server.uri,
    String(DOCUMENTS),
    'moved',
  ]);
  try {
    await once(writers, 'message');
    return await measured(server, home.path, writers);
  } finally {
    writers.disconnect();
    home.remove();
    await server.stop();
  }
}

/**
 * One split, from before it to after its cut-over, while the writers write.
 * @param {Awaited<ReturnType<typeof filled>>} server
 * @param {string} home
 * @param {import('node:child_process').ChildProcess} writers
 */
async function measured(server, home, writers) {
  const since = () => writesSince(writers);
  await pass(AROUND_MS);
  await since();
  await pass(BEFORE_MS);
  const before = await since();
  const done = await splitOf(server.uri, 'moved', METHOD);
  const { writes } = await since();
  const { history } = /** @type {any} */ (
    await server.db('tune').collection('splits').findOne({ planId: done.id })
  );
  await pass(AROUND_MS);
  await since();
  await tuneOf(server.client, { home }).split.cutover(done.id, { confirm: true });
  await pass(AROUND_MS);
  return [...during(before.writes, writes, history, done), atTheCut(await since())];
}

/**
 * What the writers did since they were asked last.
 * @param {import('node:child_process').ChildProcess} writers
 */
async function writesSince(writers) {
  writers.send('since');
  return (await once(writers, 'message'))[0];
}

/** @param {number} ms */
const pass = (ms) => new Promise((go) => setTimeout(go, ms));

/**
 * Each phase by itself: what a build of indexes costs is the server's.
 * @param {Write[]} before
 * @param {Write[]} writes
 * @param {{ phase: string, at: Date }[]} history
 * @param {{ method: string }} done
 */
function during(before, writes, history, { method }) {
  const usual = percentile(
    99,
    before.map(({ ms }) => ms),
  );
  const begin = (/** @type {string} */ phase) =>
    history.find((one) => one.phase === phase)?.at.getTime() ?? Infinity;
  const phases = [
    ['copying', 'indexing'],
    ['indexing', 'following'],
  ].map(([phase, next]) => ({ phase, from: begin(phase), to: begin(next) }));
  return phases.map(({ phase, from, to }) => {
    const ms = writes.filter(({ at }) => at >= from && at < to).map((write) => write.ms);
    const p99Ms = percentile(99, ms);
    const how =
      `${DOCUMENTS} documents, ${method}, ${((to - from) / 1000).toFixed(0)} s: ` +
      `${usual.toFixed(1)} → ${p99Ms.toFixed(1)} ms, longest ` +
      `${longest(before.map((write) => write.ms)).toFixed(0)} → ${longest(ms).toFixed(0)} ms, ` +
      `${ms.length} writes`;
    return show({
      name: `p99 of writes while ${phase}, against before`,
      value: p99Ms / usual,
      bar: BAR_TIMES,
      unit: '×',
      how,
    });
  });
}

/** @param {{ writes: Write[], refused: number }} cut */
function atTheCut({ writes, refused }) {
  return show({
    name: 'longest write at the cut-over, with its refusals',
    value: longest(writes.map(({ ms }) => ms)),
    bar: BAR_PAUSE_MS,
    unit: 'ms',
    how: `${writes.length} writes, refused ${refused} times and tried again`,
  });
}

/** @param {number[]} list */
const longest = (list) => list.reduce((a, b) => Math.max(a, b), 0);

module.exports = { run };
