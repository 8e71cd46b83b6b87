'use strict';

const assert = require('node:assert/strict');
const fs = require('node:fs');
const path = require('node:path');
const { startServer, startReplicaSet } = require('../support/server');
const { beforeCall } = require('../support/beside');
const { contextOf } = require('../support/context');
const { temporaryFolder } = require('../support/cleanup');
const {
  setExternally,
  lastString,
  askedStrings,
  cacheOf,
  makeDirty,
} = require('../support/engine');
const { run: apply } = require('../../lib/commands/apply');
const { run: undo } = require('../../lib/commands/undo');
const { run: config } = require('../../lib/commands/settings');
const { run: history } = require('../../lib/commands/history');
const { sendCall } = require('../../lib/change/send-call');
const { takeSample } = require('../../lib/server/sampler');
const { readLastString, readRefusal } = require('../../lib/server/engine-history');
const { journalPath } = require('../../lib/change/journal');

/**
 * @import { Server } from '../support/server'
 */

const DO = Object.freeze({ confirm: true });
const MB = 2 ** 20;
const isCacheCall = (/** @type {any} */ { wiredTigerEngineRuntimeConfig: text }) =>
  typeof text === 'string' && text.includes('cache_size=128M');

/**
 * A context whose port lets a test look at or break single calls.
 * @param {ReturnType<typeof contextOf>} ctx
 * @param {(command: any, run: () => Promise<any>) => Promise<any>} between
 */
const withPort = (ctx, between) => ({
  ...ctx,
  port: {
    ...ctx.port,
    adminCommand: (/** @type {any} */ command) =>
      between(command, () => ctx.port.adminCommand(command)),
  },
});

describe('apply on a real server', () => {
  /** @type {Server} */ let server;
  /** @type {{ path: string, remove(): void }} */ let home;
  const context = (more = {}) => contextOf(server.client, { home: home.path, ...more });
  before(async () => {
    server = await startServer({
      args: ['--wiredTigerEngineConfigString', 'eviction=(threads_max=6)', '--syncdelay', '3600'],
    });
  });
  after(() => server?.stop());
  beforeEach(() => {
    home = temporaryFolder('home');
  });
  afterEach(async () => {
    home.remove();
    await setExternally(
      server,
      'cache_size=256M,eviction=(threads_min=4,threads_max=6),eviction_target=80,' +
        'eviction_trigger=95,eviction_dirty_target=5,eviction_dirty_trigger=20,' +
        'eviction_checkpoint_target=1',
    );
  });

  it('without confirm it shows, and changes nothing', async () => {
    const effective = async () => {
      const { maxBytes, threads } = await cacheOf(server);
      return [maxBytes, threads];
    };
    const [before, asked] = [await effective(), await askedStrings(server)];
    const shown = await apply(context(), { cacheSizeGB: 0.5, evictionThreadsMax: 8 });
    assert.deepEqual(
      [shown.id, shown.dryRun, shown.after, shown.verified, shown.host],
      [null, true, null, null, (await server.adminCommand({ serverStatus: 1 })).host],
    );
    assert.deepEqual(shown.commands, [
      { setParameter: 1, wiredTigerEngineRuntimeConfig: 'cache_size=512M' },
      { setParameter: 1, wiredTigerEngineRuntimeConfig: 'eviction=(threads_max=8)' },
    ]);
    assert.deepEqual(shown.before, { cacheSizeGB: 0.25, evictionThreadsMax: 6 });
    assert.equal(
      shown.confirm,
      'tune.apply({ cacheSizeGB: 0.5, evictionThreadsMax: 8 }, { confirm: true })',
    );
    assert.match(String(shown), /DRY RUN: nothing was changed/);
    assert.deepEqual(
      [await effective(), await askedStrings(server), fs.existsSync(journalPath(home.path))],
      [before, asked, false],
    );
  });

  it('with confirm it sends one group a call, reads back, and writes down', async () => {
    const asked = (await askedStrings(server)).length;
    const done = await apply(
      context(),
      { evictionThreadsMin: 5, evictionThreadsMax: 5, cacheSizeGB: 0.5, evictionDirtyTrigger: 25 },
      DO,
    );
    assert.deepEqual((await askedStrings(server)).slice(asked), [
      'cache_size=512M',
      'eviction_dirty_trigger=25',
      'eviction=(threads_min=5,threads_max=5)',
    ]);
    const { maxBytes, threads } = await cacheOf(server);
    assert.deepEqual([maxBytes, threads, done.verified, done.dryRun], [512 * MB, 5, true, false]);
    assert.deepEqual(done.after, {
      cacheSizeGB: 0.5,
      evictionThreadsMin: 5,
      evictionThreadsMax: 5,
      evictionDirtyTrigger: 25,
    });
    assert.deepEqual(done.before, {
      cacheSizeGB: 0.25,
      evictionThreadsMin: 4,
      evictionThreadsMax: 6,
      evictionDirtyTrigger: 20,
    });
    assert.equal(done.undo, `tune.undo("${done.id}", { confirm: true })`);
    assert.match(done.conf, /cacheSizeGB: 0\.5/);
    const [entry] = await history(context());
    assert.deepEqual(
      [entry.id, entry.outcome, entry.commands.length, entry.verified, entry.undo],
      [done.id, 'applied', 3, true, done.undo],
    );
    assert.doesNotMatch(
      fs.readFileSync(journalPath(home.path), 'utf8'),
      /mongodb:\/\/|127\.0\.0\.1/,
    );
  });

  it('an advice is taken for its change', async () =>
    assert.deepEqual(
      (await apply(context(), { host: null, change: { evictionTarget: 75 }, findings: [] }))
        .commands.length,
      1,
    ));
  it('an advice for another server is refused', async () =>
    assert.rejects(
      apply(context(), { host: 'elsewhere:27017', change: { evictionTarget: 75 } }, DO),
      (error) => error.code === 'TUNE-20010' && error.value === 'elsewhere:27017',
    ));
  it('an advice without a change is refused politely', async () =>
    assert.rejects(apply(context(), { host: null, change: null }, DO), { code: 'TUNE-30008' }));
  for (const [what, options, code] of /** @type {[any, any, string][]} */ ([
    [undefined, undefined, 'TUNE-10004'],
    ['cache', undefined, 'TUNE-10002'],
    [{ foo: 1 }, undefined, 'TUNE-10003'],
    [{ evictionTarget: 'a' }, undefined, 'TUNE-10002'],
    [{ evictionTarget: 5 }, undefined, 'TUNE-30001'],
    [{ evictionTarget: 95 }, DO, 'TUNE-30002'],
    [{ cacheSizeGB: 0.1 }, DO, 'TUNE-30003'],
    [{ cacheSizeGB: 9999 }, DO, 'TUNE-30003'],
    [{ evictionTarget: 75 }, { confrim: true }, 'TUNE-10001'],
    [{ evictionTarget: 75 }, { confirm: 'yes' }, 'TUNE-10002'],
  ])) {
    it(`${JSON.stringify(what)} ${JSON.stringify(options)} → ${code}, and nothing is sent`, async () => {
      const asked = await askedStrings(server);
      await assert.rejects(apply(context(), what, options), { code });
      assert.deepEqual(await askedStrings(server), asked);
    });
  }

  it('what is so already is not sent again', async () => {
    const asked = await askedStrings(server);
    const done = await apply(context(), { evictionThreadsMax: 6 }, DO);
    assert.deepEqual([done.commands, done.id, await askedStrings(server)], [[], null, asked]);
    assert.match(done.warnings[0], /evictionThreadsMax is already 6: not sent/);
  });

  it('syncdelay goes into the fragment, not to the server', async () => {
    const done = await apply(context(), { syncdelaySeconds: 30 }, DO);
    assert.deepEqual([done.commands, done.id], [[], null]);
    assert.match(done.conf, /syncPeriodSecs: 30/);
    assert.deepEqual([done.lostAtRestart, done.atNextStart], [false, true]);
    assert.doesNotMatch(done.warnings.join(), /Lost at the next restart/);
    assert.equal(
      (await apply(context(), { syncdelaySeconds: 30, evictionTarget: 75 })).lostAtRestart,
      true,
    );
    assert.equal((await server.adminCommand({ getParameter: 1, syncdelay: 1 })).syncdelay, 3600);
  });

  it('an order against what was set earlier is seen', async () => {
    await setExternally(server, 'eviction_dirty_target=15');
    await assert.rejects(apply(context(), { evictionDirtyTrigger: 15 }, DO), {
      code: 'TUNE-30002',
    });
    assert.equal((await apply(context(), { evictionDirtyTrigger: 16 }, DO)).verified, true);
  });

  it("a refusal is told in WiredTiger's own words, and what it left behind is put back", async () => {
    // Set by another session after our own check: 200 MB of bytes do not fit into 128 MB.
    const ctx = beforeCall(context(), isCacheCall, () =>
      setExternally(server, 'eviction_checkpoint_target=200MB'),
    );
    await assert.rejects(
      apply(ctx, { cacheSizeGB: 0.125 }, { confirm: true, force: true }),
      (error) =>
        error.code === 'TUNE-20008' &&
        error.halfApplied === true &&
        error.restored === true &&
        /eviction checkpoint target should not exceed cache size/.test(error.message) &&
        /It had applied a part of it; the values before were restored/.test(error.message),
    );
    assert.deepEqual(
      [(await cacheOf(server)).maxBytes, await lastString(server)],
      [256 * MB, 'eviction_checkpoint_target=200MB'],
    );
    assert.deepEqual(
      (await history(context())).map(({ outcome, undo: how }) => [outcome, how]),
      [['refused', null]],
    );
    assert.deepEqual((await config(context())).drift, []);
  });

  it('half of one call: the last good string is sent again', async () => {
    await setExternally(server, 'cache_size=300M');
    const ctx = context();
    const readback = {
      sample: async () => (await takeSample(ctx.port)).counters,
      lastString: () => readLastString(ctx.port),
      reason: (config) => readRefusal(ctx.port, config),
    };
    await assert.rejects(
      sendCall(
        ctx.port,
        {
          change: {},
          config: 'cache_size=600M,eviction=(threads_min=10,threads_max=9)',
          restore: 'cache_size=300M',
        },
        readback,
      ),
      (error) =>
        error.code === 'TUNE-20008' &&
        error.halfApplied &&
        /threads_min\) cannot be greater/.test(error.message),
    );
    assert.equal((await cacheOf(server)).maxBytes, 300 * MB);
    await setExternally(server, 'eviction_target=79');
    assert.equal((await cacheOf(server)).maxBytes, 300 * MB);
  });

  it('a last string that tune would not send is not sent again; the group is', async () => {
    await setExternally(server, 'cache_size=256M,statistics=(fast)');
    const ctx = context();
    const readback = {
      sample: async () => (await takeSample(ctx.port)).counters,
      lastString: () => readLastString(ctx.port),
      reason: (config) => readRefusal(ctx.port, config),
    };
    await assert.rejects(
      sendCall(
        ctx.port,
        {
          change: {},
          config: 'cache_size=600M,eviction=(threads_min=10,threads_max=9)',
          restore: 'cache_size=256M',
        },
        readback,
      ),
      { code: 'TUNE-20008' },
    );
    assert.deepEqual(
      [await lastString(server), (await cacheOf(server)).maxBytes],
      ['cache_size=256M', 256 * MB],
    );
  });

  it('keys that are no settings are never sent', async () => {
    const asked = await askedStrings(server);
    const readback = {
      sample: async () => ({}),
      lastString: async () => null,
      reason: async () => null,
    };
    for (const text of ['checkpoint=(wait=5)', 'cache_size=1G,statistics=(all)'])
      await assert.rejects(
        sendCall(context().port, { change: {}, config: text, restore: '' }, readback),
        { code: 'TUNE-90001' },
      );
    assert.deepEqual(await askedStrings(server), asked);
  });

  it('without a journal nothing is sent', async () => {
    fs.writeFileSync(path.join(home.path, 'file'), '');
    const asked = await askedStrings(server);
    await assert.rejects(
      apply(
        contextOf(server.client, { home: path.join(home.path, 'file', 'home') }),
        { evictionTarget: 70 },
        DO,
      ),
      (error) =>
        error.code === 'TUNE-40001' && /Make the folder and its files writable/.test(error.message),
    );
    assert.deepEqual(await askedStrings(server), asked);
  });

  it('a journal that becomes unwritable on the way is said; the change is finished', async () => {
    const ctx = withPort(context(), async (command, run) => {
      if (command.setParameter) {
        fs.rmSync(journalPath(home.path));
        fs.mkdirSync(journalPath(home.path));
      }
      return run();
    });
    const done = await apply(ctx, { evictionTarget: 70 }, DO);
    assert.equal(done.verified, true);
    assert.match(done.warnings.join(), /TUNE-40001/);
    fs.rmdirSync(journalPath(home.path));
  });

  it('garbled lines of the journal are said and survived', async () => {
    await apply(context(), { evictionTarget: 70 }, DO);
    fs.appendFileSync(journalPath(home.path), '{"kind":"intent","id":"half');
    const list = await history(context());
    assert.equal(list.length, 1);
    assert.match(String(list), /1 line of the journal cannot be read/);
    assert.equal((await undo(context(), DO)).verified, true);
    assert.equal((await config(context())).evictionTarget.value, 80);
  });

  it('Ctrl-C between two groups: the first is in effect, the second was not sent, undo brings it back', async () => {
    const stop = new AbortController();
    const asked = (await askedStrings(server)).length;
    const ctx = withPort(context({ signal: stop.signal }), async (command, run) => {
      const answer = await run();
      if (command.setParameter) stop.abort();
      return answer;
    });
    await assert.rejects(
      apply(ctx, { cacheSizeGB: 0.5, evictionTarget: 70 }, DO),
      (error) =>
        error.code === 'TUNE-30009' &&
        /Active of this change: \{ cacheSizeGB: 0\.5 \}\. tune\.undo\("\S+", \{ confirm: true \}\) undoes it/.test(
          error.message,
        ) &&
        JSON.stringify(error.sent) === '{"cacheSizeGB":0.5}',
    );
    assert.deepEqual((await askedStrings(server)).slice(asked), ['cache_size=512M']);
    assert.equal((await history(context()))[0].outcome, 'interrupted');
    const back = await undo(context(), DO);
    assert.deepEqual([back.commands.length, (await cacheOf(server)).maxBytes], [1, 256 * MB]);
    assert.match(back.warnings.join(), /Not restored.*evictionTarget/);
  });

  it('Ctrl-C before the first group: nothing was sent', async () => {
    const stop = new AbortController();
    const asked = await askedStrings(server);
    const ctx = context({ signal: stop.signal });
    ctx.progress = () => stop.abort();
    const broken = withPort(ctx, async (command, run) => {
      const answer = await run();
      if (command.getLog) stop.abort();
      return answer;
    });
    await assert.rejects(apply(broken, { evictionTarget: 70 }, DO), { code: 'TUNE-30009' });
    assert.deepEqual(await askedStrings(server), asked);
    assert.deepEqual(
      (await history(context())).map(({ outcome, undo: how }) => [outcome, how]),
      [['interrupted', null]],
    );
    await assert.rejects(undo(context(), DO), { code: 'TUNE-30007' });
  });

  it('the answer is lost, the server can be asked: it is known what arrived', async () => {
    const ctx = withPort(context(), async (command, run) => {
      const answer = await run();
      if (command.setParameter)
        throw Object.assign(new Error('connection closed'), { name: 'MongoNetworkError' });
      return answer;
    });
    await assert.rejects(
      apply(ctx, { evictionTarget: 70 }, DO),
      (error) =>
        error.code === 'TUNE-20006' &&
        /Active of this change: \{ evictionTarget: 70 \}/.test(error.message),
    );
    assert.equal((await history(context()))[0].outcome, 'interrupted');
    assert.equal((await undo(context(), DO)).commands.length, 1);
    assert.equal((await config(context())).evictionTarget.value, 80);
  });

  it('the connection is lost for good: unknown, until the next shell asks the server', async () => {
    let dead = false;
    const ctx = withPort(context(), async (command, run) => {
      if (!dead) {
        const answer = await run();
        dead = Boolean(command.setParameter);
        if (!dead) return answer;
      }
      throw Object.assign(new Error('connection closed'), { name: 'MongoNetworkError' });
    });
    await assert.rejects(
      apply(ctx, { evictionTarget: 70 }, DO),
      (error) =>
        error.code === 'TUNE-20006' &&
        /Unknown whether the last call is active/.test(error.message) &&
        /tune\.undo\(/.test(error.message),
    );
    assert.equal((await history(context()))[0].outcome, 'unknown');
    const back = await undo(context(), DO);
    assert.match(back.warnings[0], /0 of 1 calls are known to be answered/);
    assert.deepEqual(
      [
        back.commands.map((one) => one.wiredTigerEngineRuntimeConfig.trimEnd()),
        (await config(context())).evictionTarget.value,
      ],
      [['eviction_target=80'], 80],
    );
    assert.equal((await history(context()))[0].outcome, 'undone');
  });

  it('the connection is lost just before the call: nothing was sent, and nothing stays open', async () => {
    const asked = await askedStrings(server);
    const ctx = withPort(context(), async (command, run) => {
      const isLate =
        fs.existsSync(journalPath(home.path)) &&
        /"asking"/.test(fs.readFileSync(journalPath(home.path), 'utf8'));
      if (isLate)
        throw Object.assign(new Error('connection closed'), { name: 'MongoNetworkError' });
      return run();
    });
    await assert.rejects(
      apply(ctx, { evictionTarget: 70 }, DO),
      (error) =>
        error.code === 'TUNE-20006' &&
        /No setting of this change is known to be active/.test(error.message) &&
        error.undo === null,
    );
    assert.deepEqual(
      [await askedStrings(server), (await history(context())).map(({ outcome }) => outcome)],
      [asked, ['refused']],
    );
  });

  it('a server that was exchanged meanwhile is not changed', async () => {
    const ctx = withPort(context(), async (command, run) => {
      const answer = await run();
      return command.hello && fs.existsSync(journalPath(home.path))
        ? { ...answer, topologyVersion: { processId: 'another' } }
        : answer;
    });
    const asked = await askedStrings(server);
    await assert.rejects(
      apply(ctx, { evictionTarget: 70 }, DO),
      (error) => error.code === 'TUNE-20010' && /another server with that name/.test(error.message),
    );
    assert.deepEqual(await askedStrings(server), asked);
  });

  it('warns of a running checkpoint and of the memory that does not fall', async () => {
    const ctx = withPort(context(), async (command, run) => {
      const answer = await run();
      if (answer.wiredTiger?.transaction)
        answer.wiredTiger.transaction['transaction checkpoint currently running'] = 1;
      return answer;
    });
    await setExternally(server, 'cache_size=512M');
    const { warnings } = await apply(ctx, { cacheSizeGB: 0.25 });
    assert.match(warnings.join('\n'), /Resident memory shrinks late[\s\S]*A checkpoint is running/);
  });

  describe('lowering a trigger below the present level', () => {
    beforeEach(async function () {
      this.timeout(120_000);
      await setExternally(
        server,
        'eviction_dirty_target=60,eviction_dirty_trigger=80,eviction_updates_target=60,eviction_updates_trigger=80',
      );
      await makeDirty(server, 0.2);
    });
    afterEach(async () => {
      await setExternally(
        server,
        'eviction_updates_target=0,eviction_updates_trigger=0,eviction_dirty_target=5,eviction_dirty_trigger=20',
      );
    });

    it('the target goes first, then the level falls, then the trigger goes', async () => {
      /** @type {[string, number][]} */ const seen = [];
      const ctx = context();
      const watched = withPort(ctx, async (command, run) => {
        if (command.setParameter)
          seen.push([command.wiredTigerEngineRuntimeConfig, (await cacheOf(server)).dirtyRatio]);
        return run();
      });
      const shown = await apply(watched, { evictionDirtyTarget: 3, evictionDirtyTrigger: 10 });
      assert.deepEqual(
        shown.steps.map(({ kind }) => kind),
        ['set', 'wait', 'set'],
      );
      assert.match(
        String(shown),
        /Would lower the threshold in steps, with waits between them,\s+until\s+dirty\s+data\s+is\s+under/,
      );
      const done = await apply(watched, { evictionDirtyTarget: 3, evictionDirtyTrigger: 10 }, DO);
      assert.deepEqual(
        seen.map(([text]) => text),
        ['eviction_dirty_target=3', 'eviction_dirty_target=3,eviction_dirty_trigger=10'],
      );
      assert.ok(seen[0][1] > 0.1 && seen[1][1] < 0.1, JSON.stringify(seen));
      assert.equal(done.verified, true);
      assert.match(
        ctx.progressed.join('\n'),
        /waiting before the trigger is lowered: \S+ MiB dirty, to be under 24\.3 MiB/,
      );
      assert.equal(ctx.progressed.at(-1), null);
    });

    it('Ctrl-C while it waits: the target is in effect and undone by undo, the trigger was not touched', async () => {
      const stop = new AbortController();
      const ctx = context({ signal: stop.signal });
      ctx.progress = (/** @type {string | null} */ text) => {
        if (text?.startsWith('waiting')) stop.abort();
      };
      const started = performance.now();
      await assert.rejects(
        apply(ctx, { evictionDirtyTarget: 3, evictionDirtyTrigger: 10 }, DO),
        (error) =>
          error.code === 'TUNE-30009' && JSON.stringify(error.sent) === '{"evictionDirtyTarget":3}',
      );
      assert.ok(performance.now() - started < 20_000, 'it waits for minutes otherwise');
      const seen = await config(context());
      assert.deepEqual([seen.evictionDirtyTarget.value, seen.evictionDirtyTrigger.value], [3, 80]);
      await undo(context(), DO);
      assert.equal((await config(context())).evictionDirtyTarget.value, 60);
    });

    it('force waits, too', async () => {
      const shown = await apply(
        context(),
        { evictionDirtyTarget: 3, evictionDirtyTrigger: 10 },
        { force: true },
      );
      assert.deepEqual(
        shown.steps.map(({ kind }) => kind),
        ['set', 'wait', 'set'],
      );
    });

    it('a smaller cache waits until what is dirty fits into it', async () => {
      await setExternally(server, 'cache_size=1024M');
      await makeDirty(server, 0.09);
      const ctx = context();
      await setExternally(
        server,
        'eviction_dirty_target=10,eviction_dirty_trigger=20,eviction_updates_target=0,eviction_updates_trigger=0',
      );
      const done = await apply(ctx, { cacheSizeGB: 0.25 }, DO);
      assert.match(
        ctx.progressed.join('\n'),
        /waiting before the trigger is lowered: \S+ MiB (dirty, to be under 48\.6|in updates, to be under 24\.3) MiB/,
      );
      assert.deepEqual(
        [done.verified, (await cacheOf(server)).maxBytes, await lastString(server)],
        [true, 256 * MB, 'cache_size=256M'],
      );
    });
  });
});

describe('apply where privileges are asked for', () => {
  /** @type {Server} */ let server;
  /** @type {{ path: string, remove(): void }} */ let home;
  /** @type {string} */ let blindUri;
  const blind = async () =>
    contextOf(await server.connect(blindUri), { home: temporaryFolder('blind').path });
  before(async () => {
    server = await startServer({ auth: true });
    home = temporaryFolder('home');
  });
  after(async () => {
    home.remove();
    await server?.stop();
  });

  it(
    'clusterMonitor: everything is shown, but a change is refused in one sentence, and nothing ' +
      'is changed',
    async () => {
      const ctx = contextOf(
        await server.connect(await server.addUser('watcher', ['clusterMonitor'])),
        { home: home.path },
      );
      assert.deepEqual((await apply(ctx, { evictionThreadsMax: 8 })).commands.length, 1);
      await assert.rejects(
        apply(ctx, { evictionThreadsMax: 8 }, DO),
        (error) =>
          error.code === 'TUNE-20005' &&
          /lacks the privilege setParameter on the cluster \(role hostManager or clusterAdmin\)/.test(
            error.message,
          ) &&
          !/undoes it/.test(error.message),
      );
      assert.equal(await lastString(server), '');
      assert.deepEqual(
        (await history(ctx)).map(({ outcome }) => outcome),
        ['refused'],
      );
      assert.equal((await config(ctx)).complete, true);
    },
  );

  it('the smallest role for changing is enough', async () => {
    const { CHANGE_ROLE } = require('../../lib/server/pure/commands');
    await server.addRole('tuneChange', CHANGE_ROLE.privileges, []);
    const ctx = contextOf(await server.connect(await server.addUser('changer', ['tuneChange'])), {
      home: home.path,
    });
    const done = await apply(ctx, { evictionThreadsMax: 8 }, DO);
    assert.equal(done.verified, true);
    assert.equal((await undo(ctx, DO)).verified, true);
  });

  it('hostManager may change but not look: the privilege that lacks is named', async () => {
    const ctx = contextOf(await server.connect(await server.addUser('manager', ['hostManager'])), {
      home: home.path,
    });
    await assert.rejects(
      apply(ctx, { evictionThreadsMax: 8 }, DO),
      (error) => error.code === 'TUNE-20005' && /serverStatus/.test(error.message),
    );
  });

  it('without the log and the options everything is unknown, and a change is still possible', async () => {
    await server.addRole('tuneBlind', [
      { resource: { cluster: true }, actions: ['serverStatus', 'setParameter'] },
    ]);
    blindUri = await server.addUser('blind', ['tuneBlind']);
    const ctx = await blind();
    const seen = await config(ctx);
    assert.deepEqual(
      [seen.complete, seen.evictionTarget.from, seen.cacheSizeGB.value],
      [false, 'unknown', 0.25],
    );
    assert.match(seen.notes.join('\n'), /getCmdLineOpts[\s\S]*getLog[\s\S]*getParameter/);
    const done = await apply(ctx, { evictionTarget: 79 }, DO);
    assert.match(
      done.warnings.join(),
      /evictionTrigger is not known, so its order with evictionTarget is not checked/,
    );
    assert.deepEqual([done.before, done.after], [{}, { evictionTarget: 79 }]);
    assert.match(
      done.warnings.join('\n'),
      /Current value unknown, so tune\.undo\(\) cannot restore it: evictionTarget\. It keeps the new value/,
    );
    assert.equal(done.undo, null);
    for (const again of [1, 2]) {
      const back = await undo(ctx, { confirm: true, force: true });
      assert.deepEqual(
        [
          again,
          back.undoes,
          back.commands,
          (await history(ctx)).map(({ outcome, undo: how }) => [outcome, how]),
        ],
        [again, done.id, [], [['applied', null]]],
      );
      assert.match(
        back.warnings.join('\n'),
        /unknown: evictionTarget[\s\S]*No setting of the change \S+ can be undone/,
      );
    }
    assert.equal(await lastString(server), 'eviction_target=79');
  });

  it('what can be read is brought back, and the rest is not called undone', async () => {
    const ctx = await blind();
    const change = { cacheSizeGB: 0.5, evictionTarget: 78 };
    await assert.rejects(
      apply(ctx, change, DO),
      (error) => error.code === 'TUNE-30003' && /hostInfo/.test(error.message),
    );
    const { id } = await apply(ctx, change, { ...DO, force: true });
    const back = await undo(ctx, { confirm: true, force: true });
    assert.deepEqual(
      back.commands.map((one) => one.wiredTigerEngineRuntimeConfig.trimEnd()),
      ['cache_size=256M'],
    );
    assert.match(back.warnings.join('\n'), /unknown: evictionTarget\. It keeps/);
    assert.deepEqual(
      (await history(ctx)).map(({ outcome }) => outcome),
      ['partly-undone', 'applied'],
    );
    await assert.rejects(
      undo(ctx),
      (error) =>
        error.code === 'TUNE-30007' &&
        error.message.includes(`The change ${id} is only partly undone: evictionTarget`),
    );
  });

  it('set back by others as far as it can be read: the rest is not called undone either', async () => {
    const ctx = await blind();
    await apply(ctx, { cacheSizeGB: 0.5, evictionTarget: 77 }, { ...DO, force: true });
    await setExternally(server, 'cache_size=256M');
    assert.deepEqual((await undo(ctx, { confirm: true, force: true })).commands, []);
    assert.deepEqual(
      (await history(ctx)).map(({ outcome, reason }) => [outcome, reason]),
      [['partly-undone', 'not restored: evictionTarget']],
    );
  });
});

describe('apply where it cannot be', () => {
  it('each member of a replica set is set by itself', async () => {
    const set = await startReplicaSet({ members: 2 });
    const home = temporaryFolder('home');
    const [one, other] = await Promise.all(set.hosts.map((host) => set.connect(set.uriOf(host))));
    const ctx = contextOf(one, { home: home.path });
    const done = await apply(ctx, { evictionThreadsMax: 8 }, DO);
    assert.equal(done.verified, true);
    assert.equal((await config(contextOf(other, { home: home.path }))).evictionThreadsMax.value, 4);
    await assert.rejects(undo(contextOf(other, { home: home.path }), done.id ?? '', DO), {
      code: 'TUNE-20010',
    });
    await assert.rejects(
      apply(contextOf(other, { home: home.path }), {
        host: done.host,
        change: { evictionTarget: 70 },
      }),
      { code: 'TUNE-20010' },
    );
    assert.deepEqual(
      [
        (await history(contextOf(other, { home: home.path }))).length,
        (await history(contextOf(other, { home: home.path }), { all: true })).length,
      ],
      [0, 1],
    );
    home.remove();
    await set.stop();
  });

  it('a server without WiredTiger', async () => {
    const server = await startServer({ engine: 'ephemeralForTest' });
    for (const command of [
      () => apply(contextOf(server.client), { evictionTarget: 70 }),
      () => config(contextOf(server.client)),
      () => undo(contextOf(server.client)),
    ])
      await assert.rejects(command(), { code: 'TUNE-20002' });
    await server.stop();
  });
});
