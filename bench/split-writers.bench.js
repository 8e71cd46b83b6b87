'use strict';

const path = require('node:path');
const { fork } = require('node:child_process');
const { once } = require('node:events');
const { tune: tuneOf } = require('../lib/node');
const { temporaryFolder } = require('../test/support/cleanup');
const { filled, splitOf } = require('./split-kit');
const { show } = require('./kit');

/** What applications that write notice of a split: before it, during copy and indexes, and at the cut-over. */
const DOCUMENTS = Number(process.env.SPLIT_WRITERS_DOCUMENTS || 10_000_000);
const METHOD = process.env.SPLIT_WRITERS_METHOD;
const PAD_BYTES = 40;
const INDEXES = [{ key: { customer: 1 }, name: 'customer' }];
const BEFORE_MS = 20_000;
const AROUND_MS = 2_000;
const BAR_TIMES = 2;
const BAR_PAUSE_MS = 1_000;

async function run() {
  const server = await filled({ documents: DOCUMENTS, padBytes: PAD_BYTES, indexes: INDEXES });
  const home = temporaryFolder('bench-split');
  const writers = fork(path.join(__dirname, 'split-writer.js'), [server.uri, String(DOCUMENTS), 'moved']);
  try {
    await once(writers, 'message');
    const since = async () => {
      writers.send('since');
      return (await once(writers, 'message'))[0];
    };
    const pass = (/** @type {number} */ ms) => new Promise((go) => setTimeout(go, ms));
    await pass(AROUND_MS);
    await since();
    await pass(BEFORE_MS);
    const before = await since();
    const done = await splitOf(server.uri, 'moved', METHOD);
    const during = await since();
    await pass(AROUND_MS);
    await since();
    await tuneOf(server.client, { home: home.path }).split.cutover(done.id, { confirm: true });
    await pass(AROUND_MS);
    const cut = await since();
    const how = `${DOCUMENTS} documents, ${done.method}, ${(done.ms / 1000).toFixed(0)} s`;
    return [
      show({ name: 'p99 of writes while a split copies, against before', value: during.p99Ms / before.p99Ms, bar: BAR_TIMES, unit: '×', how: `${how}: ${before.p99Ms.toFixed(1)} → ${during.p99Ms.toFixed(1)} ms, longest ${before.longestMs.toFixed(0)} → ${during.longestMs.toFixed(0)} ms` }),
      show({ name: 'longest write at the cut-over, with its refusals', value: cut.longestMs, bar: BAR_PAUSE_MS, unit: 'ms', how: `${cut.writes} writes, refused ${cut.refused} times and tried again` }),
    ];
  } finally {
    writers.disconnect();
    home.remove();
    await server.stop();
  }
}

module.exports = { run };
