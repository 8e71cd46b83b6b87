'use strict';

/** What mongod started with beside its options: WiredTiger.config in dbPath, or WIREDTIGER_CONFIG. */
const assert = require('node:assert/strict');
const fs = require('node:fs');
const path = require('node:path');
const { startServer } = require('../../support/server');
const { contextOf } = require('../../support/context');
const { temporaryFolder } = require('../../support/cleanup');
const { cacheOf } = require('../../support/engine');
const { startFileOf } = require('../../../lib/host/start-file');
const { run: apply } = require('../../../lib/commands/apply');
const { run: undo } = require('../../../lib/commands/undo');
const { run: mongodConf } = require('../../../lib/commands/mongodConf');
const { run: config } = require('../../../lib/commands/settings');

const DO = Object.freeze({ confirm: true });
const CHANGE = Object.freeze({ evictionThreadsMax: 6 });

describe('a server that did not start with its options alone', function () {
  this.timeout(60_000);
  /** @type {Awaited<ReturnType<typeof startServer>>} */ let server;
  /** @type {{ path: string, remove(): void }} */ let home;
  const context = () => contextOf(server.client, { home: home.path });
  const file = () => path.join(server.dbPath, 'WiredTiger.config');
  before(async () => {
    server = await startServer();
  });
  beforeEach(() => {
    home = temporaryFolder('home');
  });
  afterEach(() => home.remove());
  after(() => server?.stop());

  /** @param {string} text @param {{ isKept: boolean }} how */
  const startWith = async (text, { isKept }) => {
    fs.writeFileSync(file(), text);
    await server.restart();
    if (!isKept) fs.rmSync(file());
  };
  const changedAt = (/** @type {number} */ ms) =>
    fs.utimesSync(file(), new Date(), new Date(Date.now() + ms));
  const cannotBeUndone = async () => {
    const done = await apply(context(), CHANGE, DO);
    assert.match(done.warnings.join(' '), /tune\.undo\(\) cannot restore it: evictionThreadsMax/);
    const back = await undo(context(), DO).catch((error) => error);
    assert.notEqual(back.verified, true);
  };

  it('a file on this machine: values of the start are unknown, and an undo promises none', async () => {
    await startWith('eviction=(threads_max=9)\n', { isKept: true });
    const { evictionThreadsMax, cacheSizeGB, notes } = await config(context());
    assert.deepEqual(
      [evictionThreadsMax.value, evictionThreadsMax.from, cacheSizeGB.value],
      [null, 'unknown', 0.25],
    );
    assert.ok(notes.join(' ').includes(`${file()} was there when mongod started`), notes.join(' '));
    await cannotBeUndone();
  });

  it('one that was edited since the start was there, all the same', async () => {
    await startWith('eviction=(threads_max=9)\n', { isKept: true });
    for (const text of ['eviction=(threads_max=9)\n', '# eviction=(threads_max=9)\n']) {
      fs.writeFileSync(file(), text);
      changedAt(60_000);
      assert.equal((await config(context())).evictionThreadsMax.value, null, text);
    }
  });

  for (const text of ['', '# eviction=(threads_max=9)\n\n  # cache_size=400M\n \n'])
    it(`one that sets nothing leaves the values of the start known: ${JSON.stringify(text)}`, async () => {
      await startWith(text, { isKept: true });
      const { evictionThreadsMax, notes } = await config(context());
      assert.deepEqual([evictionThreadsMax.value, evictionThreadsMax.from], [4, 'default']);
      assert.doesNotMatch(notes.join(' '), /WiredTiger\.config/);
    });

  it('one that came after the start says nothing, however old its content is', async function () {
    fs.rmSync(file(), { force: true });
    fs.writeFileSync(file(), 'eviction=(threads_max=9)\n');
    if (!fs.statSync(file()).birthtimeMs) this.skip();
    changedAt(-86_400_000);
    const startedAt = (/** @type {number} */ ms) =>
      startFileOf(context().port, { dbPath: server.dbPath, startedAtMs: Date.now() + ms });
    assert.deepEqual([await startedAt(-60_000), await startedAt(0)], [null, file()]);
    const { stat } = fs.promises;
    fs.promises.stat = /** @type {any} */ (
      async (/** @type {string} */ name) => Object.assign(await stat(name), { birthtimeMs: 0 })
    );
    try {
      assert.equal(await startedAt(-60_000), file(), 'no file system reports it');
    } finally {
      fs.promises.stat = stat;
    }
    fs.rmSync(file());
  });

  it('one that is not found, and set the cache: no external change is named', async () => {
    await startWith('cache_size=400M\n', { isKept: false });
    const { cacheSizeGB, evictionTarget, drift, notes } = await config(context());
    assert.deepEqual([cacheSizeGB.value, evictionTarget.value, drift], [400 / 1024, null, []]);
    assert.match(
      notes.join(' '),
      /cacheSizeGB is 0\.391, not the 0\.25 of the start-up options, and nothing has set it since[^]*WiredTiger\.config[^]*WIREDTIGER_CONFIG/,
    );
    const shown = await apply(context(), CHANGE);
    assert.match(shown.warnings.join(' '), /start values are not known/);
    assert.doesNotMatch(String(shown), /external change/);
    await cannotBeUndone();
    assert.equal((await cacheOf(server)).maxBytes, 400 * 2 ** 20, 'no call has changed it');
  });

  it('the lines for mongod.conf keep the options that are known', async () => {
    const kept = 'file_manager=(close_idle_time=500)';
    const other = await startServer({ args: ['--wiredTigerEngineConfigString', kept] });
    try {
      fs.writeFileSync(path.join(other.dbPath, 'WiredTiger.config'), 'eviction=(threads_max=9)\n');
      await other.restart();
      const there = contextOf(other.client, { home: home.path });
      const configString = `${kept},eviction=(threads_max=6)`;
      const { conf, notes } = await mongodConf(there, CHANGE);
      assert.equal(conf.storage.wiredTiger?.engineConfig.configString, configString);
      assert.match(notes.join(' '), /start values are not known/);
      assert.ok((await apply(there, CHANGE)).conf?.includes(configString));
    } finally {
      await other.stop();
    }
  });

  it('a variable that set the cache shows in the same way', async () => {
    process.env.WIREDTIGER_CONFIG = 'cache_size=400M';
    const other = await startServer().finally(() => {
      delete process.env.WIREDTIGER_CONFIG;
    });
    try {
      const seen = await config(contextOf(other.client, { home: home.path }));
      assert.deepEqual([seen.evictionThreadsMax.value, seen.drift], [null, []]);
    } finally {
      await other.stop();
    }
  });
});
