'use strict';

const assert = require('node:assert/strict');
const { startReplicaSet } = require('../../support/server');
const { contextOf } = require('../../support/context');
const { planOf, startRegister, until } = require('../../support/split');
const { whyNotLong } = require('../../support/trial');
const { run: splitCutover } = require('../../../lib/commands/split-cutover');
const { run: splitResume } = require('../../../lib/commands/split-resume');
const { run: splitRollback } = require('../../../lib/commands/split-rollback');
const { run: splitRun } = require('../../../lib/commands/split-run');
const { run: splitVerify } = require('../../../lib/commands/split-verify');

const DO = Object.freeze({ confirm: true });
const MAJORITY = Object.freeze({ w: 'majority' });
const LONG = whyNotLong() === null;
const ROUNDS = LONG ? 3 : 1;
const DOCUMENTS = 10_000;
/** MongoDB's own ten seconds are longer than the test needs. */
const ELECTION_MS = 4_000;
/** An election and the start of a member, on a machine that does other things too. */
const LIMIT_MS = 240_000;

/** What a command does, also where it is one of several within another. @param {any} command */
const doesOps = (command, what) =>
  Boolean(command.applyOps) && JSON.stringify(command.applyOps).includes(`"${what}":`);
/** @param {any} command @param {string} stage */
const has = (command, stage) =>
  Boolean(command.aggregate && command.pipeline.some((one) => one[stage]));
/** @param {any} command @param {string} phase */
const saves = (command, phase) =>
  command.findAndModify === 'splits' && command.update.$set?.phase === phase;

/** When it dies: with this command on its way, or as soon as that was answered. */
const DEATHS = [
  [
    'the copy',
    { verb: 'run', when: (command) => has(command, '$out'), how: 'meanwhile', long: true },
  ],
  [
    'a copy in ranges',
    {
      verb: 'run',
      method: 'ranges',
      when: (command, seen) => has(command, '$merge') && seen > 1,
      how: 'meanwhile',
      long: true,
    },
  ],
  [
    'the building of the indexes',
    {
      verb: 'run',
      when: (command) => command.createIndexes && command.createIndexes !== 'splits',
      how: 'meanwhile',
      long: true,
    },
  ],
  [
    'the following',
    { verb: 'run', when: (command) => has(command, '$merge'), how: 'meanwhile', long: true },
  ],
  [
    'the cutting',
    {
      verb: 'cutover',
      when: (command) => doesOps(command, 'viewOn'),
      how: 'meanwhile',
      long: false,
    },
  ],
  [
    'the draining',
    { verb: 'cutover', when: (command) => saves(command, 'draining'), how: 'after', long: true },
  ],
  [
    'the switching',
    { verb: 'cutover', when: (command) => doesOps(command, 'drop'), how: 'meanwhile', long: true },
  ],
  [
    'the cutting of a rollback',
    {
      verb: 'rollback',
      when: (command) => doesOps(command, 'viewOn'),
      how: 'meanwhile',
      long: true,
    },
  ],
];

describe('a split during which the primary is killed', function () {
  this.timeout(LIMIT_MS);
  const tally = { kills: 0, acknowledged: 0, otherErrors: 0, lost: 0, resumed: 0 };
  let server;
  let client;
  let number = 0;
  before(async () => {
    server = await startReplicaSet({ members: 3 });
    client = server.client;
    const { config } = await server.adminCommand({ replSetGetConfig: 1 });
    config.settings.electionTimeoutMillis = ELECTION_MS;
    await server.adminCommand({
      replSetReconfig: { ...config, version: config.version + 1 },
      force: true,
    });
  });
  after(async () => {
    process.stdout.write(`\n      ${JSON.stringify(tally)}\n`);
    await server?.stop();
  });

  /** kill -9 while another takes its place, and then its start. */
  async function killPrimary() {
    const dead = await server.primary();
    await server.kill(dead);
    tally.kills += 1;
    await until(async () => {
      const primary = await server.primary().catch(() => dead);
      return primary !== undefined && primary !== dead;
    }, LIMIT_MS);
    await server.revive(dead);
  }

  /** A context whose server dies at a command. */
  function deadly(when, how) {
    const ctx = contextOf(client);
    const { command } = ctx.port;
    const state = { revived: null };
    let seen = 0;
    ctx.port.command = async (database, spec) => {
      seen += Number(has(spec, '$merge'));
      if (state.revived || !when(spec, seen)) return command(database, spec);
      if (how === 'after') await command(database, spec);
      const answer = how === 'after' ? null : command(database, spec);
      answer?.catch(() => undefined);
      state.revived = killPrimary();
      state.revived.catch(() => undefined);
      // What was written down is asked for again, and is there.
      return answer ?? command(database, spec);
    };
    ctx.port.adminCommand = (spec) => ctx.port.command('admin', spec);
    return { ctx, state };
  }

  /** By itself, or where it gave up by another shell. */
  async function goes(job, id) {
    try {
      await job();
    } catch (error) {
      tally.resumed += 1;
      await splitResume(contextOf(client), id).catch((again) => {
        throw Object.assign(again, { cause: error });
      });
    }
  }

  async function writesOn(register, db) {
    register.place.db = db;
    const before = register.counts.acknowledged;
    await until(() => register.counts.acknowledged > before + 50, LIMIT_MS);
  }

  for (let round = 1; round <= ROUNDS; round += 1) {
    for (const [what, { verb, method = 'out', when, how, long }] of DEATHS.filter(
      (one) => LONG || !one[1].long,
    )) {
      it(
        `during ${what}: it is carried to its end, and nothing is lost (round ` +
          `${round}${long ? ', long' : ''})`,
        async () => {
          number += 1;
          const name = `c${number}`;
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
              Array.from({ length: DOCUMENTS }, (_, i) => ({ _id: i, pad: 'y'.repeat(200) })),
              { writeConcern: MAJORITY },
            );
          const register = startRegister(client, {
            db: 'app',
            name,
            writers: 8,
            writeConcern: MAJORITY,
            pauseMs: 40,
          });
          await until(() => register.counts.acknowledged > 50);
          const plan = await planOf(client, {
            moves: [{ ns: `app.${name}`, into: `app2.${name}`, method }],
          });
          const { ctx, state } = deadly(when, how);
          const by = (which) => (verb === which ? ctx : contextOf(client));
          await goes(() => splitRun(by('run'), plan, DO), plan.id);
          await goes(() => splitCutover(by('cutover'), plan.id, DO), plan.id);
          const end = verb === 'rollback' ? 'app' : 'app2';
          await writesOn(register, 'app2');
          if (verb === 'rollback')
            await goes(() => splitRollback(by('rollback'), plan.id, DO), plan.id);
          await state.revived;
          assert.ok(state.revived, 'nobody was killed');
          await writesOn(register, end);
          await register.stop();
          const lost = await register.differences(end, name);
          Object.assign(tally, {
            acknowledged: tally.acknowledged + register.counts.acknowledged,
            otherErrors: tally.otherErrors + register.counts.other.length,
            lost: tally.lost + lost.length,
          });
          assert.deepEqual(lost, []);
          assert.equal(
            await client
              .db(end)
              .collection(name)
              .countDocuments({ _id: { $type: 'number' } }),
            DOCUMENTS,
          );
          if (verb !== 'rollback')
            assert.equal(
              (await splitVerify(contextOf(client), plan.id, { repair: true, confirm: true }))
                .splits[0].verified.differences,
              0,
            );
        },
      );
    }
  }
});
