'use strict';

const assert = require('node:assert/strict');
const { startReplicaSet } = require('../../support/server');
const { contextOf } = require('../../support/context');
const { planOf, startRegister, until } = require('../../support/split');
const { stepsOf } = require('../../support/split-steps');
const { run: splitCutover } = require('../../../lib/commands/split-cutover');
const { run: splitRun } = require('../../../lib/commands/split-run');
const { run: splitVerify } = require('../../../lib/commands/split-verify');

const DO = Object.freeze({ confirm: true });
const LONG = Boolean(process.env.TUNE_LONG);
const ROUNDS = LONG ? 10 : 1;

describe('a split during which the primary steps down', function () {
  this.timeout(LONG ? 3_600_000 : 240_000);
  let server;
  let number = 0;
  before(async () => {
    server = await startReplicaSet({ members: 3 });
  });
  after(() => server?.stop());

  /**
   * A context that makes the primary step down when a command is sent for the first time.
   * @param {(command: any) => boolean} when
   * @param {'before' | 'meanwhile' | 'commit'} how `commit`: of the first transaction
   */
  function stepsDown(when, how) {
    const ctx = contextOf(server.client);
    const { command } = ctx.port;
    const state = { done: false };
    const stepDown = () =>
      server.adminCommand({ replSetStepDown: 5, secondaryCatchUpPeriodSecs: 4 }).catch((error) => {
        state.error = error;
      });
    ctx.port.command = async (database, spec) => {
      if (state.done || !when(spec)) return command(database, spec);
      state.done = true;
      if (how === 'before') await stepDown();
      const answer = command(database, spec);
      // It may fail before anybody waits for it.
      answer.catch(() => undefined);
      if (how === 'meanwhile') await stepDown();
      return answer;
    };
    ctx.port.adminCommand = (spec) => ctx.port.command('admin', spec);
    if (how === 'commit') {
      const { transaction } = ctx.port;
      ctx.port.transaction = () => {
        const its = transaction();
        const commit = async () => {
          if (!state.done) {
            state.done = true;
            await stepDown();
          }
          return its.commit();
        };
        return { ...its, commit };
      };
    }
    return { ctx, state };
  }

  const has = (command, stage) =>
    Boolean(command.aggregate && command.pipeline.some((one) => one[stage]));
  for (let round = 1; round <= ROUNDS; round += 1) {
    for (const [what, verb, when, how] of [
      ['the copy', 'run', (command) => has(command, '$out'), 'meanwhile'],
      [
        'the building of the indexes',
        'run',
        (command) => command.createIndexes && command.createIndexes !== 'splits',
        'meanwhile',
      ],
      ['the following', 'run', (command) => has(command, '$merge'), 'before'],
      [
        'the cut',
        'cutover',
        (command) => stepsOf(command).some(({ create }) => create),
        'meanwhile',
      ],
      ['the cut, as it may begin', 'cutover', () => false, 'commit'],
      ['the switch', 'cutover', (command) => stepsOf(command).some(({ drop }) => drop), 'before'],
    ]) {
      it(`during ${what}: it goes on by itself, and nothing is lost (round ${round})`, async () => {
        number += 1;
        const [name, { client }] = [`c${number}`, server];
        await client
          .db('app')
          .collection(name)
          .createIndex(
            { unique: 1 },
            { unique: true, partialFilterExpression: { unique: { $exists: true } } },
          );
        await client
          .db('app')
          .collection(name)
          .insertMany(
            Array.from({ length: 20_000 }, (_, i) => ({ _id: i, pad: 'y'.repeat(200) })),
            { writeConcern: { w: 'majority' } },
          );
        const register = startRegister(client, {
          db: 'app',
          name,
          writers: 8,
          writeConcern: { w: 'majority' },
        });
        await until(() => register.counts.acknowledged > 50);
        const plan = await planOf(client, { moves: [{ ns: `app.${name}`, into: `app2.${name}` }] });
        const { ctx, state } = stepsDown(when, how);
        const calm = contextOf(client);
        await splitRun(verb === 'run' ? ctx : calm, plan, DO);
        await splitCutover(verb === 'cutover' ? ctx : calm, plan.id, DO);
        assert.ok(state.done);
        register.place.db = 'app2';
        const before = register.counts.acknowledged;
        await until(() => register.counts.acknowledged > before + 50);
        await register.stop();
        assert.deepEqual(await register.differences('app2', name), []);
        assert.equal(
          await client
            .db('app2')
            .collection(name)
            .countDocuments({ _id: { $type: 'number' } }),
          20_000,
        );
        const { verified } = (await splitVerify(calm, plan.id, { repair: true, confirm: true }))
          .splits[0];
        assert.equal(verified.differences, 0);
      });
    }
  }
});
