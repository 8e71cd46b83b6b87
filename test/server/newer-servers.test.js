'use strict';

const assert = require('node:assert/strict');
const { NewerServer, realStatus, RELEASES } = require('../support/newer-server');
const { parseVersion } = require('../../lib/base/pure/version');
const { skipIf } = require('../support/skip');

/**
 * Commands, changes and refusals on the shapes of newer releases. What of it is real: see
 * test/support/newer-server.js.
 */

const GiB = 2 ** 30;
const command = (/** @type {string} */ name) => require(`../../lib/commands/${name}`).run;
/** Since 8.0 the time is in another section, by the same name. @param {string} version */
const thread = (version) => (parseVersion(version)[0] >= 8 ? 'cache' : 'thread-yield');

/** Clients that wait for pages of data that the cache does not hold. */
const READING = Object.freeze({
  '=wiredTiger.cache.bytes currently in the cache': 0.82 * GiB,
  '=wiredTiger.cache.tracked dirty bytes in the cache': 0,
  '=wiredTiger.cache.tracked dirty leaf page bytes in the cache': 0,
  '=wiredTiger.cache.eviction state': 1,
  'wiredTiger.cache.application threads page read from disk to cache count': 600,
  'wiredTiger.cache.application threads page read from disk to cache time (usecs)': 6e6,
  'wiredTiger.cache.pages read into cache': 600,
  'wiredTiger.cache.internal pages read into cache': 0,
  'wiredTiger.cache.leaf pages read into cache': 600,
  'wiredTiger.cache.pages requested from the cache': 3000,
  'wiredTiger.cache.bytes read into cache': 6e6,
  'wiredTiger.cache.unmodified pages evicted': 590,
  'wiredTiger.cache.evict page attempts by eviction worker threads': 590,
  'opLatencies.reads.latency': 7e6,
  'opLatencies.reads.ops': 600,
  'opcounters.query': 600,
});

/** The published answer of 9.0.2 is of a server that builds indexes. */
const NO_BUILD = Object.freeze({ '=activeIndexBuilds.total': 0 });

/** Clients that are made to evict at the dirty trigger. @param {string} version */
const writing = (version) => ({
  '=wiredTiger.cache.bytes currently in the cache': 0.5 * GiB,
  '=wiredTiger.cache.tracked dirty bytes in the cache': 0.21 * GiB,
  '=wiredTiger.cache.tracked dirty leaf page bytes in the cache': 0.21 * GiB,
  '=wiredTiger.cache.eviction state': 12,
  [`wiredTiger.${thread(version)}.application thread time evicting (usecs)`]: 3e6,
  'wiredTiger.thread-yield.application thread time waiting for cache (usecs)': 4e6,
  'wiredTiger.cache.bytes written from cache': 50e6,
  'wiredTiger.cache.modified pages evicted': 900,
  'wiredTiger.cache.number of times dirty trigger was reached': 30,
  'opLatencies.writes.latency': 6e6,
  'opLatencies.writes.ops': 500,
  'opcounters.update': 500,
});

for (const version of RELEASES) {
  const status = realStatus(version);
  /** @param {any} [what] */
  const server = (what = {}) => new NewerServer({ version, status, ...what });

  describe(`a server of ${version} at the port`, function () {
    this.timeout(300_000);
    before(function () {
      skipIf(this, status === null ? 'the answer of a real one is not beside this checkout' : null);
    });

    it('every command that reads it answers', async () => {
      const ctx = server({ growth: READING }).context();
      const seen = await command('status')(ctx, { seconds: 0.3 });
      assert.equal(seen.version, version);
      assert.ok(seen.cache.usedRatio > 0.8);
      assert.equal((await command('settings')(ctx)).cacheSizeGB.value, 1);
      assert.ok(Array.isArray((await command('check')(ctx, { seconds: 0.3 })).findings));
      assert.ok(await command('checkpoints')(ctx, { seconds: 1 }));
      assert.match((await command('mongodConf')(ctx, { cacheSizeGB: 2 })).yaml, /cacheSizeGB: 2/);
      assert.ok(await command('lint')(ctx, 'eviction=(threads_max=8)', {}));
      assert.ok(await command('history')(ctx, {}));
    });

    it('watched for some seconds: what the clients wait for', async () => {
      const ctx = server({ growth: READING, dataBytes: 4 * GiB }).context();
      const seen = await command('watch')(ctx, { seconds: 3, everySeconds: 0.5 });
      assert.deepEqual([seen.version, seen.restarts, seen.ended], [version, 0, 'complete']);
      assert.ok(seen.samples >= 4, String(seen.samples));
      assert.ok(seen.metrics['cache.pagesReadPerSec'] > 500);
      assert.ok(seen.metrics['clients.readingThreads'] > 5);
    });

    it('collections, TTL, machine, members, queries, defects, an upgrade and a search answer', async () => {
      const on = (/** @type {string} */ name, /** @type {any[]} */ ...args) =>
        command(name)(server({ growth: READING, dataBytes: 4 * GiB }).context(), ...args);
      const [collections, ttl, host, members, who, defects, upgrade, auto, metrics, drift] =
        await Promise.all([
          on('collections', { seconds: 1 }),
          on('ttl', {}),
          on('host', {}),
          on('members', { seconds: 1 }),
          on('who', { seconds: 2 }),
          on('defects', { seconds: 1 }),
          on('upgrade', { to: '9.1.0' }),
          on('auto', {}),
          on('metrics', { seconds: 1 }),
          on('drift', {}),
        ]);
      assert.deepEqual(
        collections.rows.map((/** @type {any} */ { ns }) => ns),
        ['app.events'],
      );
      assert.ok(Array.isArray(host.findings));
      assert.equal(members.kind, 'standalone');
      for (const { version: its } of [collections, ttl, host, who, defects, upgrade])
        assert.equal(its, version);
      assert.deepEqual([upgrade.to, auto.dryRun, drift.exitCode], ['9.1.0', true, 0]);
      assert.match(metrics.text, /mongosh_tune_build_info/);
    });

    it('clients that read: the cache is named, and how much', async () => {
      const ctx = server({ growth: READING, dataBytes: 4 * GiB }).context();
      const advice = await command('advise')(ctx, { seconds: 6 });
      assert.equal(advice.bottleneck, 'cache-read', advice.because);
      assert.ok(advice.change.cacheSizeGB > 4);
    });

    // Servers before 6.2 do not count them; there tune.who() sees them in the log.
    it('sorts that spill: named before a larger cache; without them, none', async () => {
      const advised = async (/** @type {object} */ more) => {
        const ctx = server({
          growth: { ...READING, ...NO_BUILD, ...more },
          dataBytes: 4 * GiB,
        }).context();
        return command('advise')(ctx, { seconds: 6 });
      };
      const spills = 'metrics.query.sort.spillToDisk';
      const [sick, well] = await Promise.all([advised({ [spills]: 1 }), advised({ [spills]: 0 })]);
      assert.deepEqual([sick.cause?.kind, sick.change], ['sort-spills', null]);
      assert.match(sick.remedy, /^An index on the sort fields first/);
      assert.equal(well.cause, null);
    });

    it('the range deleter is named by its counter of this release', async () => {
      const ctx = server({
        growth: {
          ...writing(version),
          ...NO_BUILD,
          'shardingStatistics.countDocsDeletedByRangeDeleter': 5000,
        },
        dataBytes: 4 * GiB,
      }).context();
      const { cause } = await command('advise')(ctx, { seconds: 6 });
      assert.equal(cause?.kind, 'range-deleter');
    });

    it('clients that evict at the dirty trigger: that is named', async () => {
      const ctx = server({ growth: writing(version), dataBytes: 4 * GiB }).context();
      const advice = await command('advise')(ctx, { seconds: 6 });
      assert.equal(advice.bottleneck, 'cache-dirty', advice.because);
      const dirty = advice.findings.find((/** @type {any} */ one) => one.rule === 'dirty-ratio');
      assert.deepEqual([dirty.status, dirty.code], ['critical', 'at-trigger']);
    });

    it('an idle one has no warning', async () => {
      const ctx = server({ growth: { 'opcounters.command': 1 } }).context();
      const { findings } = await command('advise')(ctx, { seconds: 6 });
      assert.deepEqual(
        findings.filter(({ status: is }) => is === 'warning' || is === 'critical'),
        [],
      );
    });

    it('a change is applied, read back and undone', async () => {
      const newer = server();
      const ctx = newer.context();
      const change = { evictionDirtyTarget: 8, evictionDirtyTrigger: 25, evictionThreadsMax: 6 };
      const done = await command('apply')(ctx, change, { confirm: true });
      assert.equal(done.verified, true);
      const { evictionDirtyTrigger: set } = await command('settings')(ctx);
      assert.deepEqual([set.value, set.from, set.by], [25, 'runtime', 'tune']);
      const undone = await command('undo')(ctx, { confirm: true });
      assert.equal(undone.verified, true);
      assert.equal((await command('settings')(ctx)).evictionDirtyTrigger.value, 20);
    });

    it('more threads than this release takes are refused before anything is sent', async () => {
      const newer = server();
      const asked = command('apply')(
        newer.context(),
        { evictionThreadsMax: 64 },
        { confirm: true },
      );
      if (parseVersion(version)[0] >= 9) assert.equal((await asked).verified, true);
      else {
        await assert.rejects(asked, { code: 'TUNE-30001' });
        assert.deepEqual(
          newer.sent.filter((spec) => spec.setParameter),
          [],
        );
      }
    });

    it('a trial switches, gives a verdict and leaves the old value', async () => {
      const newer = server({ growth: READING, dataBytes: 4 * GiB });
      const ctx = newer.context();
      const trial = await command('trial')(
        ctx,
        { evictionThreadsMax: 6 },
        { confirm: true, blocks: 4, blockSeconds: 2, keep: 'never' },
      );
      assert.equal(typeof trial.verdict, 'string');
      // There and back at least; a busy computer may end it early.
      assert.ok(newer.sent.filter((spec) => spec.setParameter).length >= 2);
      assert.equal((await command('settings')(ctx)).evictionThreadsMax.value, 4);
    });

    it("what it refuses is told in the server's words, and nothing stays", async () => {
      const ctx = server({ refuses: /eviction_target=75/ }).context();
      await assert.rejects(
        command('apply')(ctx, { evictionTarget: 75 }, { confirm: true }),
        /TUNE-20008.*refused by this release/,
      );
      assert.equal((await command('settings')(ctx)).evictionTarget.value, 80);
    });

    it('tickets are refused while it probes, and that is no change of tune', async () => {
      const { port } = server().context();
      const asked = port.adminCommand({
        setParameter: 1,
        storageEngineConcurrentReadTransactions: 64,
      });
      await assert.rejects(asked, { code: parseVersion(version)[0] >= 9 ? 72 : 20 });
    });

    it('keys that are no settings of tune are shown, with where they come from', async () => {
      const key = parseVersion(version)[0] >= 8 ? 'statistics_log.wait' : 'checkpoint.wait';
      const [category, name] = key.split('.');
      const newer = server();
      await newer.command('admin', {
        setParameter: 1,
        wiredTigerEngineRuntimeConfig: `${category}=(${name}=25),eviction_trigger=94`,
      });
      const { others, evictionTrigger } = await command('settings')(newer.context());
      assert.deepEqual(others, [{ key, value: '25', from: 'runtime' }]);
      assert.equal(evictionTrigger.value, 94);
    });

    it('a syncdelay that was set while it runs counts from 8.0 on', async () => {
      const ctx = server({ parameters: { syncdelay: 0 } }).context();
      const { syncdelaySeconds } = await command('settings')(ctx);
      const isLive = parseVersion(version)[0] >= 8;
      assert.deepEqual(
        [syncdelaySeconds.value, syncdelaySeconds.from],
        isLive ? [0, 'runtime'] : [null, 'unknown'],
      );
    });

    it('a size in percent and a limit in GB are origins', async () => {
      const newer = server({
        options: {
          storage: { wiredTiger: { engineConfig: { cacheSizePct: 40 } } },
          setParameter: { wiredTigerEvictionDirtyMaxGB: 0.5 },
        },
      });
      const { cacheSizeGB } = await command('settings')(newer.context());
      assert.deepEqual([cacheSizeGB.value, cacheSizeGB.from], [1, 'startup']);
      const { yaml } = await command('mongodConf')(newer.context(), { cacheSizeGB: 2 });
      assert.match(yaml, /Remove cacheSizePct: 40/);
      assert.doesNotMatch(yaml, /^\s+cacheSizePct/m);
    });

    if (version !== '9.0.2')
      it('a dirty limit of its start is the threshold, where the server does not report it', async () => {
        const ctx = server({
          options: { setParameter: { wiredTigerEvictionDirtyMaxGB: 0.5 } },
        }).context();
        const { evictionDirtyTrigger: set } = await command('settings')(ctx);
        assert.deepEqual([set.value, set.from], [50, 'startup']);
      });
  });
}
