'use strict';

const assert = require('node:assert/strict');
const { useTrialServer, onProgress, assertPaired } = require('../../support/trial');
const { beforeCall } = require('../../support/beside');
const { interrupted } = require('../../../lib/base/context');
const { setExternally, lastString } = require('../../support/engine');
const { startReplicaSet } = require('../../support/server');
const { contextOf } = require('../../support/context');
const { temporaryFolder } = require('../../support/cleanup');
const { startLoad } = require('../../support/load');
const { run: trial } = require('../../../lib/commands/trial');
const { run: config } = require('../../../lib/commands/settings');
const { run: history } = require('../../../lib/commands/history');
const { run: undo } = require('../../../lib/commands/undo');

/**
 * @import { MongoClient } from 'mongodb'
 */

const CHANGE = Object.freeze({ evictionThreadsMax: 6 });
const IN_B = /^block \d of \d+, B: \d+ of/;
const A_LIMIT_MS = 2000;

describe('a trial that something disturbs', () => {
  const place = useTrialServer('paced');
  const threads = async () => (await config(place.context())).evictionThreadsMax.value;
  beforeEach(() => place.startLoad());

  it('a setting that changes nothing is the same, or nothing is concluded', async () => {
    const done = await place.run(CHANGE, { blocks: 4 });
    assertPaired(done);
    assert.ok(['same', 'inconclusive'].includes(String(done.verdict)), `${done}`);
    assert.deepEqual([done.ended, done.kept, await threads()], ['complete', false, 4]);
    for (const { writeLatencyMs, writeP50Ms, writeP95Ms, writeP99Ms } of done.blocks) {
      assert.ok(
        Number(writeLatencyMs) > 0 &&
          Number(writeP50Ms) > 0 &&
          Number(writeP50Ms) <= Number(writeP95Ms) &&
          Number(writeP95Ms) <= Number(writeP99Ms),
        `${done}`,
      );
    }
  });

  it('the guardrail: A is back within 2 s, and the limits that A does not keep either blame nobody', async () => {
    const ctx = place.context();
    const { adminCommand } = ctx.port;
    /** @type {{ what: string, atMs: number }[]} */ const answered = [];
    ctx.port.adminCommand = async (command) => {
      const answer = await adminCommand(command);
      answered.push({
        what:
          command.wiredTigerEngineRuntimeConfig && command.setParameter
            ? String(command.wiredTigerEngineRuntimeConfig)
            : Object.keys(command)[0],
        atMs: performance.now(),
      });
      return answer;
    };
    const done = await place.run(CHANGE, { guardrail: { writeLatencyMs: 0.001 } }, ctx);
    assert.deepEqual(
      [
        done.ended,
        done.verdict,
        done.kept,
        done.guardrail.broken?.what,
        done.guardrail.broken?.limit,
        done.guardrail.broken?.recovered,
      ],
      ['guardrail', 'inconclusive', false, 'writeLatencyMs', 0.001, false],
    );
    assert.ok(Number(done.guardrail.broken?.backMs) < A_LIMIT_MS, `${done}`);
    const [toB, toA] = answered.filter(({ what }) => what.startsWith('eviction='));
    assert.equal(toA.what.trimEnd(), 'eviction=(threads_max=4)');
    // From the switch on: the first second is too short to judge.
    assert.ok(toA.atMs - toB.atMs < 1000 + 2 * A_LIMIT_MS, `${toA.atMs - toB.atMs} ms in B`);
    assert.match(
      String(done.because),
      /^The guardrail ended the trial: under B mean write latency was \S+ ms, above 0\.001 ms\. A was active again after \S+ s\. A exceeds the limits too/,
    );
    assert.equal(await threads(), 4);
  });

  it('Ctrl-C: A is back, what was seen is told, and nothing stays open', async () => {
    const stop = new AbortController();
    const ctx = onProgress(place.context({ signal: stop.signal }), IN_B, () => stop.abort());
    const done = await place.run(CHANGE, {}, ctx);
    assert.deepEqual(
      [done.verdict, done.ended, done.kept, done.because],
      ['inconclusive', 'interrupted', false, 'Ctrl-C ended the trial.'],
    );
    assert.equal(await threads(), 4);
    assert.deepEqual(
      (await history(place.context())).map(({ action, outcome, undo: back }) => [
        action,
        outcome,
        back,
      ]),
      [['trial', 'undone', null]],
    );
    assert.match(String(done), /RESULT {7}inconclusive\n[^]*A \(before\) .* active now\n/);
  });

  it('somebody sets the same: it stays, and nothing is concluded', async () => {
    const ctx = onProgress(place.context(), IN_B, () => {
      void setExternally(place.server, 'eviction=(threads_max=9)');
    });
    const done = await place.run(CHANGE, {}, ctx);
    assert.deepEqual(
      [done.verdict, done.ended, done.because],
      [
        'inconclusive',
        'disturbed',
        'Another session set "eviction=(threads_max=9)"; it stays as it is.',
      ],
    );
    assert.deepEqual(
      [await threads(), await lastString(place.server)],
      [9, 'eviction=(threads_max=9)'],
    );
  });

  it('somebody sets something else: A is back, and what they set stays', async () => {
    const ctx = onProgress(place.context(), IN_B, () => {
      void setExternally(place.server, 'eviction_target=77');
    });
    const done = await place.run(CHANGE, {}, ctx);
    assert.deepEqual([done.verdict, done.ended], ['inconclusive', 'disturbed']);
    const seen = await config(place.context());
    assert.deepEqual([seen.evictionThreadsMax.value, seen.evictionTarget.value], [4, 77]);
  });

  it('somebody sets the same while the guardrail trips, or Ctrl-C comes: it stays, and B is not blamed', async () => {
    const guarded = place.context();
    const { adminCommand } = guarded.port;
    let switched = false;
    guarded.port.adminCommand = async (command) => {
      const answer = await adminCommand(command);
      if (command.setParameter && !switched) {
        switched = true;
        setTimeout(() => setExternally(place.server, 'eviction=(threads_max=9)'), 100);
      }
      return answer;
    };
    const broken = await place.run(CHANGE, { guardrail: { writeLatencyMs: 0.001 } }, guarded);
    assert.deepEqual(
      [broken.verdict, broken.ended, broken.guardrail.broken, broken.effective, broken.because],
      [
        'inconclusive',
        'disturbed',
        null,
        null,
        'Another session set "eviction=(threads_max=9)"; it stays as it is. A limit ' +
          'of the guardrail was exceeded then.',
      ],
    );
    assert.equal(await threads(), 9);
    await setExternally(place.server, 'eviction=(threads_max=4)');

    const stop = new AbortController();
    const ctx = onProgress(place.context({ signal: stop.signal }), IN_B, () => {
      void setExternally(place.server, 'eviction=(threads_max=9)').then(() => stop.abort());
    });
    const done = await place.run(CHANGE, { blockSeconds: 4 }, ctx);
    assert.deepEqual(
      [done.verdict, done.ended, done.effective, await threads()],
      ['inconclusive', 'disturbed', null, 9],
      `${done}`,
    );
  });

  it(
    'somebody sets something in the moment of a switch, or while a checkpoint is waited for: ' +
      'it is noticed',
    async () => {
      const between = place.context();
      const { adminCommand } = between.port;
      let set = false;
      between.port.adminCommand = async (command) => {
        if (command.setParameter && !set) {
          set = true;
          await setExternally(place.server, 'eviction_target=77');
        }
        return adminCommand(command);
      };
      const done = await place.run(CHANGE, {}, between);
      assert.deepEqual(
        [done.verdict, done.ended, done.because, done.effective],
        ['inconclusive', 'disturbed', 'Another session set "eviction_target=77".', 'A'],
      );
      assert.deepEqual(
        [done.blocks.every(({ setting }) => setting === 'A'), await threads()],
        [true, 4],
      );
      assert.deepEqual(
        done.externalChanges.map(({ values }) => [values.config, values.overwritten]),
        [['eviction_target=77', false]],
      );

      const same = beforeCall(
        place.context(),
        (command) => Boolean(command.setParameter),
        () => setExternally(place.server, 'eviction=(threads_max=9)'),
      );
      const over = await place.run(CHANGE, {}, same);
      assert.deepEqual(
        [
          over.ended,
          over.effective,
          over.externalChanges.map(({ code, values }) => [code, values.config, values.overwritten]),
        ],
        ['disturbed', 'A', [['TUNE-30006', 'eviction=(threads_max=9)', true]]],
      );
      assert.match(
        over.warnings.join(),
        /The trial overwrote "eviction=\(threads_max=9\)", which another session had set: tune\.apply\(\{ evictionThreadsMax: 9 \}\)/,
      );

      const waiting = place.context();
      const ask = waiting.port.adminCommand;
      let attempts = 0;
      waiting.port.adminCommand = async (command) => {
        const answer = await ask(command);
        // A checkpoint for some looks, in the middle of which somebody comes.
        if (
          answer.wiredTiger &&
          waiting.progressed.some((text) => /^first sample, A: 3 of/.test(text ?? '')) &&
          attempts++ < 8
        )
          answer.wiredTiger.transaction['transaction checkpoint currently running'] = 1;
        if (attempts === 4) {
          attempts += 1;
          await setExternally(place.server, 'eviction=(threads_max=9)');
        }
        return answer;
      };
      const other = await place.run(CHANGE, {}, waiting);
      assert.deepEqual(
        [other.ended, other.because, await threads()],
        ['disturbed', 'Another session set "eviction=(threads_max=9)"; it stays as it is.', 9],
      );
    },
  );

  it('what stalls on the way to B breaks the guardrail, too', async () => {
    const ctx = place.context();
    const { adminCommand } = ctx.port;
    /** @type {any} */ let frozen = null;
    /** @type {string[]} */ const sent = [];
    ctx.port.adminCommand = async (command) => {
      const answer = await adminCommand(command);
      if (command.setParameter) sent.push(command.wiredTigerEngineRuntimeConfig);
      // From the first call on its way nothing ends, and 15% of the cache are dirty, until A is
      // back.
      const onTheWay = sent.length > 0 && !sent.at(-1)?.includes('eviction_dirty_trigger=20');
      if (!answer.wiredTiger || !onTheWay) return answer;
      frozen ??= { opcounters: answer.opcounters, opLatencies: answer.opLatencies };
      answer.wiredTiger.cache['tracked dirty bytes in the cache'] =
        answer.wiredTiger.cache['maximum bytes configured'] * 0.15;
      return { ...answer, ...frozen };
    };
    const done = await place.run({ evictionDirtyTarget: 3, evictionDirtyTrigger: 10 }, {}, ctx);
    assert.deepEqual(
      [
        done.ended,
        done.verdict,
        done.guardrail.broken?.what,
        done.guardrail.broken?.kind,
        done.guardrail.broken?.recovered,
        done.effective,
      ],
      ['guardrail', 'inconclusive', 'stall', 'operation', true, 'A'],
      `${done}`,
    );
    assert.match(sent.at(-1) ?? '', /eviction_dirty_target=5,eviction_dirty_trigger=20/);
    assert.ok(Number(done.guardrail.broken?.backMs) < A_LIMIT_MS, `${done}`);
  });

  it('a checkpoint is waited for before a switch', async () => {
    const ctx = place.context();
    const { adminCommand } = ctx.port;
    let [runs, switches] = [0, 0];
    ctx.port.adminCommand = async (command) => {
      const answer = await adminCommand(command);
      if (command.setParameter) switches += 1;
      // A server whose checkpoint runs for some looks, once.
      if (
        answer.wiredTiger &&
        switches === 0 &&
        ctx.progressed.some((text) => /^first sample, A: 3 of/.test(text ?? '')) &&
        runs++ < 8
      )
        answer.wiredTiger.transaction['transaction checkpoint currently running'] = 1;
      return answer;
    };
    const stop = onProgress(ctx, IN_B, () => {
      throw new Error('seen enough');
    });
    await assert.rejects(
      place.run(CHANGE, {}, stop),
      /seen enough The settings are as before the trial\./,
    );
    assert.match(
      ctx.progressed.join('\n'),
      /waiting for the checkpoint: the switch comes after it \(\d+ s; Ctrl-C stops here\)/,
    );
    assert.ok(runs > 8);
    assert.equal(await threads(), 4);
  });

  for (const [what, isAnswered, said] of /** @type {const} */ ([
    [
      'after its call was answered',
      true,
      'Active when the server last answered: { evictionThreadsMax: 4 }',
    ],
    [
      'before its call was answered',
      false,
      'Whether "eviction=(threads_max=4)" is active is not known',
    ],
  ]))
    it(`Ctrl-C that ends its way back, too, ${what}: the error says what is active`, async () => {
      let [isOver, isCut] = [false, false];
      const ctx = onProgress(place.context(), IN_B, () => {
        isOver = true;
      });
      const { adminCommand } = ctx.port;
      ctx.port.adminCommand = async (command) => {
        if (isCut) throw interrupted();
        if (isOver && !command.setParameter) {
          isOver = false;
          throw interrupted();
        }
        const answer = await adminCommand(command);
        if (!/threads_max=4/.test(String(command.wiredTigerEngineRuntimeConfig))) return answer;
        isCut = true;
        if (isAnswered) return answer;
        throw interrupted();
      };
      await assert.rejects(place.run(CHANGE, {}, ctx), (error) => {
        assert.equal(error.code, 'TUNE-30010');
        assert.ok(error.message.includes(said), error.message);
        assert.match(error.message, /Ctrl-C ended the way back/);
        assert.doesNotMatch(error.message, /failed/);
        assert.ok(error.message.includes(`${error.undo} restores the settings before the trial`));
        return true;
      });
      assert.equal(await threads(), 4);
      await undo(place.context(), { confirm: true });
      assert.equal(await threads(), 4);
      assert.equal((await trial(place.context(), CHANGE)).dryRun, true);
    });

  it('a trial that was left open refuses the next, and undo closes it', async () => {
    const ctx = onProgress(place.context(), IN_B, () => {
      ctx.port.adminCommand = async () => {
        throw Object.assign(new Error('gone'), { name: 'MongoNetworkError' });
      };
    });
    await assert.rejects(
      place.run(CHANGE, {}, ctx),
      (error) =>
        error.code === 'TUNE-30010' &&
        /Active when the server last answered: \{ evictionThreadsMax: 6 \}\. tune\.undo\("\S+", \{ confirm: true \}\) restores the settings before the trial\./.test(
          error.message,
        ),
    );
    assert.equal(await threads(), 6);
    await assert.rejects(trial(place.context(), CHANGE), { code: 'TUNE-30010' });
    const back = await undo(place.context(), { confirm: true });
    assert.match(back.warnings[0], /The trial was cut short/);
    assert.deepEqual([back.verified, await threads()], [true, 4]);
    assert.equal((await trial(place.context(), CHANGE)).dryRun, true);
  });

  it('the load stops: nothing is concluded, and A is in effect', async () => {
    const ctx = onProgress(place.context(), /^block 3 of/, () => {
      void place.stopLoad();
    });
    const done = await place.run(CHANGE, {}, ctx);
    assert.equal(done.verdict, 'inconclusive', `${done}`);
    assert.ok(['load', 'guardrail'].includes(String(done.ended)), `${done}`);
    assert.equal(await threads(), 4);
  });

  it('without a load nothing is changed', async () => {
    await place.stopLoad();
    const before = await lastString(place.server);
    const done = await place.run(CHANGE, {});
    assert.deepEqual(
      [done.verdict, done.ended, done.blocks, await lastString(place.server)],
      ['inconclusive', 'load', [], before],
    );
    assert.match(String(done.because), /There is no load/);
  });

  it('the server restarts: its settings are those of the start, and nothing is concluded', async () => {
    /** @type {Promise<void> | undefined} */ let restarted;
    const ctx = onProgress(place.context(), IN_B, () => {
      restarted = place.server.restart();
    });
    const done = await place.run(CHANGE, {}, ctx);
    await restarted;
    assert.equal(done.verdict, 'inconclusive', `${done}`);
    assert.match(String(done.because), /restarted/);
    assert.equal(await threads(), 4);
    assert.deepEqual(
      (await history(place.context())).map(({ undo: back }) => back),
      [null],
    );
  });

  it('wrong arguments', async () => {
    const ctx = place.context();
    for (const [args, code] of /** @type {[any[], string][]} */ ([
      [[undefined], 'TUNE-10004'],
      [[7], 'TUNE-10002'],
      [[{ change: null }], 'TUNE-30008'],
      [[{ nothing: 1 }], 'TUNE-10003'],
      [[{ evictionThreadsMax: 4 }], 'TUNE-30008'],
      [[CHANGE, { blocks: 5 }], 'TUNE-10002'],
      [[CHANGE, { blocks: 2 }], 'TUNE-10002'],
      [[CHANGE, { metric: 'ops' }], 'TUNE-10002'],
      [[CHANGE, { keep: 'always' }], 'TUNE-10002'],
      [[CHANGE, { guardrail: { latency: 7 } }], 'TUNE-10002'],
      [[CHANGE, { guardrail: { errors: 0 } }], 'TUNE-10002'],
      [[CHANGE, { block: 4 }], 'TUNE-10001'],
      [[{ syncdelaySeconds: 15 }], 'TUNE-30008'],
      [[{ change: CHANGE, host: 'elsewhere:1' }], 'TUNE-20010'],
      [[{ cacheSizeGB: 0.01 }], 'TUNE-30003'],
    ]))
      await assert.rejects(trial(ctx, args[0], args[1]), { code }, JSON.stringify(args));
  });
});

describe('a trial on a member of a replica set', function () {
  this.timeout(180_000);
  /** @type {Awaited<ReturnType<typeof startReplicaSet>>} */ let set;
  /** @type {MongoClient} */ let member;
  /** @type {ReturnType<typeof startLoad>} */ let load;
  before(async () => {
    set = await startReplicaSet();
    member = await set.connect(set.uriOf(set.hosts[0]));
    const collection = member.db('x').collection('y');
    load = startLoad(async () => {
      await collection.findOne({}, { readPreference: 'nearest' }).catch(() => {}); // steps down in between
      await new Promise((go) => {
        setTimeout(go, 10);
      });
    });
  });
  after(async () => {
    await load?.stop();
    await set?.stop();
  });

  it('that steps down concludes nothing, and A is in effect', async () => {
    const home = temporaryFolder('home');
    const ctx = onProgress(contextOf(member, { home: home.path }), IN_B, () => {
      void member
        .db('admin')
        .command({ replSetStepDown: 120, force: true })
        .catch(() => {});
    });
    const done = await trial(ctx, CHANGE, { confirm: true, blocks: 4, blockSeconds: 3 });
    assert.deepEqual(
      [done.verdict, done.ended, done.kept, done.effective],
      ['inconclusive', 'disturbed', false, 'A'],
      `${done}`,
    );
    assert.equal(
      done.because,
      'The server was primary when the trial began and is secondary now, so its load ' +
        'has changed.',
    );
    assert.match(
      (await member.db('admin').command({ getParameter: 1, wiredTigerEngineRuntimeConfig: 1 }))
        .wiredTigerEngineRuntimeConfig,
      /threads_max=4/,
    );
    home.remove();
  });

  it('a connection that reaches another member afterwards leaves the entry open, and says where', async () => {
    const home = temporaryFolder('home');
    const ctx = contextOf(member, { home: home.path });
    const { adminCommand } = ctx.port;
    let moved = false;
    ctx.port.adminCommand = async (command) => {
      const answer = await adminCommand(command);
      if (moved && command.hello) answer.topologyVersion = { processId: 'another' };
      if (moved && answer.host) answer.host = 'another:27017';
      return answer;
    };
    const done = await trial(
      onProgress(ctx, IN_B, () => {
        moved = true;
      }),
      CHANGE,
      { confirm: true, blocks: 4, blockSeconds: 2 },
    );
    assert.deepEqual(
      [done.verdict, done.ended, done.effective],
      ['inconclusive', 'gone', null],
      `${done}`,
    );
    assert.match(
      done.warnings.join(),
      new RegExp(
        'B may still be in effect on .*: connect to it with directConnection=true and type ' +
          `tune\\.undo\\("${done.id}"`,
      ),
    );
    assert.equal(
      (await undo(contextOf(member, { home: home.path }), { confirm: true })).verified,
      true,
    );
    home.remove();
  });
});
