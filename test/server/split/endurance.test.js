'use strict';

const assert = require('node:assert/strict');
const { seeded } = require('../../support/chance');
const { carried } = require('../../support/killed-split');
const { startReplicaSet } = require('../../support/server');
const { planOf, startRegister, until } = require('../../support/split');
const { whyNotLong } = require('../../support/trial');

/**
 * @import { Goal } from '../../support/killed-split'
 */

const ROUNDS = whyNotLong() ? 2 : 200;
/** A copy in ranges has three of them. */
const DOCUMENTS = 5_000;
/** Two hundred writes a second: the shells and the servers need the processor, too. */
const PAUSE_MS = 40;
const MAJORITY = Object.freeze({ w: 'majority' });
/** The rounds in turn. @type {readonly Goal[]} */
const GOALS = Object.freeze(['moved', 'moved', 'taken back', 'given up']);
/** A copy in ranges waits while writers are slow, so there are fewer of them. */
const METHODS = Object.freeze(['out', 'ranges', 'out']);
/** The second shell is killed as well in half of the rounds, the third in a quarter. */
const AGAIN = 0.5;
/** Rounds; an hour without a word looks like a hang. */
const TELL_EVERY = 20;

describe('a split whose shell is killed at any time', function () {
  this.timeout(900_000);
  const random = seeded(Number(process.env.TUNE_SEED ?? 1));
  const tally = {
    rounds: 0,
    killed: 0,
    notKilled: 0,
    acknowledged: 0,
    refused: 0,
    otherErrors: 0,
    lost: 0,
    phases: /** @type {Record<string, number>} */ ({}),
  };
  /**
   * Milliseconds that it takes when nobody kills it, by goal and method; measured first.
   * @type {Map<string, number>}
   */
  const tookMs = new Map();
  let server;
  let client;
  let number = 0;
  before(async () => {
    server = await startReplicaSet({ members: 3 });
    client = server.client;
  });
  after(async () => {
    notify();
    await server?.stop();
  });
  const notify = () => process.stdout.write(`\n      ${JSON.stringify(tally)}\n`);

  async function begin(goal, method) {
    number += 1;
    const name = `c${number}`;
    const from = client.db('app').collection(name);
    await from.createIndex(
      { unique: 1 },
      { unique: true, partialFilterExpression: { unique: { $exists: true } } },
    );
    await from.createIndex({ n: 1 });
    await from.insertMany(
      Array.from({ length: DOCUMENTS }, (_, i) => ({ _id: i, n: i % 97, pad: 'y'.repeat(100) })),
      { writeConcern: MAJORITY },
    );
    // A name that nobody guards any more after an abort is no place to go to.
    const register = startRegister(client, {
      db: 'app',
      name,
      writeConcern: MAJORITY,
      pauseMs: PAUSE_MS,
      ...(goal !== 'given up' && { elsewhere: 'app2' }),
    });
    await until(() => register.counts.acknowledged > 50);
    return {
      name,
      goal,
      method,
      register,
      plan: await planOf(client, { moves: [{ ns: `app.${name}`, into: `app2.${name}`, method }] }),
    };
  }

  /** In which phase it is now, and whether in the middle of the ranges. */
  async function phaseOf({ plan }) {
    const split = await client.db('tune').collection('splits').findOne({ planId: plan.id });
    if (!split) return 'not begun';
    return split.phase === 'copying' && split.method === 'ranges'
      ? `copying, ${split.copiedTo ? 'some' : 'no'} ranges done`
      : split.phase;
  }

  /**
   * Shells one after the other, all but the last one killed.
   * @returns {Promise<string[]>} the phases that they died in
   */
  async function driven(split, kill) {
    const died = [];
    const key = `${split.goal} ${split.method}`;
    for (let first = true, again = kill; ; first = false) {
      const afterMs = again ? random() * Number(tookMs.get(key)) : null;
      const { killed, ms } = await carried(
        { uri: server.uri, goal: split.goal, plan: split.plan, first },
        afterMs,
      );
      if (killed) died.push(await phaseOf(split));
      if (!killed && first) tookMs.set(key, ms);
      if (!killed && !(first && split.goal === 'given up')) return died;
      again = kill && random() < AGAIN;
    }
  }

  /**
   * Everything that was acknowledged is where it belongs, nothing else is, and nothing is left
   * over.
   */
  async function whole({ name, goal, register, plan }) {
    const [db, other] = goal === 'moved' ? ['app2', 'app'] : ['app', 'app2'];
    const before = register.counts.acknowledged;
    await until(() => register.counts.acknowledged > before + 20);
    await register.stop();
    const lost = await register.differences(db, name);
    const { phase } = (await client
      .db('tune')
      .collection('splits')
      .findOne({ planId: plan.id })) ?? { phase: 'aborted' };
    tally.rounds += 1;
    tally.acknowledged += register.counts.acknowledged;
    tally.refused += register.counts.refused;
    tally.otherErrors += register.counts.other.length;
    tally.lost += lost.length;
    assert.deepEqual(lost, []);
    const data = client.db(db).collection(name);
    const [sum] = await data
      .aggregate([
        { $match: { _id: { $type: 'number' } } },
        { $group: { _id: null, documents: { $sum: 1 }, ids: { $sum: '$_id' }, n: { $sum: '$n' } } },
      ])
      .toArray();
    assert.deepEqual(
      [sum.documents, sum.ids, sum.n],
      [
        DOCUMENTS,
        (DOCUMENTS * (DOCUMENTS - 1)) / 2,
        Array.from({ length: DOCUMENTS }, (_, i) => i % 97).reduce((a, b) => a + b),
      ],
    );
    assert.deepEqual((await data.indexes()).map((index) => index.name).sort(), [
      '_id_',
      'n_1',
      'unique_1',
    ]);
    // `$out` fills one of its own first.
    const ours = ({ name: one }) =>
      one === name || one.startsWith(`${name}__`) || one.startsWith('tmp.');
    const left = async (where) =>
      (await client.db(where).listCollections({}, { nameOnly: true }).toArray())
        .filter(ours)
        .map((one) => `${one.name} ${one.type}`)
        .sort();
    const {
      from,
      into,
      refuses = false,
    } = await client.db('tune').collection('splits').findOne({ planId: plan.id });
    const rolledBack = [`${name} view`, `${into.stagingName} collection`];
    const givenUp = refuses ? [`${name} view`] : [];
    assert.deepEqual(
      [await left(db), await left(other)],
      [
        // What is kept for a rollback is on the side of the source.
        [`${name} collection`],
        {
          moved: [`${name} view`, `${from.renamedTo} collection`],
          'taken back': rolledBack,
          'given up': phase === 'rolled-back' ? rolledBack : givenUp,
        }[goal],
      ],
    );
    for (const one of ['app', 'app2']) await client.db(one).dropDatabase(MAJORITY);
    await client.db('tune').collection('splits').deleteMany({ planId: plan.id });
  }

  /** @param {number} round */
  const kindOf = (round) => [
    GOALS[round % GOALS.length],
    METHODS[Math.floor(round / GOALS.length) % METHODS.length],
  ];
  const rounds = Array.from({ length: ROUNDS }, (_, i) => i + 1);
  for (const kind of new Set(rounds.map((round) => kindOf(round).join(', by ')))) {
    it(`nobody kills it: ${kind}`, async () => {
      const split = await begin(...kind.split(', by '));
      await driven(split, false);
      await whole(split);
    });
  }

  for (const round of rounds) {
    const [goal, method] = kindOf(round);
    it(`round ${round}: ${goal}, by ${method}, and nothing is lost`, async () => {
      let died = [];
      // It may have come to its end before.
      while (died.length === 0) {
        const split = await begin(goal, method);
        died = await driven(split, true);
        await whole(split);
        tally[died.length > 0 ? 'killed' : 'notKilled'] += 1;
      }
      for (const phase of died) tally.phases[phase] = (tally.phases[phase] ?? 0) + 1;
      if (round % TELL_EVERY === 0) notify();
    });
  }
});
