'use strict';

/**
 * One round: a split under load, what happens to it, an operator who carries it to an end, and a
 * verdict.
 */
const { contextOf } = require('../support/context');
const { drive, ENDS } = require('../support/honest-operator');
const { planOf, until } = require('../support/split');
const { run: splitRollback } = require('../../lib/commands/split-rollback');
const { FAULTS } = require('./faults');
const { momentsOf } = require('./moments');
const { startShell } = require('./shell');
const { judgeRound } = require('./verdict');
const { startWriters } = require('./writers');

/**
 * @import { Environment } from './environment'
 * @import { Schedule } from './schedule'
 * @import { Shell } from './shell'
 * @import { MongoClient } from 'mongodb'
 */

const DO = Object.freeze({ confirm: true });
const MAJORITY = Object.freeze({ writeConcern: { w: 'majority' } });
const DOCUMENTS = 3_000;
const SQUATTERS = 50;
const TTL_SECONDS = 4;
/** One after the other is over, as long as a round takes. */
const TTL_STEP_MS = 400;
const WARM = 60;
const AFTERWARDS = 40;
/** Of a shell; it is killed then, and another one takes over. */
const SHELL_LIMIT_MS = 75_000;
const ALIVE_LIMIT_MS = 40_000;
const AFTER_AN_END_MS = 12_000;
/** The end of a round does not wait for what was only a limit. */
const pause = (/** @type {number} */ ms) =>
  new Promise((resolve) => {
    setTimeout(resolve, ms).unref();
  });

/**
 * @param {Environment} env
 * @param {Schedule} schedule
 * @param {{ notify(text: string): void }} options
 */
async function playRound(env, schedule, { notify }) {
  const { client } = env;
  const name = `c${schedule.round}_${Date.now().toString(36)}`;
  const began = Date.now();
  await makeSource(client, name);
  const since = (await client.db('admin').command({ hello: 1 })).lastWrite.opTime.ts;
  const writers = await startWriters(env.uri, { name });
  await until(() => writers.counts.acknowledged > WARM);
  const plan = await planOf(client, {
    moves: [{ ns: `app.${name}`, into: `app2.${name}`, method: schedule.method }],
  });
  const scene = sceneOf(env, { name, id: plan.id, notify });
  scene.shells.push(await startShell(env.uri, 'shell-a'));
  const faults = schedule.faults.map((fault) =>
    FAULTS[fault.kind](scene, fault).catch((error) => {
      notify(`${fault.kind}: ${error.message}`);
      return null;
    }),
  );
  const carried = byShell(scene, plan, schedule).then(() => toTheEnd(env, scene, schedule));
  try {
    // Another one may follow, in the same way.
    const end = await Promise.race([
      carried,
      env.ends.first.then(() => pause(AFTER_AN_END_MS)).then(() => null),
    ]);
    if (end === null) return ended(env, schedule, writers, began);
    const squat = schedule.squat ? await finishAndSquat(env, scene, end.phase) : null;
    scene.state.isOver = true;
    const undo = await Promise.all(
      faults.map((fault) => Promise.race([fault, pause(SHELL_LIMIT_MS).then(() => null)])),
    );
    for (const one of undo) await one?.();
    const alive = await writesOn(writers);
    await writers.stop();
    const verdict = await judgeRound({
      client,
      name,
      id: plan.id,
      since,
      writers,
      own: scene.own,
      documents: DOCUMENTS,
      squat,
      squatters: SQUATTERS,
    });
    return {
      ...verdict,
      end,
      met: schedule.faults
        .filter((_, i) => undo[i] !== null)
        .map(({ kind, moment }) => `${kind} at ${moment}`),
      ms: Date.now() - began,
      wrong: [
        ...verdict.wrong,
        ...(end.phase === null || ENDS.includes(end.phase)
          ? []
          : [
              `stuck: ${end.phase}; ${end.tried
                .slice(-3)
                .map(({ call, error }) => `${call} ${error?.code ?? 'done'}`)
                .join(', ')}`,
            ]),
        ...(alive ? [] : ['stuck: nobody can write']),
        ...env.ends.byThemselves.map((one) => `mongod ended: ${one}`),
      ],
    };
  } finally {
    scene.state.isOver = true;
    carried.catch(() => undefined);
    await Promise.all(scene.shells.map((shell) => shell.kill()));
    await writers.stop();
  }
}

/**
 * A member that ended by itself is what the round comes to.
 * @param {Environment} env
 * @param {Schedule} schedule
 * @param {Awaited<ReturnType<typeof startWriters>>} writers
 * @param {number} began
 */
function ended(env, schedule, { counts }, began) {
  const { acknowledged, refused, unknown, longestGapMs, longestRefusedMs } = counts;
  return {
    phase: null,
    acknowledged,
    refused,
    unknown,
    longestGapMs,
    longestRefusedMs,
    lost: 0,
    doubled: 0,
    end: { phase: null, tried: [] },
    met: schedule.faults.map(({ kind, moment }) => `${kind} at ${moment}`),
    ms: Date.now() - began,
    wrong: env.ends.byThemselves.map((one) => `mongod ended: ${one}`),
  };
}

/** @param {Environment} env @param {{ name: string, id: string, notify(text: string): void }} of */
function sceneOf(env, { name, id, notify }) {
  const state = { isOver: false };
  /** @type {Shell[]} */ const shells = [];
  return {
    env,
    name,
    id,
    notify,
    state,
    shells,
    moments: momentsOf(name),
    isOver: () => state.isOver,
    async second() {
      const shell = await startShell(env.uri, `shell-${shells.length}`);
      shells.push(shell);
      return shell;
    },
    own: {
      dropped: /** @type {string[]} */ ([]),
      renamed: /** @type {string[]} */ ([]),
      indexes: /** @type {string[]} */ ([]),
      ttlKept: /** @type {number | null} */ (null),
    },
  };
}

/** @param {MongoClient} client @param {string} name */
async function makeSource(client, name) {
  const source = client.db('app').collection(name);
  await source.createIndex(
    { unique: 1 },
    { unique: true, partialFilterExpression: { unique: { $exists: true } } },
  );
  await source.createIndex({ n: 1 });
  await source.createIndex({ at: 1 }, { name: 'ttl', expireAfterSeconds: TTL_SECONDS });
  await source.insertMany(
    /** @type {any[]} */ ([
      ...Array.from({ length: DOCUMENTS }, (_, i) => ({ _id: i, n: i % 97, pad: 'y'.repeat(100) })),
      ...Array.from({ length: 50 }, (_, i) => ({
        _id: `ttl-${i}`,
        at: new Date(Date.now() + i * TTL_STEP_MS),
      })),
    ]),
    MAJORITY,
  );
}

/**
 * What the first shell is to do; where it fails or dies, it is left so.
 * @param {ReturnType<typeof sceneOf>} scene
 * @param {any} plan
 * @param {Schedule} schedule
 */
async function byShell(scene, plan, { goal, squat }) {
  const [shell] = scene.shells;
  const limit = pause(SHELL_LIMIT_MS).then(() => ({ ok: false, code: 'late', message: '' }));
  /** @type {[string, unknown][]} */
  const steps = [
    ['run', plan],
    ...(goal === 'given up' && squat
      ? []
      : [/** @type {[string, unknown]} */ (['cutover', plan.id])]),
    ...(goal === 'rolled back' ? [/** @type {[string, unknown]} */ (['rollback', plan.id])] : []),
    ...(goal === 'given up' ? [/** @type {[string, unknown]} */ (['abort', plan.id])] : []),
  ];
  // What is given up late is left by its shell after the cut.
  if (goal === 'given up' && !squat) void diesAfterTheCut(scene, shell);
  for (const [verb, first] of steps) {
    const by = shell.state.gone && verb === 'abort' ? await scene.second() : shell;
    const ended = await Promise.race([by.call(verb, first), limit]);
    if (ended.code === 'late') await by.kill();
    scene.notify(
      `${by.name}: ${verb}: ${ended.ok ? 'done' : `${ended.code} ${ended.message.slice(0, 160)}`}`,
    );
    if (!ended.ok && !(goal === 'given up' && verb === 'cutover')) return;
    if (verb === 'cutover') await pause(300);
  }
}

/** @param {ReturnType<typeof sceneOf>} scene @param {Shell} shell */
async function diesAfterTheCut({ env, id, state }, shell) {
  const phase = async () =>
    (
      await env.client
        .db('tune')
        .collection('splits')
        .findOne({ planId: id })
        .catch(() => null)
    )?.phase;
  while (!state.isOver && !shell.state.gone && !['draining', 'switching'].includes(await phase()))
    await pause(10);
  if (!state.isOver && !shell.state.gone) await shell.kill();
}

/** @param {Environment} env @param {ReturnType<typeof sceneOf>} scene @param {Schedule} schedule */
async function toTheEnd(env, scene, { goal }) {
  const shell = () => contextOf(env.client);
  const end = await drive(shell, scene.id);
  if (end.phase !== 'switched' || goal !== 'rolled back') return end;
  const error = await splitRollback(shell(), scene.id, DO).then(
    () => null,
    (one) => one,
  );
  const last = await drive(shell, scene.id);
  return {
    phase: last.phase,
    tried: [...end.tried, { call: 'tune.split.rollback()', error }, ...last.tried],
  };
}

/**
 * A name is made free, and an application takes it.
 * @param {Environment} env
 * @param {ReturnType<typeof sceneOf>} scene
 * @param {string | null} phase
 * @returns {Promise<string | null>}
 */
async function finishAndSquat(env, scene, phase) {
  if (phase === 'switched' || phase === 'rolled-back') {
    const shell = await scene.second();
    const ended = await Promise.race([
      shell.call('finish', scene.id, { confirm: true, open: true }),
      pause(SHELL_LIMIT_MS).then(() => ({ ok: false, code: 'late' })),
    ]);
    scene.notify(`${shell.name}: finish: ${ended.ok ? 'done' : ended.code}`);
    if (!ended.ok) return null;
  } else if (phase !== 'aborted') return null;
  const db = phase === 'switched' ? 'app' : 'app2';
  if ((await env.client.db(db).listCollections({ name: scene.name }).toArray()).length > 0)
    return null;
  await env.client
    .db(db)
    .collection(scene.name)
    .insertMany(
      /** @type {any[]} */ (Array.from({ length: SQUATTERS }, (_, i) => ({ _id: `squat-${i}` }))),
      MAJORITY,
    );
  return db;
}

/** @param {Awaited<ReturnType<typeof startWriters>>} writers */
async function writesOn({ counts }) {
  const before = counts.acknowledged;
  return until(() => counts.acknowledged > before + AFTERWARDS, ALIVE_LIMIT_MS).then(
    () => true,
    () => false,
  );
}

module.exports = { playRound };
