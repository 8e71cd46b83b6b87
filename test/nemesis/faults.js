'use strict';

/**
 * What may happen to a split. Each fault waits for its moment, and returns what it did, in words,
 * and what must still be undone or let go: `later` by itself after a while, or `end` once the split
 * is over.
 */
const { LEASE_MS } = require('./shell');

/**
 * @import { Environment } from './environment'
 * @import { Fault } from './schedule'
 * @import { Shell } from './shell'
 */

/**
 * @typedef {{
 *   env: Environment, name: string, id: string,
 *   moments: Record<string, (command: any, appName: string | null) => boolean>,
 *   shells: Shell[], second(): Promise<Shell>,
 *   isOver(): boolean,
 *   own: { dropped: string[], renamed: string[], indexes: string[], ttlKept: number | null },
 *   notify(text: string): void
 * }} Scene `own`: what the nemesis itself did to collections
 */

/** The end of a round does not wait for what was only a limit. */
const pause = (/** @type {number} */ ms) =>
  new Promise((resolve) => {
    setTimeout(resolve, ms).unref();
  });
const POLL_EVERY_MS = 25;
/** Of a second shell. */
const SECOND_LIMIT_MS = 30_000;
const SHORTEST_BUILD_MS = 1_500;

/**
 * Holds at every member, since nobody knows which one is primary then.
 * @param {Scene} scene
 * @param {string} moment
 * @param {boolean} lose
 */
function holdAnywhere({ env, moments }, moment, lose) {
  const all = env.proxies.map((proxy) => proxy.hold(moments[moment] ?? moments.any, { lose }));
  return {
    arrived: Promise.race(all.map((held) => held.arrived)),
    hasArrived: () => all.some((held) => held.hasArrived()),
    async deliver() {
      const held = all.find((one) => one.hasArrived());
      all.filter((one) => one !== held).forEach((one) => one.forget());
      return held ? held.deliver() : null;
    },
    forget: () => all.forEach((one) => one.forget()),
  };
}

/**
 * Until the moment comes, or the round is over.
 * @param {Scene} scene
 * @param {{ hasArrived(): boolean }} held
 */
async function met({ isOver }, held) {
  while (!held.hasArrived() && !isOver()) await pause(POLL_EVERY_MS);
  return held.hasArrived();
}

/**
 * Until such a command passes; it is held for the moment that it takes to begin.
 * @param {Scene} scene
 * @param {Fault} fault
 * @returns {Promise<boolean>}
 */
async function momentOf(scene, { moment, forMs }) {
  if (moment === 'time') {
    await pause(forMs);
    return !scene.isOver();
  }
  const held = holdAnywhere(scene, moment, false);
  const came = await met(scene, held);
  if (came) void held.deliver();
  else held.forget();
  return came;
}

/**
 * Until the new place has the data, or the round is over.
 * @param {Scene} scene
 * @returns {Promise<boolean>}
 */
async function isSwitched({ env, id, isOver }) {
  const phase = async () =>
    (await env.client.db('tune').collection('splits').findOne({ planId: id }))?.phase;
  while (!isOver() && (await phase().catch(() => null)) !== 'switched') await pause(POLL_EVERY_MS);
  return !isOver();
}

/**
 * Who drops both copies by hand has none left.
 * @param {any} scene
 * @param {'renamedTo' | 'target'} copy
 */
function isFirst(scene, copy) {
  scene.spared ??= copy;
  return scene.spared === copy;
}

/** @typedef {(() => Promise<unknown>) | null} Undo */
/**
 * @type {Record<string, (scene: Scene, fault: Fault) => Promise<Undo>>} `Undo`: null where it never
 *   came about
 */
const FAULTS = {
  /** A command whose connection is lost arrives when its shell has done it again. */
  async late(scene, { moment, forMs, tail }) {
    const held = holdAnywhere(scene, moment === 'time' ? 'save' : moment, true);
    if (!(await met(scene, held))) {
      held.forget();
      return null;
    }
    const deliver = async () =>
      scene.notify(`arrived late: ${JSON.stringify(await held.deliver()).slice(0, 200)}`);
    if (tail === 'after the end') return deliver;
    await pause(forMs);
    await deliver();
    return async () => undefined;
  },

  async stall(scene, { moment, forMs }) {
    const held = holdAnywhere(scene, moment === 'time' ? 'save' : moment, false);
    if (!(await met(scene, held))) {
      held.forget();
      return null;
    }
    await pause(forMs);
    await held.deliver();
    return async () => undefined;
  },

  async killShell(scene, fault) {
    if (!(await momentOf(scene, fault))) return null;
    await scene.shells[0].kill();
    return async () => undefined;
  },

  /** SIGSTOP with a command on its way, until its lease is over and another one has taken over. */
  async stopShell(scene, { moment, detail }) {
    const held = holdAnywhere(scene, moment === 'time' ? 'cut' : moment, false);
    if (!(await met(scene, held))) {
      held.forget();
      return null;
    }
    const [first] = scene.shells;
    first.stop();
    await pause(LEASE_MS + 1_500);
    const other = await scene.second();
    const verb = VERBS[detail];
    const ended = await Promise.race([other.call(verb, scene.id), pause(SECOND_LIMIT_MS)]);
    scene.notify(`while it stalled, another one: ${verb} ${JSON.stringify(ended)}`);
    first.goOn();
    await held.deliver();
    return async () => undefined;
  },

  async cutConnections(scene, fault) {
    if (!(await momentOf(scene, fault))) return null;
    const whose = (/** @type {string | null} */ appName) =>
      Boolean(appName?.startsWith('shell')) || (fault.tail === 'later' && appName === 'writers');
    for (const proxy of scene.env.proxies) proxy.cut(whose);
    return async () => undefined;
  },

  async stepDown(scene, fault) {
    if (!(await momentOf(scene, fault))) return null;
    await scene.env.client
      .db('admin')
      .command({ replSetStepDown: 5, secondaryCatchUpPeriodSecs: 4 })
      .catch(() => undefined);
    return () => scene.env.settled();
  },

  async killPrimary(scene, fault) {
    if (!(await momentOf(scene, fault))) return null;
    const revive = await scene.env.killPrimary();
    await pause(fault.forMs);
    await revive();
    return () => scene.env.settled();
  },

  /** An operator builds an index, and the server takes its time for it. */
  async indexBuild(scene, { detail, forMs, moment }) {
    if (!(await momentOf(scene, { kind: '', moment, forMs, detail, tail: '' }))) return null;
    const place = placeOf(scene, detail);
    // A name that is free would be taken by it.
    if (
      (await scene.env.client.db(place.db).listCollections({ name: place.name }).toArray())
        .length === 0
    )
      return null;
    const primary = await scene.env.primary();
    const { MongoClient } = require('mongodb');
    const direct =
      primary && (await new MongoClient(primary.proxy.uri).connect().catch(() => null));
    const hang = async (/** @type {string} */ mode) =>
      direct
        ?.db('admin')
        .command({ configureFailPoint: 'hangAfterStartingIndexBuild', mode })
        .catch(() => undefined);
    await hang('alwaysOn');
    const name = `op_${Date.now()}`;
    const built = place.collection.createIndex({ op: 1 }, { name }).then(
      () => {
        scene.own.indexes.push(`${place.ns} ${name}`);
        return 'built';
      },
      (/** @type {Error} */ error) => error.message,
    );
    await pause(SHORTEST_BUILD_MS + forMs);
    await hang('off');
    scene.notify(`index on ${place.ns}: ${await Promise.race([built, pause(10_000)])}`);
    await direct?.close(true);
    return async () => undefined;
  },

  async schema(scene, fault) {
    if (!(await momentOf(scene, fault))) return null;
    const place = placeOf(scene, fault.detail);
    const changes = [
      { collMod: place.name, validator: { n: { $ne: 'never' } }, validationLevel: 'moderate' },
      { collMod: place.name, index: { name: 'n_1', hidden: true } },
      { collMod: place.name, index: { name: 'ttl', expireAfterSeconds: 90_000 } },
      { dropIndexes: place.name, index: 'n_1' },
    ];
    const change = changes[fault.forMs % changes.length];
    scene.notify(
      `${JSON.stringify(change)} on ${place.ns}: ${await scene.env.client
        .db(place.db)
        .command(change)
        .then(
          () => 'done',
          (error) => error.message,
        )}`,
    );
    return async () => undefined;
  },

  /** Never what holds the only data: that would be lost by no fault of a split. */
  async operatorDrops(scene, fault) {
    const isOld = ['renamedTo', 'view of the source'].includes(fault.detail);
    if (!(await (isOld ? isSwitched(scene) : momentOf(scene, fault)))) return null;
    const detail = ['staging', 'renamedTo', 'view of the source', 'view of the target'].includes(
      fault.detail,
    )
      ? fault.detail
      : 'staging';
    const place = placeOf(scene, detail);
    const split = await scene.env.client
      .db('tune')
      .collection('splits')
      .findOne({ planId: scene.id });
    const info = (
      await scene.env.client.db(place.db).listCollections({ name: place.name }).toArray()
    )[0];
    const isOnly =
      (detail === 'renamedTo' && !['switched', 'finished'].includes(split?.phase)) ||
      (detail === 'staging' && String(split?.phase).endsWith('-back'));
    const isView = detail.startsWith('view');
    if (!info || isOnly || isView !== (info.type === 'view')) return null;
    if (detail === 'renamedTo' && !isFirst(scene, detail)) return null;
    const renamed = fault.tail === 'after the end' && !isView;
    const done = await (
      renamed ? place.collection.rename(`${place.name}__renamed`) : place.collection.drop()
    ).then(
      () => true,
      () => false,
    );
    if (!done) return null;
    scene.own[renamed ? 'renamed' : 'dropped'].push(detail);
    scene.notify(
      `the operator ${renamed ? 'renamed' : 'dropped'} ${place.ns} (${info.type}) while it ` +
        `was ${split?.phase}`,
    );
    return async () => undefined;
  },

  async transaction(scene, { forMs, moment }) {
    if (!(await momentOf(scene, { kind: '', moment, forMs, detail: '', tail: '' }))) return null;
    await scene.env.client
      .withSession((session) =>
        session.withTransaction(async () => {
          await scene.env.client
            .db('other')
            .collection('x')
            .updateOne(
              { _id: /** @type {any} */ (1) },
              { $inc: { n: 1 } },
              { session, upsert: true },
            );
          await pause(forMs);
        }),
      )
      .catch(() => undefined);
    return async () => undefined;
  },

  async secondOperator(scene, fault) {
    if (!(await momentOf(scene, fault))) return null;
    const verb = VERBS[fault.detail];
    const other = await scene.second();
    const ended = await Promise.race([other.call(verb, scene.id), pause(SECOND_LIMIT_MS)]);
    scene.notify(`a second operator: ${verb} ${JSON.stringify(ended)}`);
    return async () => undefined;
  },

  /**
   * An operator drops the new place: what was there is gone by his doing, but the old data is the
   * last that is left.
   */
  async targetGone(scene) {
    const { client } = scene.env;
    if (!(await isSwitched(scene)) || !isFirst(scene, 'target')) return null;
    const done = await client
      .db('app2')
      .collection(scene.name)
      .drop()
      .then(
        () => true,
        () => false,
      );
    if (!done) return null;
    scene.own.dropped.push('target');
    scene.notify(`the operator dropped app2.${scene.name}, which was switched`);
    return async () => undefined;
  },

  /** On the new place, where the old data keeps the shorter one. */
  async longerTtl(scene) {
    const { client } = scene.env;
    const switched = async () =>
      (await client.db('app2').listCollections({ name: scene.name }).toArray())[0]?.type ===
      'collection';
    while (!scene.isOver() && !(await switched().catch(() => false))) await pause(POLL_EVERY_MS);
    if (scene.isOver()) return null;
    const done = await client
      .db('app2')
      .command({ collMod: scene.name, index: { name: 'ttl', expireAfterSeconds: 100_000 } })
      .then(
        () => true,
        () => false,
      );
    if (!done) return null;
    scene.own.ttlKept = await client
      .db('app2')
      .collection(scene.name)
      .countDocuments({ _id: /** @type {any} */ (/^ttl-/) })
      .catch(() => null);
    return async () => undefined;
  },
};

/** What a second operator does, by the same chance as the rest. @type {Record<string, string>} */
const VERBS = Object.freeze({
  source: 'resume',
  target: 'cutover',
  staging: 'abort',
  renamedTo: 'rollback',
  'view of the source': 'abort',
  'view of the target': 'resume',
});

/** @param {Scene} scene @param {string} detail */
function placeOf({ env, name, id }, detail) {
  /** @type {Record<string, [string, string]>} */
  const places = {
    source: ['app', name],
    target: ['app2', name],
    staging: ['app2', `${name}__tune_${id}`],
    renamedTo: ['app', `${name}__aside_${id}`],
    'view of the source': ['app', name],
    'view of the target': ['app2', name],
  };
  const [db, own] = places[detail];
  return { db, name: own, ns: `${db}.${own}`, collection: env.client.db(db).collection(own) };
}

module.exports = { FAULTS };
