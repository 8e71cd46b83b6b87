'use strict';

const assert = require('node:assert/strict');
const { startServer } = require('../support/server');
const { aroundCommand } = require('../support/around-command');
const { contextOf } = require('../support/context');
const { temporaryFolder } = require('../support/cleanup');
const { setExternally } = require('../support/engine');
const { withConfigFile } = require('../support/mongod-file');
const { run: conf } = require('../../lib/commands/mongodConf');
const { run: config } = require('../../lib/commands/settings');
const { run: apply } = require('../../lib/commands/apply');
const { run: lint } = require('../../lib/commands/lint');
const { SETTING_NAMES } = require('../../lib/config/setting-table');
const { parseYaml } = require('../../lib/base/pure/yaml');

/**
 * @import { Server } from '../support/server'
 */

describe('conf on a real server', () => {
  /** @type {Server} */ let server;
  /** @type {{ path: string, remove(): void }} */ let home;
  const context = () => contextOf(server.client, { home: home.path });
  before(async () => {
    home = temporaryFolder('home');
    server = await startServer({
      args: [
        '--wiredTigerEngineConfigString',
        'eviction=(threads_max=6),file_manager=(close_idle_time=600)',
        '--syncdelay',
        '30',
      ],
    });
  });
  after(async () => {
    home.remove();
    await server?.stop();
  });

  it('nothing set since: it is what the server was started with', async () => {
    const { yaml, conf: fragment, lostAtRestart } = await conf(context());
    assert.deepEqual(fragment, {
      storage: {
        syncPeriodSecs: 30,
        wiredTiger: {
          engineConfig: {
            cacheSizeGB: 0.25,
            configString: 'eviction=(threads_max=6),file_manager=(close_idle_time=600)',
          },
        },
      },
    });
    assert.deepEqual([lostAtRestart, parseYaml(yaml).value], [[], fragment]);
    assert.match(
      yaml,
      /^# .*\n# Nothing was changed at run time: a restart loses nothing\.\nstorage:/,
    );
  });

  it('a mongod that starts with the fragment has the settings of this one', async () => {
    await apply(
      context(),
      {
        cacheSizeGB: 0.375,
        evictionThreadsMin: 2,
        evictionThreadsMax: 7,
        evictionTarget: 75,
        evictionDirtyTarget: 8,
        evictionDirtyTrigger: 30,
        evictionUpdatesTarget: 3,
        evictionCheckpointTarget: 20,
      },
      { confirm: true },
    );
    await setExternally(server, 'file_manager=(close_scan_interval=20)');
    const here = await config(context());
    const { yaml, lostAtRestart } = await conf(context());
    assert.deepEqual(
      lostAtRestart.find(({ setting }) => setting === 'evictionTarget'),
      { setting: 'evictionTarget', value: 75, afterRestart: 80 },
    );
    assert.match(
      yaml,
      /# Without these lines a restart sets cacheSizeGB from 0\.375 GiB to 0\.25 GiB\./,
    );
    assert.equal((await lint(context(), { text: yaml })).ok, true);
    const started = await withConfigFile(yaml, async (client) => {
      const there = await config(contextOf(client));
      for (const setting of SETTING_NAMES)
        assert.deepEqual(
          [setting, there[setting].value, there[setting].sinceRestart],
          [setting, here[setting].value, false],
        );
      const {
        wiredTiger: { cache },
      } = await client.db('admin').command({ serverStatus: 1 });
      assert.equal(Number(cache['maximum bytes configured']), 384 * 2 ** 20);
      const { log } = await client.db('admin').command({ getLog: 'global' });
      assert.match(
        log.find((/** @type {string} */ line) => line.includes('Opening WiredTiger')),
        /file_manager=\(close_idle_time=600,close_scan_interval=20\)/,
      );
    });
    assert.equal(started, null);
  });

  it('with a change that is only planned', async () => {
    const { conf: fragment, lostAtRestart } = await conf(context(), {
      evictionTarget: 77,
      syncdelaySeconds: 45,
    });
    assert.match(
      fragment.storage.wiredTiger?.engineConfig.configString ?? '',
      /eviction_target=77/,
    );
    assert.deepEqual(
      [
        fragment.storage.syncPeriodSecs,
        lostAtRestart.find(({ setting }) => setting === 'syncdelaySeconds'),
      ],
      [45, { setting: 'syncdelaySeconds', value: 45, afterRestart: 30 }],
    );
    assert.match(
      (await conf(context(), { cacheSizeGB: 1 })).yaml,
      /# Proposed: cacheSizeGB 1 GiB from the next restart; without these lines 0\.25 GiB; active now: 0\.375 GiB\./,
    );
    assert.match(
      (await conf(context(), { change: { evictionTarget: 78 } })).yaml,
      /eviction_target=78/,
    );
    assert.match((await conf(context(), { change: null })).yaml, /eviction_target=75/);
  });

  it('options that nobody knows are not replaced', async () => {
    const denied = Object.assign(new Error('not authorized'), { code: 13 });
    const ctx = aroundCommand(context(), (command) => command.getCmdLineOpts !== undefined, {
      before: () => Promise.reject(denied),
    });
    const { yaml } = await conf(ctx, { evictionTarget: 78 });
    assert.match(yaml, /: merge it into mongod\.conf\. It takes effect at the next restart/);
  });

  it('what mongod takes and is not safe is said, in the notes and in the file', async () => {
    const { notes, yaml } = await conf(context(), { cacheSizeGB: 9999, evictionTrigger: 99 });
    assert.match(
      notes.join('\n'),
      /A cache of 9\.76 TiB is more than 80% of the .* RAM available to this server[\s\S]*With evictionTrigger 99%/,
    );
    assert.match(yaml, /\n# A cache of 9\.76 TiB is more than 80%/);
  });

  it('what a mongod would not start with is not printed', async () => {
    await assert.rejects(conf(context(), { evictionTarget: 95 }), { code: 'TUNE-30002' });
    await assert.rejects(conf(context(), /** @type {any} */ ({ foo: 1 })), { code: 'TUNE-10003' });
    await assert.rejects(conf(context(), /** @type {any} */ (7)), { code: 'TUNE-10002' });
    await setExternally(server, 'eviction_target=90,eviction_trigger=85').catch(() => {});
    const { version } = server;
    if (Number.parseFloat(version) < 8.1)
      await assert.rejects(
        conf(context()),
        (error) =>
          error.code === 'TUNE-30002' &&
          /evictionTarget 90% is not below evictionTrigger 85%/.test(error.message),
      );
  });
});
