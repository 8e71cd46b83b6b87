'use strict';

/**
 * At one message of a command something happens that a server or a network does: its answer is
 * lost, it never arrives, it arrives a second time later, the user types Ctrl-C, or the right to
 * send it is taken away and given back. Whatever the message: no write is lost, at most one name
 * takes writes, and the next commands bring the split to its end.
 */
const assert = require('node:assert/strict');
const { MongoNetworkError, MongoServerError } = require('mongodb');
const { contextOf } = require('../../support/context');
const { takesWrites } = require('../../support/begun-split');
const { endLease, planOf, startRegister, useSet } = require('../../support/split');
const { whyNotLong } = require('../../support/trial');
const { makeDice } = require('../../simulation/random');
const { sleep } = require('../../../lib/base/context');
const { makePort, openerOf, senderOf } = require('../../../lib/shell/port');
const { run: splitCutover } = require('../../../lib/commands/split-cutover');
const { run: splitFinish } = require('../../../lib/commands/split-finish');
const { run: splitResume } = require('../../../lib/commands/split-resume');
const { run: splitRollback } = require('../../../lib/commands/split-rollback');
const { run: splitRun } = require('../../../lib/commands/split-run');

const never = new AbortController().signal;
const ALONE = Object.freeze({ confirm: true, guardian: false });
const DOCUMENTS = 200;
const UNAUTHORIZED = 13;
/** Milliseconds. */
const LATER = 400;
const ROUNDS = Number(process.env.TUNE_ROUNDS ?? (whyNotLong() ? 18 : 600));
const SEED = Number(process.env.TUNE_SEED ?? 11);
/** Splits beside each other: most of their time they wait. */
const AT_ONCE = 6;

const FAULTS = {
  lost: async ({ send }) => {
    await send();
    throw new MongoNetworkError('the answer was lost');
  },
  unsent: async () => {
    throw new MongoNetworkError('it never left');
  },
  twice: async ({ send }) => {
    setTimeout(() => send().catch(() => undefined), LATER);
    return send();
  },
  interrupted: async ({ send, stop }) => {
    stop.abort();
    return send();
  },
  refused: async ({ state, name }) => {
    state.without = name;
    throw unauthorized(name);
  },
};
const unauthorized = (name) =>
  new MongoServerError({ code: UNAUTHORIZED, codeName: 'Unauthorized', message: `not ${name}` });

/**
 * A shell to whose message of that number something happens.
 * @param {any} client
 * @param {number} number from 1; 0: to none
 * @param {keyof FAULTS} fault
 */
function shellOf(client, number, fault) {
  const stop = new AbortController();
  const state = { sent: 0, without: null, at: null };
  const meets = (name, send) => {
    state.sent += 1;
    if (state.sent === number) {
      state.at = name;
      return FAULTS[fault]({ send, stop, state, name });
    }
    if (state.without === name) throw unauthorized(name);
    return send();
  };
  const plain = senderOf(client);
  const open = openerOf(() => client);
  const { port } = makePort(
    async (db, spec, options) => meets(Object.keys(spec)[0], () => plain(db, spec, options)),
    {
      ...open,
      transaction: () => {
        const opened = open.transaction();
        return {
          ...opened,
          command: async (db, spec) =>
            meets(`transaction ${Object.keys(spec)[0]}`, () => opened.command(db, spec)),
          commit: async () => meets('commit', () => opened.commit()),
        };
      },
    },
  );
  return { ctx: { ...contextOf(client, { signal: stop.signal }), port }, state };
}

const VERBS = [
  ['run', (ctx, split) => splitRun(ctx, split.plan, { confirm: true })],
  ['cutover', (ctx, { id }) => splitCutover(ctx, id, ALONE)],
  ['rollback', (ctx, { id }) => splitRollback(ctx, id, ALONE)],
  ['finish', (ctx, { id }) => splitFinish(ctx, id, { confirm: true })],
];

describe('a split of which one message goes wrong', function () {
  this.timeout(0);
  let client;
  let ctx;
  useSet((set) => {
    ({ client, ctx } = set);
  });
  let number = 0;

  async function round({ verb, message, fault, method }) {
    number += 1;
    const name = `m${number}`;
    const from = client.db('app').collection(name);
    await client.db('app').createCollection(name);
    await from.createIndex({ v: 1 });
    await from.insertMany(Array.from({ length: DOCUMENTS }, (_, i) => ({ _id: i, a: i % 7 })));
    const plan = await planOf(client, {
      moves: [{ ns: `app.${name}`, into: `app2.${name}`, method }],
    });
    const split = { plan, id: plan.id, name };
    const register = startRegister(client, {
      db: 'app',
      name,
      writers: 2,
      prefix: 'w',
      elsewhere: 'app2',
      writeConcern: { w: 'majority' },
      pauseMs: 10,
    });
    const said = [];
    const sent = [];
    try {
      for (const [i, [called, run]] of VERBS.entries()) {
        const shell = shellOf(client, i === verb ? message : 0, fault);
        const error = await run(shell.ctx, split).then(
          () => null,
          (reason) => reason,
        );
        sent.push(shell.state.sent);
        if (i === verb) said.push(`${called} ${fault} at ${message} ${shell.state.at}`);
        const open = await takesWrites(client, name);
        if (open.length > 1) throw new Error(`both take writes: ${said.join('; ')}`);
        if (error) {
          said.push(`${called}: ${error.code} ${error.message}`);
          await goOn(called, run, split, said);
        }
        await sleep(50, never);
      }
      await sleep(2 * LATER, never);
    } finally {
      await register.stop();
    }
    const [open] = await takesWrites(client, name);
    const lost = await register.differences(open, name);
    const rest = await client
      .db(open)
      .collection(name)
      .countDocuments({ a: { $exists: true } });
    await client.db('app').collection(name).drop();
    await client.db('app2').collection(name).drop();
    assert.deepEqual(
      { lost, rest, open },
      { lost: [], rest: DOCUMENTS, open: 'app' },
      said.join('; '),
    );
    return sent;
  }

  /** As somebody who reads the messages: the same command, or resume. */
  async function goOn(called, run, split, said) {
    for (let tries = 0; tries < 6; tries += 1) {
      const state = await client.db('tune').collection('splits').findOne({ planId: split.id });
      said.push(`phase ${state?.phase}`);
      const isThere = {
        run: 'following',
        cutover: 'switched',
        rollback: 'rolled-back',
        finish: 'finished',
      };
      if (state?.phase === isThere[called]) return;
      const go = async () =>
        state === null || ['following', 'switched', 'rolled-back'].includes(state.phase)
          ? run(ctx, split)
          : splitResume(ctx, split.id, { confirm: true });
      try {
        await go();
      } catch (error) {
        said.push(`then: ${error.code} ${error.message}`);
        if (error.code === 'TUNE-35003') await endLease(client, split.id);
        if (error.code === 'TUNE-35010') return;
      }
    }
    throw new Error(`it does not go on: ${said.join('; ')}`);
  }

  it(`of ${ROUNDS} drawn by the seed ${SEED}: nothing is lost, and there is an end`, async () => {
    const counts = await round({ verb: 0, message: 0, fault: 'lost', method: 'ranges' });
    const dice = makeDice(SEED, 0);
    const drawn = Array.from({ length: ROUNDS }, () => {
      const verb = dice.int(VERBS.length);
      return {
        verb,
        message: 1 + dice.int(counts[verb]),
        fault: dice.pick(Object.keys(FAULTS)),
        method: dice.pick(['out', 'ranges']),
      };
    });
    const work = async () => {
      for (let one = drawn.pop(); one; one = drawn.pop()) await round(one);
    };
    await Promise.all(Array.from({ length: AT_ONCE }, work));
  });
});
