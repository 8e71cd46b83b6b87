'use strict';

const os = require('node:os');
const fs = require('node:fs');
const path = require('node:path');
const zlib = require('node:zlib');
const { temporaryFolder } = require('../../test/support/cleanup');
const { startServer, startReplicaSet } = require('../../test/support/server');
const { startWorkload } = require('../../test/support/workload');
const { startLoad } = require('../demo/server');
const { keptOf, writeFixture } = require('./fixtures');

/**
 * Runs the commands of the samples on real servers, and keeps what they saw or answered. What a
 * command observes is heard on its way from lib/observe to the rules, so that its verdict can be
 * made anew from it.
 */

const ROOT = path.join(__dirname, '..', '..');
const RECORDINGS = path.join(ROOT, 'test', 'answers', 'recordings');
const LINTED = 'eviction=(threads_min=8)';
/** @type {any} */ let heard = null;
hearAdvice();
const { tune } = require('../../lib/node');

/** Commands load their modules when they are first called: after this. */
function hearAdvice() {
  for (const [file, name] of [
    ['../../lib/diagnose/advice', 'adviceOf'],
    ['../../lib/server/pure/status', 'statusOf'],
  ]) {
    const module = require(file);
    const real = module[name];
    module[name] = (/** @type {any[]} */ ...args) => {
      heard = name === 'adviceOf' ? args[0] : { window: args[0], facts: args[1] };
      return real(...args);
    };
  }
}

const pause = (/** @type {number} */ ms) =>
  new Promise((resolve) => {
    setTimeout(resolve, ms);
  });

/** What names this machine and its ports, and what the samples call it. */
class Names {
  /** @param {readonly (number | string)[]} ports of db1, db2 … */
  constructor(ports) {
    this.pairs = [
      ...ports.map((port, i) => [
        new RegExp(`\\b(?:127\\.0\\.0\\.1|localhost|${os.hostname()}):${port}\\b`, 'g'),
        `db${i + 1}:27017`,
      ]),
      [/\/tmp\/mongosh-tune-\d+-(?:mongod|member\d+)-\w+/g, '/var/lib/mongodb'],
      [new RegExp(`^${os.hostname()}$`), 'db1'],
    ];
  }

  /** @param {any} value @returns {any} */
  in(value) {
    if (typeof value === 'string')
      return this.pairs.reduce((text, [from, to]) => text.replace(from, to), value);
    if (Array.isArray(value)) return value.map((one) => this.in(one));
    if (value === null || typeof value !== 'object' || value instanceof Date) return value;
    return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, this.in(one)]));
  }
}

/** @param {string} name @param {unknown} value @param {Names} names */
function keep(name, value, names) {
  writeFixture(name, names.in(value));
  console.log(`  ${name}`);
}

/** @param {string} name @param {() => Promise<unknown>} ask @param {Names} names */
async function keepObserved(name, ask, names) {
  const answer = await ask();
  keep(name, keptOf(heard), names);
  return answer;
}

/** The walk of `npm start`: a cache that is too small for its writers. */
async function walk() {
  const server = await startServer();
  const names = new Names([server.port]);
  const load = await startLoad(server.uri);
  const t = tune(server.client, { home: temporaryFolder('home').path });
  try {
    await pause(5000);
    await keepObserved('sick-status', () => t.status({ seconds: 5 }), names);
    const advice = await keepObserved('sick', () => t.advise({ seconds: 10 }), names);
    const check = { ...(await t.check({ seconds: 5 })) };
    keep('check', { ...check, observation: keptOf(heard) }, names);
    keep('dry-run', { ...(await t.apply(advice)) }, names);
    keep('applied', { ...(await t.apply(advice, { confirm: true })) }, names);
    await pause(3000);
    await keepObserved('better-status', () => t.status({ seconds: 5 }), names);
    keep('undone', { ...(await t.undo({ confirm: true })) }, names);
    const entries = await t.history();
    keep('history', { entries: [...entries], notes: entries.notes }, names);
    keep('lint', { ...(await t.lint(LINTED)), content: LINTED }, names);
  } finally {
    await load.stop();
    await server.stop();
  }
}

/** The recordings of test/answers, each of 12 s of one load. */
async function recordings() {
  const folder = temporaryFolder('recordings');
  for (const name of [
    'reads-beyond-the-cache',
    'updates-of-most-of-the-cache',
    'low-dirty-trigger',
    'one-eviction-thread',
    'reads-with-pauses',
  ]) {
    const file = path.join(folder.path, `${name}.jsonl`);
    fs.writeFileSync(
      file,
      zlib.brotliDecompressSync(fs.readFileSync(path.join(RECORDINGS, `${name}.jsonl.br`))),
    );
    await keepObserved(name, () => tune(null).replay(file), new Names([]));
  }
  folder.remove();
}

/** A transaction that is open for a minute, under steady updates. */
async function pinned() {
  const set = await startReplicaSet();
  const names = new Names([set.port]);
  const load = await startWorkload(set.uri, 'steady');
  const session = set.client.startSession();
  try {
    session.startTransaction({ readConcern: { level: 'snapshot' } });
    await set.client.db('load').collection('steady').findOne({}, { session });
    await pause(50_000);
    await keepObserved(
      'pinned',
      () => tune(set.client, { home: temporaryFolder('home').path }).advise({ seconds: 10 }),
      names,
    );
  } finally {
    await session.abortTransaction().catch(() => {});
    await session.endSession();
    await load.stop();
    await set.stop();
  }
}

/** Two programs that share a server. */
async function shared() {
  const server = await startServer();
  const loads = await Promise.all(
    ['read', 'update'].map((kind) => startWorkload(server.uri, /** @type {any} */ (kind))),
  );
  try {
    await pause(5000);
    const t = tune(server.client, { home: temporaryFolder('home').path });
    keep(
      'collections',
      { ...(await t.collections({ seconds: 5, limit: 2 })) },
      new Names([server.port]),
    );
  } finally {
    for (const load of loads) await load.stop();
    await server.stop();
  }
}

/** Three members, one of them hidden and one down; and a fleet of them. */
async function several() {
  const set = await startReplicaSet({
    name: 'rs0',
    members: [
      { priority: 2 },
      { priority: 1 },
      { priority: 0, hidden: true },
      { priority: 0, votes: 0 },
    ],
  });
  const busy = await startServer();
  const load = await startLoad(busy.uri);
  const ports = set.hosts.map((host) => host.split(':')[1]);
  try {
    await set.kill(set.hosts[3]);
    await pause(12_000);
    const t = tune(set.client, { home: temporaryFolder('home').path });
    keep('members', { ...(await t.members()) }, new Names(ports));
    const servers = [
      { uri: busy.uri, name: 'shop-eu-1' },
      ...set.hosts.map((host, i) => ({
        uri: `mongodb://${host}/?directConnection=true`,
        name: ['search-1', 'search-2', 'billing-1', 'billing-2'][i],
      })),
    ];
    keep(
      'fleet',
      { ...(await tune(null).fleet(servers, { seconds: 5 })) },
      new Names([...ports, busy.port]),
    );
  } finally {
    await load.stop();
    await busy.stop();
    await set.stop();
  }
}

/** @type {Readonly<Record<string, () => Promise<void>>>} */
const PARTS = Object.freeze({ walk, recordings, pinned, shared, several });

module.exports = { PARTS };
