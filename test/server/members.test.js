'use strict';

const assert = require('node:assert/strict');
const { spawn } = require('node:child_process');
const { once } = require('node:events');
const fs = require('node:fs');
const path = require('node:path');
const { startReplicaSet } = require('../support/server');
const { contextOf } = require('../support/context');
const { throwAwayCertificate } = require('../support/certificate');
const { temporaryFolder } = require('../support/cleanup');
const { skipIf } = require('../support/skip');
const { startWorkload } = require('../support/workload');
const { unfinishedChanges } = require('../../lib/change/unfinished-changes');
const { run: members } = require('../../lib/commands/members');
const { run: advise } = require('../../lib/commands/advise');
const { run: apply } = require('../../lib/commands/apply');
const { run: undo } = require('../../lib/commands/undo');
const { run: history } = require('../../lib/commands/history');
const { run: drift } = require('../../lib/commands/drift');
const { run: status } = require('../../lib/commands/status');

const DO = Object.freeze({ confirm: true });
const ALL = Object.freeze({ members: /** @type {const} */ ('all'), confirm: true });
const CHANGE = Object.freeze({ evictionThreadsMax: 6 });
const LIMIT_MS = 180_000;
// A load takes a while until it is what it will be, a lag until it counts, a set until it is whole
// again.
const ATTEMPTS = 30;

describe('the members of a replica set with users and TLS', function () {
  this.timeout(LIMIT_MS);
  /** @type {Awaited<ReturnType<typeof startReplicaSet>>} */ let server;
  /** @type {ReturnType<typeof throwAwayCertificate>} */ let certificate;
  /** @type {{ path: string, remove(): void }} */ let home;
  /** @type {{ stop(): Promise<void> }[]} */ const loads = [];
  const context = (options = {}) => contextOf(server.client, { home: home.path, ...options });
  const at = async (/** @type {string} */ host) =>
    (await server.connect(server.uriOf(host))).db('admin');
  const threads = async (ctx = context()) =>
    (await members(ctx, { seconds: 0.1 })).sets[0].members.map(
      ({ settings }) => settings?.evictionThreadsMax?.value,
    );
  const findings = async (ctx = context()) =>
    (await members(ctx, { seconds: 0.1 })).sets[0].findings.filter(
      ({ status: how }) => how !== 'ok',
    );
  const noneFound = async () => {
    for (let attempts = 1; ; attempts += 1) {
      const found = await findings();
      if (found.length === 0) return;
      assert.ok(attempts < ATTEMPTS, JSON.stringify(found));
    }
  };
  /**
   * A connection to each member that minds what is sent.
   * @param {(host: string, command: any) => void} before
   */
  const minding = (before, options = {}) => {
    const ctx = context(options);
    return {
      ...ctx,
      connect: async (/** @type {string} */ host) => {
        const connected = await ctx.connect(host);
        return {
          ...connected,
          port: {
            ...connected.port,
            adminCommand: async (/** @type {any} */ command) => {
              before(host, command);
              return connected.port.adminCommand(command);
            },
          },
        };
      },
    };
  };

  before(async () => {
    certificate = throwAwayCertificate();
    server = await startReplicaSet({
      members: [{}, { priority: 0 }, { priority: 0, hidden: true, votes: 0 }],
      auth: true,
      args: certificate?.args ?? [],
    });
    await server.adminCommand({ setDefaultRWConcern: 1, defaultWriteConcern: { w: 1 } });
  });
  after(() => server?.stop());
  beforeEach(() => {
    home = temporaryFolder('home');
  });
  afterEach(async () => {
    await Promise.all(loads.splice(0).map((load) => load.stop()));
    home.remove();
  });

  it("each is looked at with the user's own credentials: state, lag, cache, machine, settings", async () => {
    const uri = await server.addUser('looker', ['clusterMonitor']);
    const ctx = contextOf(await server.connect(uri), { home: home.path });
    const seen = await members(ctx);
    assert.deepEqual(
      [seen.kind, seen.sets.length, seen.sets[0].name, seen.sets[0].majority],
      ['replica set', 1, 'tune', 2],
    );
    const rows = seen.sets[0].members;
    assert.deepEqual(
      rows.map(({ host, role, isHidden, votes, priority }) => [
        host,
        role,
        isHidden,
        votes,
        priority,
      ]),
      [
        [server.hosts[0], 'primary', false, 1, 1],
        [server.hosts[1], 'secondary', false, 1, 0],
        [server.hosts[2], 'secondary', true, 0, 0],
      ],
    );
    for (const {
      reached,
      version,
      cache,
      cores,
      memoryBytes,
      settings,
      options,
    } of /** @type {any[]} */ (rows)) {
      assert.deepEqual(
        [reached, version, cache.maxBytes, settings.evictionThreadsMax.value, options],
        [true, server.version, 256 * 2 ** 20, 4, undefined],
      );
      assert.ok(cores > 0 && memoryBytes > 2 ** 30 && cache.usedRatio > 0);
    }
    assert.ok(Number(rows[1].lagSeconds) < 10);
    assert.deepEqual(
      seen.sets[0].findings.filter(({ status: how }) => how !== 'ok'),
      [],
    );
    assert.match(String(seen), /hidden, no vote/);
    const lone = await members(
      contextOf(await server.connect(server.uriOf(server.hosts[2])), { home: home.path }),
    );
    assert.deepEqual(
      lone.sets[0].members.map(({ reached }) => reached),
      [true, true, true],
      'over a direct connection to a hidden member',
    );
  });

  it('a user that may look at nothing learns of no more than the names', async () => {
    const ctx = contextOf(await server.connect(await server.addUser('nobody', [])), {
      home: home.path,
    });
    const seen = await members(ctx);
    assert.deepEqual(
      seen.sets[0].members.map(({ reached }) => reached),
      [false, false],
    );
    assert.match(String(seen.sets[0].members[0].why), /clusterMonitor/);
    assert.match(seen.notes.join(), /replSetGetStatus.*replSetGetConfig/);
    assert.doesNotMatch(JSON.stringify(seen) + String(seen), /nobody-password|root-password/);
  });

  it('in what they differ: settings, parameters; nothing after the cure', async () => {
    const second = await at(server.hosts[1]);
    await second.command({
      setParameter: 1,
      wiredTigerEngineRuntimeConfig: 'eviction=(threads_max=7)',
    });
    await second.command({ setParameter: 1, ttlMonitorSleepSecs: 33 });
    const found = await findings();
    assert.deepEqual(found.map(({ key, status: how }) => [key, how]).sort(), [
      ['member-parameters:ttlMonitorSleepSecs', 'warning'],
      ['member-settings:evictionThreadsMax', 'warning'],
    ]);
    const rows = (await drift(context())).drift;
    assert.deepEqual(
      rows.map(({ kind, name, running, other, hosts }) => [kind, name, running, other, hosts]),
      [
        ['members', 'ttlMonitorSleepSecs', '60', '33', [server.hosts[1]]],
        ['members', 'evictionThreadsMax', '4', '7', [server.hosts[1]]],
      ],
    );
    const there = await drift(
      contextOf(await server.connect(server.uriOf(server.hosts[1])), { home: home.path }),
    );
    assert.deepEqual(
      there.drift.map(({ kind, name }) => [kind, name]),
      [
        ['runtime', 'evictionThreadsMax'],
        ['members', 'ttlMonitorSleepSecs'],
        ['members', 'evictionThreadsMax'],
      ],
    );
    assert.equal(there.exitCode, 1);
    await second.command({
      setParameter: 1,
      wiredTigerEngineRuntimeConfig: 'eviction=(threads_max=4)',
    });
    await second.command({ setParameter: 1, ttlMonitorSleepSecs: 60 });
    await noneFound();
  });

  it('one change on all of them, shown first, secondaries first, undone as one', async () => {
    const [primary, second, third] = server.hosts;
    const shown = await apply(context(), CHANGE, { members: 'all' });
    assert.deepEqual(
      [shown.dryRun, shown.id, shown.order, shown.confirm],
      [
        true,
        null,
        [second, third, primary],
        'tune.apply({ evictionThreadsMax: 6 }, { members: "all", confirm: true })',
      ],
    );
    assert.deepEqual(await threads(), [4, 4, 4]);

    /** @type {string[]} */ const sent = [];
    const done = await apply(
      minding((host, command) => {
        if (command.setParameter) sent.push(host);
      }),
      CHANGE,
      ALL,
    );
    assert.deepEqual(
      [sent, done.verified, await threads()],
      [[second, third, primary], true, [6, 6, 6]],
    );
    const [{ group, undo: typed }] = await history(context());
    assert.deepEqual([group, typed], [done.id, `tune.undo("${done.id}", { confirm: true })`]);
    assert.equal((await apply(context(), CHANGE, ALL)).id, null, 'nothing to set');

    const back = await undo(
      contextOf(await server.connect(server.uriOf(third)), { home: home.path }),
      done.id,
      DO,
    );
    assert.deepEqual([back.undoes, back.verified, await threads()], [done.id, true, [4, 4, 4]]);
    await assert.rejects(undo(context(), done.id, DO), { code: 'TUNE-30007' });
    await undo(context(), back.id, DO);
    assert.deepEqual(await threads(), [6, 6, 6], 'an undo is undone by its own id');
    await undo(context(), DO);
    assert.deepEqual(await threads(), [4, 4, 4]);
  });

  it('on some of them', async () => {
    const [, second, third] = server.hosts;
    const done = await apply(context(), CHANGE, { members: 'secondaries', confirm: true });
    assert.deepEqual(
      [done.order, await threads()],
      [
        [second, third],
        [4, 6, 6],
      ],
    );
    await undo(context(), done.id, DO);
    await assert.rejects(apply(context(), CHANGE, { members: ['elsewhere:1'] }), {
      code: 'TUNE-10003',
    });
    await assert.rejects(
      apply(context(), CHANGE, { members: /** @type {any} */ ('max') }),
      (error) =>
        error.code === 'TUNE-10002' && /"all", "secondaries" or a list/.test(error.message),
    );
    assert.deepEqual((await apply(context(), CHANGE, { members: [third] })).order, [third]);
  });

  it('a member that refuses stops it, and takes back the others', async () => {
    const [primary, second, third] = server.hosts;
    const ctx = minding((host, command) => {
      if (host === primary && /threads_max=6/.test(command.wiredTigerEngineRuntimeConfig))
        throw Object.assign(new Error('not today'), { name: 'MongoServerError', code: 2 });
    });
    await assert.rejects(apply(ctx, CHANGE, ALL), (error) => {
      assert.match(
        error.message,
        new RegExp(
          `WiredTiger rejected.*Stopped at ${primary} \\(3 of 3\\)\\. Undone on ${third} ` +
            `and ${second}\\. All members have their previous settings\\.`,
        ),
      );
      return error.code === 'TUNE-20008';
    });
    assert.deepEqual(await threads(), [4, 4, 4]);
    assert.deepEqual(
      (await history(context(), { all: true })).filter(
        ({ action, undo: way }) => action === 'apply' && way !== null,
      ),
      [],
    );
  });

  it('a user that may not change them changes none', async () => {
    const ctx = contextOf(
      await server.connect(await server.addUser('reader', ['clusterMonitor'])),
      { home: home.path },
    );
    await assert.rejects(
      apply(ctx, CHANGE, ALL),
      (error) =>
        error.code === 'TUNE-20005' &&
        /Stopped at .* \(1 of 3\)\. All members have their previous settings/.test(error.message),
    );
    assert.deepEqual(await threads(), [4, 4, 4]);
    const allowed = contextOf(
      await server.connect(await server.addUser('changer', ['clusterMonitor', 'hostManager'])),
      { home: home.path },
    );
    const { id } = await apply(allowed, CHANGE, ALL);
    await undo(allowed, id, DO);
    assert.deepEqual(await threads(), [4, 4, 4]);
  });

  it('"all" needs a user that is told of hidden members; named ones do not', async () => {
    const may = async (/** @type {string} */ name, /** @type {string[]} */ ...more) => {
      const actions = ['serverStatus', 'getParameter', 'setParameter', 'getLog', 'getCmdLineOpts'];
      await server.addRole(name, [
        { resource: { cluster: true }, actions: [...actions, 'hostInfo', ...more] },
      ]);
      const client = await server.connect(await server.addUser(`${name}-user`, [name]));
      return contextOf(client, { home: home.path });
    };
    const [primary, second, third] = server.hosts;
    const few = await may('few');
    await assert.rejects(
      apply(few, CHANGE, ALL),
      (error) =>
        error.code === 'TUNE-20005' &&
        error.message.includes(`{ members: ["${primary}", "${second}"] }`),
    );
    const named = await apply(few, CHANGE, { members: [primary, second] });
    assert.match(named.warnings.join(), /replSetGetStatus.*replSetGetConfig/);
    const shown = await apply(await may('configured', 'replSetGetConfig'), CHANGE, {
      members: 'all',
    });
    assert.deepEqual(shown.order, [second, third, primary]);
    assert.deepEqual(await threads(), [4, 4, 4]);
  });

  it('Ctrl-C between two members leaves nothing half done', async () => {
    const stop = new AbortController();
    const ctx = minding(
      (host, command) => {
        if (command.setParameter && host === server.hosts[2]) stop.abort();
      },
      { signal: stop.signal },
    );
    await assert.rejects(
      apply(ctx, CHANGE, ALL),
      (error) =>
        error.code === 'TUNE-30009' &&
        /Undone on .* and .*\. All members have their previous settings/.test(error.message),
    );
    assert.deepEqual(await threads(), [4, 4, 4]);
  });

  it('what a killed shell left half done is told, and undone from the journal', async () => {
    const child = spawn(
      process.execPath,
      [
        path.join(__dirname, '../support/dying-group.js'),
        server.uri,
        home.path,
        '2',
        JSON.stringify(CHANGE),
      ],
      { stdio: 'inherit' },
    );
    await once(child, 'exit');
    assert.deepEqual(await threads(), [4, 6, 6]);
    assert.equal(unfinishedChanges(home.path).length > 0, true);
    const shown = await undo(context());
    assert.deepEqual(
      [shown.dryRun, shown.order],
      [true, [server.hosts[1], server.hosts[2]]],
      'found from the primary, which it never came to',
    );
    assert.match(shown.warnings.join(), new RegExp(`before it reached ${server.hosts[0]}`));
    assert.equal((await undo(context(), DO)).verified, true);
    assert.deepEqual(await threads(), [4, 4, 4]);
    assert.deepEqual(unfinishedChanges(home.path), []);
  });

  it('the secondary that holds the majority back is named, and goes when it is cured', async () => {
    const [, second] = server.hosts;
    const locked = await at(second);
    const advice = async () =>
      advise(context(), { seconds: 4, includeMembers: true, includeHost: false });
    const until = async (
      /** @type {(seen: Awaited<ReturnType<typeof advice>>) => boolean} */ test,
    ) => {
      for (let attempts = 1; ; attempts += 1) {
        const seen = await advice();
        if (test(seen)) return seen;
        assert.ok(attempts < ATTEMPTS, String(seen));
      }
    };
    loads.push(await startWorkload(server.uri, 'touch'));
    await locked.command({ fsync: 1, lock: true });
    try {
      const seen = await until(({ bottleneck }) => bottleneck === 'history');
      assert.match(
        seen.because,
        new RegExp(`^The majority of tune lags by .* because of ${second} \\(secondary, lag `),
        String(seen),
      );
      assert.equal(seen.change, null);
      assert.match(seen.explain.join(' '), new RegExp(second));
      assert.ok(
        seen.findings.some(
          ({ key, status: how }) => key === `member-majority:${second}` && how === 'warning',
        ),
        String(seen),
      );
      assert.match(String(seen), /MEMBERS +state +lag +bottleneck/);
    } finally {
      await locked.command({ fsyncUnlock: 1 });
    }
    await until(
      ({ bottleneck, findings: found }) =>
        bottleneck !== 'history' && !found.some(({ rule }) => rule === 'member-majority'),
    );
  });

  it('one that does not answer is a row that says why, and holds nobody up', async () => {
    const [, , third] = server.hosts;
    const { pid } = await (await at(third)).command({ serverStatus: 1 });
    process.kill(Number(pid), 'SIGSTOP');
    try {
      const started = performance.now();
      const seen = await members(context());
      assert.ok(performance.now() - started < 30_000);
      const rows = seen.sets[0].members;
      assert.deepEqual(
        rows.map(({ reached }) => reached),
        [true, true, false],
      );
      assert.ok(rows[2].why, 'it says why');
      await assert.rejects(apply(context(), CHANGE, ALL), (error) =>
        new RegExp(`This is about ${third}; nothing was changed on any member`).test(error.message),
      );
      const { id } = await apply(context(), CHANGE, { members: [server.hosts[1]], confirm: true });
      await undo(context(), id, DO);
    } finally {
      process.kill(Number(pid), 'SIGCONT');
    }
    await noneFound();
  });

  it('with requireTLS, and the certificate of the connection string', async function () {
    skipIf(this, certificate === null ? 'no openssl' : null);
    await Promise.all(
      server.hosts.map(async (host) =>
        (await at(host)).command({ setParameter: 1, tlsMode: 'requireTLS' }),
      ),
    );
    const client = await server.connect(`${server.uri}&${certificate?.query}`);
    await assert.rejects(
      server.connect(`${server.uriOf(server.hosts[0])}&serverSelectionTimeoutMS=2000`),
      'without TLS nobody gets in any more',
    );
    const seen = await members(contextOf(client, { home: home.path }));
    assert.deepEqual(
      seen.sets[0].members.map(({ reached }) => reached),
      [true, true, true],
      String(seen),
    );
    const { id, verified } = await apply(contextOf(client, { home: home.path }), CHANGE, ALL);
    assert.equal(verified, true);
    assert.equal((await undo(contextOf(client, { home: home.path }), id, DO)).verified, true);
    assert.doesNotMatch(
      fs.readFileSync(path.join(home.path, 'journal.ndjson'), 'utf8'),
      /root-password/,
    );
    assert.equal(
      (await status(contextOf(client, { home: home.path }), { seconds: 0.1 })).role,
      'primary',
    );
  });
});
