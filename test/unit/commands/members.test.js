'use strict';

const assert = require('node:assert/strict');
const { run: members } = require('../../../lib/commands/members');
const { run: apply } = require('../../../lib/commands/apply');
const { run: undo } = require('../../../lib/commands/undo');
const { run: drift } = require('../../../lib/commands/drift');
const { run: status } = require('../../../lib/commands/status');
const { run: advise } = require('../../../lib/commands/advise');
const { bind } = require('../../../lib/shell/tune');
const { listCommands } = require('../../../lib/shell/registry');
const { temporaryFolder } = require('../../support/cleanup');
const {
  recordedCluster,
  contextOn,
  portOf,
  memberAnswers,
  refusal,
  lost,
  NOW,
} = require('../../support/cluster');

const COMMANDS = listCommands();
const QUICK = Object.freeze({ seconds: 0.1 });

describe('through a mongos, as it answers at the port', () => {
  it('finds every shard and looks at each member', async () => {
    const ctx = contextOn(recordedCluster());
    const seen = await members(ctx, QUICK);
    assert.deepEqual([seen.kind, seen.exitCode, seen.notes], ['sharded cluster', 0, []]);
    assert.deepEqual(
      seen.sets.map(({ shard, name, members: all }) => [
        shard,
        name,
        ...all.map(({ host, role, reached }) => `${host} ${role} ${reached}`),
      ]),
      [
        ['shard1', 'rs1', 'a1:1 primary true', 'a2:1 secondary true', 'a3:1 secondary true'],
        ['shard2', 'rs2', 'b1:1 primary true', 'b2:1 secondary true', 'b3:1 secondary true'],
      ],
    );
    assert.ok(
      ['a1:1', 'b3:1'].every((host) => ctx.closed.includes(host)),
      'every connection is closed',
    );
    const text = String(seen);
    assert.match(text, /^sharded cluster {2}2 shards\nshard1 \(rs1\) {2}3 members/);
    assert.ok(
      text.split('\n').every((line) => line.length <= 80),
      text,
    );
  });

  it('a shard of which nobody answers, and one that is no replica set', async () => {
    const cluster = recordedCluster();
    for (const host of ['b1:1', 'b2:1', 'b3:1']) cluster.members.delete(host);
    const lone = {
      ...memberAnswers('', ['d1:1'], 'd1:1'),
      hello: { isWritablePrimary: true, ok: 1 },
    };
    cluster.members.set('d1:1', lone);
    cluster.mongos.listShards.shards.push({ _id: 'shard3', host: 'd1:1' }, { _id: 'shard4' });
    const seen = await members(contextOn(cluster), QUICK);
    assert.deepEqual(
      seen.sets.map(({ shard, members: all }) => [shard, all.map(({ reached }) => reached)]),
      [
        ['shard1', [true, true, true]],
        ['shard2', [false, false, false]],
        ['shard3', [true]],
      ],
    );
    assert.match(seen.notes.join(), /No member of shard shard2 answers: .*ENOTFOUND/);
    assert.match(String(seen.sets[1].members[0].why), /ENOTFOUND b1:1/);
    assert.deepEqual(
      seen.sets[1].findings
        .filter(({ rule }) => rule === 'member-reach')
        .map(({ status: how }) => how),
      ['info', 'info', 'info'],
    );
  });

  it('asks for the map of shards where listShards is refused, and leaves out the config servers', async () => {
    const cluster = recordedCluster();
    cluster.mongos.listShards = refusal();
    assert.deepEqual(
      (await members(contextOn(cluster), QUICK)).sets.map(({ shard }) => shard),
      ['shard1', 'shard2'],
    );
    cluster.mongos.getShardMap = refusal();
    await assert.rejects(
      members(contextOn(cluster), QUICK),
      (error) => error.code === 'TUNE-20005' && /listShards/.test(error.message),
    );
    cluster.mongos.getShardMap = lost();
    await assert.rejects(members(contextOn(cluster), QUICK), { code: 'TUNE-20006' });
    cluster.mongos.listShards = lost();
    await assert.rejects(members(contextOn(cluster), QUICK), { code: 'TUNE-20006' });
  });

  it('a member that never answers is a row that says so, and holds nobody up', async () => {
    const cluster = recordedCluster();
    const ctx = contextOn(cluster);
    const { connect } = ctx;
    const stop = new AbortController();
    ctx.signal = stop.signal;
    ctx.connect = async (host) => (host === 'a2:1' ? new Promise(() => {}) : connect(host));
    setTimeout(() => stop.abort(), 700);
    const seen = await members(ctx, QUICK);
    assert.match(String(seen.sets[0].members[1].why), /Interrupted/);
    assert.equal(seen.sets[0].members[1].reached, false);
  });

  it('a change on every shard, primaries last in each', async () => {
    const shown = await apply(
      contextOn(recordedCluster()),
      { evictionThreadsMax: 6 },
      { members: 'all' },
    );
    assert.deepEqual(
      [shown.dryRun, shown.order],
      [true, ['a2:1', 'a3:1', 'a1:1', 'b2:1', 'b3:1', 'b1:1']],
    );
    const cluster = recordedCluster();
    /** @type {string[]} */ const set = [];
    for (const [host, answers] of cluster.members) {
      let last = '';
      answers.setParameter = (command) => {
        set.push(host);
        last = command.wiredTigerEngineRuntimeConfig;
        return { was: '', ok: 1 };
      };
      answers.getParameter = (command) =>
        command.getParameter === '*'
          ? { ok: 1 }
          : {
              wiredTigerEngineRuntimeConfig: last,
              syncdelay: 60,
              journalCommitInterval: 100,
              ok: 1,
            };
    }
    const home = temporaryFolder('home');
    const ctx = contextOn(cluster, { home: home.path });
    const done = await apply(ctx, { evictionThreadsMax: 6 }, { members: 'all', confirm: true });
    assert.deepEqual([set, done.verified], [shown.order, true]);
    assert.equal(done.undo, `tune.undo("${done.id}", { confirm: true })`);
    const back = await undo(ctx, done.id, { confirm: true, force: true });
    assert.deepEqual([back.undoes, back.order, set.length], [done.id, shown.order, 12]);
    home.remove();
  });

  for (const [name, args, say] of /** @type {[string, unknown[], RegExp][]} */ ([
    ['status', [], /tune\.status is about one mongod, and this is a mongos: tune\.members\(\)/],
    ['advise', [{ seconds: 0.1, includeMembers: true }], /tune\.members\(\{ advise: true \}\)/],
    ['apply', [{ evictionThreadsMax: 6 }], /\{ members: "all" \}/],
    ['settings', [], /shows the settings of each member/],
    ['undo', [], /by its id/],
    ['drift', [], /connect to one member to compare/],
  ])) {
    it(`tune.${name} says what to do instead`, async () => {
      const cluster = recordedCluster();
      const { port, connect } = contextOn(cluster);
      const place = {
        send: (_database, command) => port.adminCommand(command),
        home: temporaryFolder('home').path,
        terminal: { isTTY: false, columns: 80, write() {} },
        progress: () => () => {},
        guard: (job) => job.run(new AbortController().signal),
        address: () => ({ uri: '', options: {} }),
        connect,
      };
      await assert.rejects(
        /** @type {any} */ (bind(COMMANDS[name], /** @type {any} */ (place), () => {}))(...args),
        (error) => {
          assert.match(error.message, say);
          return error.code === 'TUNE-20003';
        },
      );
    });
  }
});

describe('a replica set at the port', () => {
  const set = (change = (_answers, _host) => {}) => {
    const cluster = recordedCluster();
    for (const [host, answers] of cluster.members) change(answers, host);
    return {
      ...contextOn(cluster),
      port: portOf(/** @type {any} */ (cluster.members.get('a1:1'))),
    };
  };

  it('makes do where neither states nor the configuration may be read', async () => {
    const seen = await members(
      set((answers) => {
        answers.replSetGetStatus = refusal();
        answers.replSetGetConfig = refusal();
        answers.hello.arbiters = ['a9:1'];
      }),
      QUICK,
    );
    assert.deepEqual(
      seen.sets[0].members.map(({ host, role, votes }) => [host, role, votes]),
      [
        ['a1:1', 'primary', null],
        ['a2:1', 'secondary', null],
        ['a3:1', 'secondary', null],
        ['a9:1', 'arbiter', null],
      ],
    );
    assert.equal(seen.notes.length, 2);
    assert.match(String(seen), /arbiter/);
  });
  it('the connection is lost', async () => {
    await assert.rejects(
      members(
        set((answers) => {
          answers.replSetGetStatus = lost();
        }),
        QUICK,
      ),
      { code: 'TUNE-20006' },
    );
  });
  it('down, delayed, in another state; slaveDelay of 4.4; no heartbeat configured', async () => {
    const seen = await members(
      set((answers) => {
        Object.assign(answers.replSetGetStatus.members[1], {
          health: 0,
          stateStr: '(not reachable/healthy)',
          optimeDate: new Date(0),
          lastHeartbeatMessage: 'Connection refused',
        });
        Object.assign(answers.replSetGetStatus.members[2], { stateStr: 'RECOVERING' });
        delete answers.replSetGetStatus.majorityVoteCount;
        delete answers.replSetGetStatus.optimes;
        answers.replSetGetConfig = {
          config: {
            members: [{ host: 'a1:1' }, { host: 'a2:1' }, { host: 'a3:1', slaveDelay: 60 }],
          },
        };
      }),
      QUICK,
    );
    const [, second, third] = seen.sets[0].members;
    assert.deepEqual(
      [second.role, second.isUp, second.lagSeconds, third.role, third.delaySeconds],
      ['down', false, null, 'recovering', 60],
    );
    assert.deepEqual(
      seen.sets[0].findings
        .filter(({ status: how }) => how === 'warning')
        .map(({ key }) => key)
        .sort(),
      ['member-reach:a2:1', 'member-state:a3:1'],
    );
    assert.equal(seen.exitCode, 1);
  });
  it('drift: options and parameters that may not be read, and a member that does not answer', async () => {
    const ctx = set((answers, host) => {
      if (host === 'a1:1')
        Object.assign(answers, { getCmdLineOpts: refusal(), getParameter: refusal() });
    });
    const { connect } = ctx;
    ctx.connect = async (host) => {
      if (host === 'a3:1') throw lost();
      return connect(host);
    };
    const seen = await drift(ctx);
    assert.deepEqual([seen.drift, seen.comparedWith, seen.exitCode], [[], ['a2:1'], 0]);
    assert.match(
      seen.notes.join('\n'),
      /The start-up options of a1:1 cannot be read[^]*The parameters of a1:1 cannot be read[^]*a3:1 is not compared/,
    );
    assert.match(String(seen), /\nDRIFT {8}none\n/);
    await assert.rejects(
      drift(
        set((answers) => {
          answers.getCmdLineOpts = lost();
        }),
      ),
      { code: 'TUNE-20006' },
    );
  });
  /**
   * How far behind the others are, one telling after the other; the last stays.
   * @param {number[]} lags in seconds
   */
  const telling = (...lags) =>
    set((answers, host) => {
      if (host !== 'a1:1') return;
      const { replSetGetStatus: reported } = answers;
      let n = 0;
      answers.replSetGetStatus = () => {
        const then = new Date(NOW.getTime() - lags[Math.min(n++, lags.length - 1)] * 1000);
        return {
          ...reported,
          optimes: { lastCommittedWallTime: then },
          members: reported.members.map((/** @type {object} */ one, /** @type {number} */ i) =>
            i === 0 ? one : { ...one, optimeDate: then },
          ),
        };
      };
    });
  const graveOf = (/** @type {{ status: string, key: string }[]} */ findings) =>
    findings
      .filter(({ status: how }) => how === 'warning' || how === 'critical')
      .map(({ key }) => key)
      .sort();
  it('who lacks only the empty entry that an idle set writes now and then does not lag', async () => {
    const seen = await members(telling(10, 0), QUICK);
    assert.deepEqual(
      [
        graveOf(seen.sets[0].findings),
        seen.exitCode,
        seen.sets[0].majorityLagSeconds,
        seen.sets[0].members.map(({ lagSeconds }) => lagSeconds),
      ],
      [[], 0, 0, [null, 0, 0]],
    );
    const advice = await advise(telling(0, 10, 0), {
      seconds: 0.2,
      includeMembers: true,
      includeHost: false,
    });
    assert.deepEqual(graveOf(advice.findings), []);
  });
  it('who lags does so still when asked again', async () => {
    const seen = await members(telling(14, 12), QUICK);
    assert.deepEqual(
      [graveOf(seen.sets[0].findings), seen.exitCode, seen.sets[0].members[1].lagSeconds],
      [['member-lag:a2:1', 'member-lag:a3:1', 'member-majority:a2:1'], 1, 12],
    );
    assert.deepEqual(
      graveOf(
        (await advise(telling(0, 12), { seconds: 0.2, includeMembers: true, includeHost: false }))
          .findings,
      ),
      ['member-lag:a2:1', 'member-lag:a3:1', 'member-majority:a2:1'],
    );
  });
  it('what was told first counts where there is no second telling', async () => {
    const ctx = telling(12);
    const { adminCommand } = ctx.port;
    let asked = 0;
    ctx.port = {
      ...ctx.port,
      adminCommand: async (/** @type {Record<string, unknown>} */ command) => {
        if (command.replSetGetStatus && asked++ > 0) throw lost();
        return adminCommand(command);
      },
    };
    assert.deepEqual(graveOf((await members(ctx, QUICK)).sets[0].findings), [
      'member-lag:a2:1',
      'member-lag:a3:1',
      'member-majority:a2:1',
    ]);
  });
  it('advise: a server in no set says that there are no others', async () => {
    const lone = {
      ...memberAnswers('', ['d1:1'], 'd1:1'),
      hello: { isWritablePrimary: true, ok: 1 },
    };
    const ctx = { ...set(), port: portOf(lone) };
    assert.match(
      (await advise(ctx, { seconds: 0.2, includeMembers: true, includeHost: false })).notes.join(),
      /not in a replica set/,
    );
    const seen = await members(ctx, QUICK);
    assert.deepEqual(
      [seen.kind, seen.sets[0].members.length, seen.sets[0].members[0].host],
      ['standalone', 1, 'd1:1'],
    );
    assert.equal((await status(ctx, QUICK)).role, 'standalone');
  });
});
