'use strict';

const fs = require('node:fs');
const path = require('node:path');
const { parseArgs } = require('node:util');
const { sample, MEASURES } = require('./soak/looks');
const { makeOrder } = require('./soak/rounds');
const { slopeOf } = require('./soak/slope');

/**
 * node --expose-gc scripts/soak.js [--minutes 25] [--every 25] One program, one connection, one
 * server, thousands of commands: does anything grow? Every so many rounds it looks at memory (after
 * the garbage collector), files, listeners, connections and cursors, and puts a straight line
 * through all samples but those of the beginning.
 */

const USAGE = 'node --expose-gc scripts/soak.js [--minutes 25] [--every 25]';
/** Code is compiled, pools are filled, the server opens its files: what grows then does so once. */
const BEGINNING = 0.25;
const FEWEST_LOOKS = 8;
const CACHE_MB = 256;
const HEARTBEAT_MS = 60_000;
const LOST = new Set(['TUNE-20001', 'TUNE-20006']);
// They live with the tests, which the type checker does not look at.
const SUPPORT = path.join(__dirname, '../test/support');

main().then(
  (code) => {
    process.exitCode = code;
  },
  (error) => {
    console.error(error);
    process.exitCode = 1;
  },
);

/** @returns {Promise<number>} the exit code */
async function main() {
  const { values } = parseArgs({
    options: {
      minutes: { type: 'string', default: '25' },
      every: { type: 'string', default: '25' },
    },
  });
  if (global.gc === undefined)
    throw new Error(`Without the garbage collector at hand memory says nothing: ${USAGE}`);
  const { startServer } = require(path.join(SUPPORT, 'server.js'));
  const { temporaryFolder } = require(path.join(SUPPORT, 'cleanup.js'));
  const server = await startServer({ cacheSizeGB: CACHE_MB / 1024 });
  const folder = temporaryFolder('soak');
  const load = startLoad(server.client.db('soak'));
  try {
    const soaked = await soak(server, folder.path, {
      minutes: Number(values.minutes),
      every: Number(values.every),
    });
    return show(soaked, server.version);
  } finally {
    await load.stop();
    await server.stop();
    folder.remove();
  }
}

/** A little to see: some writes and reads a second. @param {import('mongodb').Db} db */
function startLoad(db) {
  let goesOn = true;
  const running = (async () => {
    for (let i = 0; goesOn; i = (i + 1) % 2000) {
      // Where the machine stalls for long the driver gives a connection up, and takes
      // another.
      await db
        .collection('c')
        .updateOne(
          { _id: /** @type {any} */ (i) },
          { $set: { at: new Date(), filler: 'x'.repeat(500) } },
          { upsert: true },
        )
        .catch(() => {});
      await new Promise((resolve) => {
        setTimeout(resolve, 5);
      });
    }
  })();
  return {
    stop: () => {
      goesOn = false;
      return running;
    },
  };
}

/**
 * @param {any} server
 * @param {string} folder
 * @param {{ minutes: number, every: number }} pace
 * @returns {Promise<{ rounds: number[], samples: import('./soak/looks').Gathered[], counts: Map<string,
 *   number>, seconds: number }>}
 */
async function soak(server, folder, { minutes, every }) {
  const stop = new AbortController();
  const tune = openTune(server.client, path.join(folder, 'home'), stop.signal);
  process.stdout.write = suppressed(process.stdout.write);
  /** @type {Map<string, number>} */ const counts = new Map();
  /** @type {number[]} */ const rounds = [];
  /** @type {import('./soak/looks').Gathered[]} */ const samples = [];
  const next = makeOrder();
  const { uri, dbPath } = server;
  const began = Date.now();
  const heartbeat = makeHeartbeat(began);
  for (let i = 1; Date.now() - began < minutes * 60_000; i += 1) {
    await countRun(counts, next(), { tune, folder, cacheMB: CACHE_MB, uri, dbPath });
    if (i % every !== 0) continue;
    const seen = await sample({
      client: server.client,
      pid: server.pid,
      signal: stop.signal,
      folder,
    }).catch(() => null);
    if (seen === null) continue;
    rounds.push(i);
    samples.push(seen);
    heartbeat(i, seen);
  }
  process.stdout.write = /** @type {any} */ (process.stdout.write).before;
  return { rounds, samples, counts, seconds: (Date.now() - began) / 1000 };
}

/**
 * The commands for Node.js, with a new folder for their journal.
 * @param {import('mongodb').MongoClient} client
 * @param {string} home
 * @param {AbortSignal} signal
 */
function openTune(client, home, signal) {
  const tune = require('../lib/node').tune(client, { home, signal });
  fs.mkdirSync(home);
  return tune;
}

/**
 * Runs one command, prints its answer into a string, and counts it under its name.
 * @param {Map<string, number>} counts
 * @param {Pick<import('./soak/rounds').Round, 'name' | 'run'>} command
 * @param {import('./soak/rounds').Place} place
 */
async function countRun(counts, { name, run }, place) {
  const done = await run(place).then((answer) => {
    String(answer);
    return name;
  }, lost);
  counts.set(done, (counts.get(done) ?? 0) + 1);
}

/**
 * Tells once a minute that it goes on, and what was seen last.
 * @param {number} began
 * @returns {(rounds: number, seen: import('./soak/looks').Gathered) => void}
 */
function makeHeartbeat(began) {
  let reported = began;
  return (rounds, seen) => {
    if (Date.now() - reported <= HEARTBEAT_MS) return;
    reported = Date.now();
    const figures = Object.entries(seen).map(([name, value]) => [name, Number(value.toFixed(1))]);
    console.error(
      `… ${rounds} rounds in ${Math.round((reported - began) / 1000)} s: ` +
        `${JSON.stringify(Object.fromEntries(figures))}`,
    );
  };
}

/**
 * On a machine that stalls for ten seconds commands lose their connection: told, and no
 * reason to end.
 * @param {any} error
 */
function lost(error) {
  if (!LOST.has(error.code)) throw error;
  return `lost (${error.code})`;
}

/** What watch prints on its way is not looked at. @param {any} before */
const suppressed = (before) => Object.assign(() => true, { before });

/**
 * @param {Awaited<ReturnType<typeof soak>>} soaked
 * @param {string} version
 * @returns {number} the exit code
 */
function show({ rounds, samples, counts, seconds }, version) {
  const from = Math.ceil(samples.length * BEGINNING);
  if (samples.length - from < FEWEST_LOOKS)
    throw new Error(`${samples.length} samples are too few to tell: give it more minutes.`);
  console.log(
    `${rounds.at(-1)} rounds in ${Math.round(seconds)} s on MongoDB ${version}, ` +
      `${process.version}; ${samples.length} samples, the first ${from} left out`,
  );
  console.log([...counts].map(([name, count]) => `${count} ${name}`).join(', '));
  console.log(
    `\n${'a thousand rounds'.padEnd(20)}${['grow by', '95% from', 'to', 'at first', 'at the end', 'allowed'].map((head) => head.padStart(12)).join('')}`,
  );
  const grown = Object.entries(MEASURES).filter(([name, { max, unit }]) => {
    const slope = slopeOf(
      rounds.slice(from),
      samples.slice(from).map((one) => one[name]),
    );
    const holds = slope.low <= 0 || slope.perThousand <= max;
    const figures = [slope.perThousand, slope.low, slope.high, slope.from, slope.to, max]
      .map((value) => value.toFixed(3).padStart(12))
      .join('');
    console.log(`${`${name}${unit && ''}`.padEnd(20)}${figures}  ${holds ? 'ok' : 'GROWS'}`);
    return !holds;
  });
  return grown.length === 0 ? 0 : 1;
}
