'use strict';

/**
 * A shell that dies in the middle of a split: `node dying-split.js URI MOMENT VERB ARGUMENT`.
 * MOMENT is `PHASE-before` or `PHASE-after` (the writing down of a phase), `cut-before`,
 * `cut-after`, `put-before`, `put-after` or `renewed-before` (the calls that rename), or
 * `out-during` (500 ms into the copy). VERB is run, cutover, abort, rollback, finish or resume;
 * ARGUMENT a plan as extended JSON, or an id.
 */
const { spawn } = require('node:child_process');
const { MongoClient, BSON } = require('mongodb');
const { contextOf } = require('./context');
const { isCut, isPut, stepsOf } = require('./split-steps');

const [uri, moment, verb, argument] = process.argv.slice(2);
/** Once: a shell that only stalled goes on then. */
const state = { died: false };
const die = () =>
  !state.died &&
  (state.died = true) &&
  process.kill(process.pid, /** @type {any} */ (process.env.TUNE_TEST_SIGNAL ?? 'SIGKILL'));

/** The step in which a takeover gives the copy another name. @param {readonly any[]} steps */
const isRenewal = (steps) =>
  steps.some(({ renameCollection = '' }) => renameCollection.includes('__tune_'));

/** @param {any} command @returns {string | null} */
function momentOf(command) {
  // Not the rehearsal, which takes the same steps with collections of its own.
  if (command.applyOps && JSON.stringify(command).includes('mongosh_tune_trial')) return null;
  if (command.applyOps && isCut(stepsOf(command))) return 'cut';
  if (command.applyOps && isPut(stepsOf(command))) return 'put';
  if (command.applyOps) return isRenewal(stepsOf(command)) ? 'renewed' : null;
  if (command.aggregate && command.pipeline.some((/** @type {any} */ stage) => stage.$out))
    return 'out';
  return command.findAndModify === 'splits' ? (command.update.$set?.phase ?? null) : null;
}

/** @param {MongoClient} client */
async function run(client) {
  const ctx = contextOf(client);
  const { command } = ctx.port;
  ctx.port.command = async (database, spec) => {
    const now = momentOf(spec);
    if (now !== null && moment === `${now}-before`) die();
    if (now === 'out' && moment === 'out-during') setTimeout(die, 50);
    const answer = await command(database, spec);
    if (now !== null && moment === `${now}-after`) die();
    return answer;
  };
  ctx.port.adminCommand = (spec) => ctx.port.command('admin', spec);
  await require(`../../lib/commands/split-${verb}`).run(
    ctx,
    verb === 'run' ? BSON.EJSON.parse(argument) : argument,
    {
      confirm: true,
      ...(['cutover', 'rollback', 'resume', 'abort'].includes(verb)
        ? { guardian: process.env.TUNE_TEST_GUARDIAN === 'on' }
        : {}),
    },
  );
  await client.close();
}

if (require.main === module) void new MongoClient(uri).connect().then(run);

/**
 * A shell that dies at a moment.
 * @param {string} server
 * @param {string} when
 * @param {string} what
 * @param {string} of
 * @returns {Promise<string | null>} the signal that ended it
 */
function dies(server, when, what, of) {
  const child = spawn(process.execPath, [__filename, server, when, what, of], {
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  return new Promise((resolve) => {
    child.on('exit', (_code, signal) => resolve(signal));
  });
}

module.exports = { dies };
