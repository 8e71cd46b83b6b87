'use strict';

const { MongoClient } = require('mongodb');

/**
 * Writers of a bench, in a process of their own: `node split-writer.js URI DOCUMENTS INTO`. Each
 * writes so many times a second; what is refused is tried again at the other place until it is
 * taken, and that counts as one write. Told a word, it tells the writes since the last one: when
 * each began, and how long it took.
 */
const WRITERS = 4;
const EVERY_MS = 20;

async function main() {
  const [uri, documents, into] = process.argv.slice(2);
  const client = await new MongoClient(uri).connect();
  const places = [client.db('shop').collection('events'), client.db(into).collection('events')];
  let seen = fresh();
  process.on('message', () => {
    process.send?.(seen);
    seen = fresh();
  });
  process.on('disconnect', () => process.exit());
  process.send?.('go');
  await Promise.all(
    Array.from({ length: WRITERS }, () => writer(places, Number(documents), () => seen)),
  );
}

/**
 * @param {import('mongodb').Collection<any>[]} places
 * @param {number} documents
 * @param {() => ReturnType<typeof fresh>} seen
 */
async function writer(places, documents, seen) {
  for (let at = 0, due = performance.now(); ; due = Math.max(due + EVERY_MS, performance.now())) {
    await new Promise((go) => setTimeout(go, due - performance.now()));
    const _id = Math.floor(Math.random() * documents);
    const [began, started] = [Date.now(), performance.now()];
    while (
      !(await places[at].updateOne({ _id }, { $inc: { n: 1 } }).then(
        ({ matchedCount }) => matchedCount === 1,
        () => false,
      ))
    ) {
      at = 1 - at;
      seen().refused += 1;
    }
    seen().writes.push({ at: began, ms: performance.now() - started });
  }
}

/**
 * @returns {{ writes: { at: number, ms: number }[], refused: number }} `at`: milliseconds of the
 *   clock
 */
const fresh = () => ({ writes: [], refused: 0 });

main().catch((error) => {
  console.error(error);
  process.exitCode = 1;
});
