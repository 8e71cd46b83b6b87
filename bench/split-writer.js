'use strict';

const { MongoClient } = require('mongodb');
const { build } = require('hdr-histogram-js');

/**
 * Writers of a bench, in a process of their own: `node split-writer.js URI DOCUMENTS INTO`. Each writes so many times a second; what is refused is tried again at the
 * other place until it is taken, and that counts as one write. Told a word, it says what happened since the last one.
 */
const WRITERS = 4;
const EVERY_MS = 20;
const MICROS = 1000;

async function main() {
  const [uri, documents, into] = process.argv.slice(2);
  const client = await new MongoClient(uri).connect();
  const places = [client.db('shop').collection('events'), client.db(into).collection('events')];
  let seen = fresh();
  process.on('message', () => {
    process.send?.({ writes: seen.times.totalCount, p99Ms: seen.times.getValueAtPercentile(99) / MICROS, longestMs: seen.longestMs, refused: seen.refused });
    seen = fresh();
  });
  process.on('disconnect', () => process.exit());
  process.send?.('go');
  await Promise.all(Array.from({ length: WRITERS }, () => writer(places, Number(documents), () => seen)));
}

/** @param {import('mongodb').Collection<any>[]} places @param {number} documents @param {() => ReturnType<typeof fresh>} seen */
async function writer(places, documents, seen) {
  for (let at = 0, due = performance.now(); ; due = Math.max(due + EVERY_MS, performance.now())) {
    await new Promise((go) => setTimeout(go, due - performance.now()));
    const _id = Math.floor(Math.random() * documents);
    const started = performance.now();
    while (!await places[at].updateOne({ _id }, { $inc: { n: 1 } }).then(({ matchedCount }) => matchedCount === 1, () => false)) {
      at = 1 - at;
      seen().refused += 1;
    }
    const ms = performance.now() - started;
    seen().times.recordValue(Math.round(ms * MICROS));
    seen().longestMs = Math.max(seen().longestMs, ms);
  }
}

/** Microseconds, up to ten minutes. */
const fresh = () => ({ times: build({ lowestDiscernibleValue: 1, highestTrackableValue: 6e8, numberOfSignificantValueDigits: 3 }), longestMs: 0, refused: 0 });

main().catch((error) => {
  console.error(error);
  process.exitCode = 1;
});
