'use strict';
// node test/golden/record.js [part …]: asks real servers, and keeps the answers that the screens in
// this folder are drawn of in answers.json. Then: UPDATE_GOLDEN=1 npx mocha
// test/unit/golden.test.js. A part is a name in PARTS; all takes ten minutes.

const fs = require('node:fs');
const path = require('node:path');
const { EJSON } = require('bson');
const { tune: tuneFor } = require('../../lib/node');
const { attachedSeries } = require('../../lib/series/chart-data');
const { FINE } = require('../../lib/text/chart');
const { temporaryFolder } = require('../support/cleanup');
const { startServer, startReplicaSet } = require('../support/server');
const { startMix } = require('../support/mixed-load');
const { DIRECT } = require('../support/patient');
const { startWorkload } = require('../support/workload');

const ANSWERS = path.join(__dirname, 'answers.json');
const DAY_MS = 86_400_000;
const CONFIRM = { confirm: true };

/** @type {Record<string, any>} */
const kept = fs.existsSync(ANSWERS) ? EJSON.parse(fs.readFileSync(ANSWERS, 'utf8')) : {};

/** What a part of the recording works with. @param {any} server */
function asking(server) {
  const folder = temporaryFolder('golden');
  const tune = tuneFor(server.client, { home: path.join(folder.path, 'home') });
  const at = (/** @type {string} */ name) => path.join(folder.path, name);
  /** @param {string} name @param {(t: any) => any} ask */
  const keep = async (name, ask) => {
    try {
      const answer = await ask(tune);
      const chart = attachedSeries(answer);
      kept[name] = { answer: fieldsOf(answer), ...(chart && { chart: chart(FINE) }) };
      process.stderr.write(`${name}\n`);
      return answer;
    } catch (error) {
      process.stderr.write(`${name}: ${error.stack}\n`);
      return null;
    }
  };
  return { tune, keep, at, remove: () => folder.remove() };
}

/** A list has its rows beside what it is drawn with. @param {any} answer */
const fieldsOf = (answer) =>
  Array.isArray(answer) ? { entries: [...answer], notes: [] } : { ...answer };

/** A shop with dates that expire, an index, a view and a capped collection. @param {any} client */
async function fill(client) {
  const shop = client.db('shop');
  const now = Date.now();
  const many = (/** @type {number} */ length, /** @type {(i: number) => object} */ fields) =>
    Array.from({ length }, (_, i) => ({ _id: /** @type {any} */ (i), ...fields(i) }));
  const order = (/** @type {number} */ i) => ({
    customer: i % 700,
    at: new Date(now - 30 * DAY_MS + i * 130_000),
    text: 'x'.repeat(200),
  });
  await shop.collection('orders').insertMany(many(20_000, order));
  await shop.collection('orders').createIndex({ customer: 1 });
  await shop.collection('events').insertMany(many(10_000, order));
  await shop.collection('customers').insertMany(many(700, (i) => ({ name: `c${i}` })));
  await shop
    .collection('sessions')
    .insertMany(many(3000, (i) => ({ until: new Date(now + i * 20_000) })));
  await shop.collection('sessions').createIndex({ until: 1 }, { expireAfterSeconds: 0 });
  await shop.createCollection('big_orders', { viewOn: 'orders', pipeline: [] });
  await shop.createCollection('log', { capped: true, size: 4096 });
  await client.db('admin').command({ fsync: 1 });
}

/** Updates of some collections until it is stopped. @param {any} client @param {string[]} names */
function writing(client, names) {
  let on = true;
  const running = Promise.all(
    names.map(async (name) => {
      while (on) {
        const _id = Math.floor(Math.random() * 10_000);
        await client
          .db('shop')
          .collection(name)
          .updateOne({ _id }, { $inc: { n: 1 } })
          .catch(() => null);
        await new Promise((go) => setTimeout(go, 5));
      }
    }),
  );
  return async () => {
    on = false;
    await running;
  };
}

/**
 * What a plan measures is what goes to disk, and the server's own checkpoints are a minute apart.
 * @param {any} server @param {() => Promise<any>} ask
 */
async function written({ client }, ask) {
  const flush = () => client.db('admin').command({ fsync: 1 });
  const timer = setInterval(() => flush().catch(() => null), 1000);
  try {
    return await ask();
  } finally {
    clearInterval(timer);
  }
}

async function split() {
  const set = await startReplicaSet({ members: 1 });
  const { keep, remove } = asking(set);
  await fill(set.client);
  const stop = writing(set.client, ['orders', 'events']);
  const from = { source: 'shop', target: 'shop2', seconds: 3 };
  const one = async (/** @type {string} */ name, /** @type {string} */ collection) =>
    keep(`split.plan ${name}`, (t) => t.split.plan({ ...from, collections: [collection] }));
  await keep('split.status none', (t) => t.split.status());
  await written(set, () => keep('split.plan', (t) => t.split.plan(from)));
  await keep('split.plan blocked', (t) =>
    t.split.plan({ ...from, collections: ['events', 'log'] }),
  );
  await keep('split.plan by hash', (t) =>
    t.split.plan({
      source: 'shop',
      collections: ['orders'],
      by: { hash: '_id', parts: 2 },
      seconds: 1,
    }),
  );
  const plan = await one('unknown', 'orders');
  await keep('split.run dry', (t) => t.split.run(plan));
  await keep('split.run', (t) => t.split.run(plan, CONFIRM));
  await keep('split.status following', (t) => t.split.status());
  await keep('split.verify dry', (t) => t.split.verify());
  await keep('split.verify', (t) => t.split.verify(CONFIRM));
  await keep('split.resume dry', (t) => t.split.resume());
  await keep('split.resume', (t) => t.split.resume(CONFIRM));
  await keep('split.abort dry', (t) => t.split.abort());
  await keep('split.cutover dry', (t) => t.split.cutover());
  await keep('split.cutover', (t) => t.split.cutover(CONFIRM));
  await keep('split.status switched', (t) => t.split.status());
  await keep('split.rollback dry', (t) => t.split.rollback());
  await keep('split.finish dry', (t) => t.split.finish());
  await keep('split.rollback', (t) => t.split.rollback(CONFIRM));
  await keep('split.finish', (t) => t.split.finish(CONFIRM));
  const second = await written(set, () => one('no', 'events'));
  await keep('split.run other', (t) => t.split.run(second, CONFIRM));
  await keep('split.abort', (t) => t.split.abort(CONFIRM));
  await keep('split.status ended', (t) => t.split.status());
  await stop();
  remove();
  await set.stop();
}

/** A set that shows two known defects of 6.0.5, and upgrades of it. */
async function releases() {
  const set = await startReplicaSet({ members: 2 });
  const { keep, remove } = asking(set);
  const db = set.client.db('shop');
  await db.command({ profile: 0, slowms: 0 });
  await db.collection('batch').insertMany(Array.from({ length: 1000 }, (_, i) => ({ i })));
  await keep('defects', (t) => t.defects({ seconds: 2 }));
  await keep('upgrade', (t) => t.upgrade({ to: '8.0.17' }));
  await keep('upgrade patch', (t) => t.upgrade({ to: '6.0.27' }));
  remove();
  await set.stop();
}

async function sick() {
  const server = await startServer();
  const { tune, keep, remove, at } = asking(server);
  await fill(server.client);
  await keep('status idle', (t) => t.status({ seconds: 1 }));
  await keep('advise live-idle', (t) => t.advise({ seconds: 3 }));
  await keep('check ok', (t) => t.check({ seconds: 2 }));
  await keep('settings default', (t) => t.settings());
  await keep('drift none', (t) => t.drift());
  await keep('history none', (t) => t.history());
  await keep('auto refused', (t) => t.auto({ seconds: 2, minutes: 1 }));
  const load = await startWorkload(server.uri, 'update');
  await keep('status sick', (t) => t.status({ seconds: 5 }));
  await keep('advise live-sick', (t) => t.advise({ seconds: 15 }));
  await keep('check critical', (t) => t.check({ seconds: 10 }));
  await keep('check suppressed', (t) =>
    t.check({
      seconds: 8,
      suppress: [{ key: 'app-eviction', reason: 'import', until: '2027-01-31' }],
    }),
  );
  await keep('watch', (t) => t.watch({ seconds: 5, screen: false }));
  await keep('collections', (t) => t.collections({ seconds: 3 }));
  await keep('checkpoints', (t) => t.checkpoints({ seconds: 70 }));
  await keep('record', (t) => t.record(at('monday.ndjson'), { seconds: 10 }));
  await keep('metrics file', (t) => t.metrics({ seconds: 2, output: at('mongosh_tune.prom') }));
  await keep('report', (t) => t.report(at('now.html'), { seconds: 3 }));
  await keep('report.compare', (t) =>
    t.report.compare(at('monday.ndjson'), at('monday.ndjson'), { output: at('both.html') }),
  );
  await keep('trial dry', (t) => t.trial({ cacheSizeGB: 1 }));
  await keep('trial', (t) =>
    t.trial({ cacheSizeGB: 1 }, { ...CONFIRM, blocks: 8, blockSeconds: 6 }),
  );
  await keep('trial inconclusive', (t) =>
    t.trial({ evictionThreadsMax: 8 }, { ...CONFIRM, blocks: 4, blockSeconds: 2, keep: 'never' }),
  );
  await keep('apply cache dry', (t) => t.apply({ cacheSizeGB: 1 }));
  await keep('apply nothing', (t) => t.apply({ cacheSizeGB: 0.25 }, CONFIRM));
  await keep('apply dry', (t) => t.apply({ evictionThreadsMin: 4, evictionThreadsMax: 8 }));
  await keep('apply', (t) => t.apply({ evictionThreadsMin: 4, evictionThreadsMax: 8 }, CONFIRM));
  await keep('settings changed', (t) => t.settings());
  await keep('history', (t) => t.history());
  await keep('drift', (t) => t.drift());
  await keep('auto dry', (t) => t.auto({ seconds: 5, minutes: 3 }));
  await keep('auto', (t) => t.auto({ seconds: 5, minutes: 3, ...CONFIRM }));
  await load.stop();
  await lowered({ server, tune, keep });
  remove();
  await server.stop();
}

/** A cache that is better when larger, and is lowered again. @param {any} parts */
async function lowered({ server, tune, keep }) {
  await tune.apply({ cacheSizeGB: 0.25 }, { ...CONFIRM, force: true });
  const load = await startWorkload(server.uri, 'read');
  for (let tries = 0, found = null; tries < 3 && found?.verdict !== 'better'; tries += 1)
    found = await keep('trial better', (/** @type {any} */ t) =>
      t.trial({ cacheSizeGB: 1 }, { ...CONFIRM, blocks: 8, blockSeconds: 5 }),
    );
  await tune.apply({ cacheSizeGB: 1 }, CONFIRM);
  await new Promise((go) => setTimeout(go, 5000));
  const lower = { cacheSizeGB: 0.25 };
  await keep('apply lower dry', (/** @type {any} */ t) => t.apply(lower));
  await keep('apply lower', (/** @type {any} */ t) => t.apply(lower, CONFIRM));
  await keep('undo dry', (/** @type {any} */ t) => t.undo());
  await keep('undo', (/** @type {any} */ t) => t.undo(CONFIRM));
  await load.stop();
}

async function bench() {
  const servers = [await startServer(), await startServer()];
  const { keep, remove } = asking(servers[0]);
  const small = { records: 2000, seconds: 6, threads: 4 };
  await keep('bench dry', (t) => t.bench(small));
  await keep('bench', (t) => t.bench({ ...small, ...CONFIRM, keepData: true }));
  await keep('bench.clean dry', (t) => t.bench.clean());
  await keep('bench.clean', (t) => t.bench.clean(CONFIRM));
  await keep('bench.clean none', (t) => t.bench.clean());
  const steps = [{ cacheSizeGB: 0.5 }, { evictionThreadsMax: 8 }];
  await keep('bench.steps dry', (t) => t.bench.steps(steps, small));
  await keep('bench.steps', (t) => t.bench.steps(steps, { ...small, ...CONFIRM }));
  const uris = servers.map(({ uri }) => uri);
  await keep('bench.compare dry', (t) => t.bench.compare(uris, { ...small, rounds: 4 }));
  await keep('bench.compare', (t) => t.bench.compare(uris, { ...small, rounds: 4, ...CONFIRM }));
  remove();
  for (const server of servers) await server.stop();
}

async function set() {
  const three = await startReplicaSet({ members: 3 });
  const { keep, remove, at } = asking(three);
  await fill(three.client);
  await keep('members', (t) => t.members({ seconds: 2 }));
  await keep('members advise', (t) => t.members({ advise: true, seconds: 3 }));
  await keep('advise members', (t) => t.advise({ seconds: 3, includeMembers: true }));
  const change = { evictionThreadsMin: 4, evictionThreadsMax: 8 };
  await keep('apply members dry', (t) => t.apply(change, { members: 'all' }));
  await keep('apply members', (t) => t.apply(change, { members: 'all', ...CONFIRM }));
  await keep('undo members dry', (t) => t.undo());
  await keep('undo members', (t) => t.undo(CONFIRM));
  const hosts = three.uri.match(/127\.0\.0\.1:\d+/g) ?? [];
  fs.writeFileSync(
    at('servers.txt'),
    [
      ...hosts.map((host) => `mongodb://${host}/?directConnection=true`),
      'mongodb://127.0.0.1:1/',
    ].join('\n'),
  );
  await keep('fleet', (t) => t.fleet(at('servers.txt'), { seconds: 5, serverTimeoutSeconds: 5 }));
  await keep('ttl', (t) => t.ttl());
  remove();
  await three.stop();
}

async function mixed() {
  const server = await startServer({ args: [...DIRECT] });
  const { keep, remove } = asking(server);
  for (const name of /** @type {const} */ (['scan', 'healthy'])) {
    const load = await startMix(server.uri, name);
    await keep(name === 'scan' ? 'who' : 'who nobody', (t) => t.who({ seconds: 10 }));
    await load.stop();
  }
  remove();
  await server.stop();
}

const PARTS = { split, sick, bench, set, mixed, releases };

async function main() {
  const names = process.argv.slice(2);
  for (const [name, part] of Object.entries(PARTS))
    if (names.length === 0 || names.includes(name)) await part();
  const text = EJSON.stringify(kept, undefined, 1, { relaxed: true });
  fs.writeFileSync(ANSWERS, `${renamed(text)}\n`);
}

/** Hosts, folders and ports of the recording under names that a reader knows. @param {string} text */
function renamed(text) {
  const hosts = [...new Set(text.match(/(?:127\.0\.0\.1|\bvm|\blocalhost):\d{4,5}\b/g))];
  /** @type {Map<string, string>} */
  const ports = new Map();
  for (const host of hosts) {
    const [, port] = host.split(':');
    if (port !== '1' && !ports.has(port)) ports.set(port, `db${ports.size + 1}:27017`);
  }
  return [...ports]
    .reduce(
      (all, [port, name]) => all.replaceAll(new RegExp(`[\\w.]+:${port}\\b`, 'g'), name),
      text,
    )
    .replaceAll(/\/tmp\/mongosh-tune-\d+-golden-\w+\//g, '')
    .replaceAll(/\/tmp\/mongosh-tune-\d+-mongod-\w+/g, '/var/lib/mongodb');
}

main().then(() => process.exit(0));
