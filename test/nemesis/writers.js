'use strict';

/**
 * Writers that go to the other name where they are refused, as docs/split.md has it, and that know
 * of each of their operations what became of it. Each has documents of its own. A change adds the
 * number of its operation to a list in the document, so that one that is lost, done twice, or
 * undone shows by itself.
 */
const { MongoClient } = require('mongodb');

/**
 * @import { Document } from 'mongodb'
 */

const REFUSED = Object.freeze([166, 241]);
const PAUSE_MS = 40;
const REFUSED_PAUSE_MS = 50;
/** Documents of a writer that are changed again and again. */
const HOT = 12;
const WRITERS = 16;
const STOP_LIMIT_MS = 20_000;

/**
 * @typedef {'acknowledged' | 'unknown'} Fate
 * @typedef {{ ops: Map<number, Fate>, deleted: Set<number> }} Entry `ops`: those that may be in the
 *   document; one that
 *   was deleted has none
 */

/** @param {string} uri @param {{ name: string, places?: string[], writers?: number }} where */
async function startWriters(uri, { name, places = ['app', 'app2'], writers = WRITERS }) {
  const client = await new MongoClient(uri, {
    appName: 'writers',
    maxPoolSize: writers,
    writeConcern: { w: 'majority' },
  }).connect();
  /** @type {Map<string, Entry>} */ const register = new Map();
  const counts = {
    acknowledged: 0,
    refused: 0,
    unknown: 0,
    lastAt: Date.now(),
    longestGapMs: 0,
    refusedSince: 0,
    longestRefusedMs: 0,
    byPlace: /** @type {Record<string, number>} */ ({}),
  };
  const state = { on: true, number: 0 };

  const acknowledged = (/** @type {string} */ place) => {
    const now = Date.now();
    counts.longestGapMs = Math.max(counts.longestGapMs, now - counts.lastAt);
    if (counts.refusedSince > 0)
      counts.longestRefusedMs = Math.max(counts.longestRefusedMs, now - counts.refusedSince);
    Object.assign(counts, { lastAt: now, refusedSince: 0, acknowledged: counts.acknowledged + 1 });
    counts.byPlace[place] = (counts.byPlace[place] ?? 0) + 1;
  };

  /**
   * @param {string[]} mine the name that it believes in first
   * @param {ReturnType<typeof nextChange>} change
   * @returns {Promise<boolean>} false: refused, so the same at the other one
   */
  async function attempt(mine, change) {
    try {
      await change.operate(client.db(mine[0]).collection(name));
      change.done('acknowledged');
      acknowledged(mine[0]);
      return true;
    } catch (error) {
      if (REFUSED.includes(error.code)) {
        mine.reverse();
        counts.refused += 1;
        counts.refusedSince ||= Date.now();
      } else {
        // What the driver sent a second time may have been done by the first, whatever the second
        // was told.
        counts.unknown += 1;
        change.done('unknown');
      }
      await pause(REFUSED_PAUSE_MS);
      return !REFUSED.includes(error.code);
    }
  }

  async function writer(/** @type {number} */ w) {
    const mine = [...places];
    for (let turn = 0; state.on; turn += 1) {
      const change = nextChange(register, { w, turn, op: (state.number += 1) });
      while (!(await attempt(mine, change)) && state.on);
      await pause(PAUSE_MS);
    }
  }
  const running = Promise.all(Array.from({ length: writers }, (_, w) => writer(w)));
  return {
    register,
    counts,
    async stop() {
      state.on = false;
      // Without a majority none of them comes back.
      await Promise.race([running, pause(STOP_LIMIT_MS)]);
      await client.close(true);
    },
  };
}

/**
 * What a writer does next.
 * @param {Map<string, Entry>} register
 * @param {{ w: number, turn: number, op: number }} of
 */
function nextChange(register, { w, turn, op }) {
  const _id = turn % 4 === 0 ? `w${w}-once-${op}` : `w${w}-${turn % HOT}`;
  const { ops, deleted } = register.get(_id) ?? { ops: new Map(), deleted: new Set() };
  register.set(_id, { ops, deleted });
  const isSure = ops.size > 0 && ![...ops.values()].includes('unknown');
  if (isSure && turn % 7 === 3) {
    return {
      operate: (/** @type {any} */ to) => to.deleteOne({ _id }),
      done(/** @type {Fate} */ fate) {
        if (fate === 'acknowledged') {
          for (const one of ops.keys()) deleted.add(one);
          ops.clear();
        }
        for (const one of ops.keys()) ops.set(one, 'unknown');
      },
    };
  }
  return {
    operate: (/** @type {any} */ to) =>
      to.updateOne(
        { _id },
        { $inc: { n: 1 }, $push: { ops: op }, $set: { unique: `u${op}` } },
        { upsert: true },
      ),
    done(/** @type {Fate} */ fate) {
      ops.set(op, fate);
    },
  };
}

/**
 * What is wrong with the documents of writers, where the data is now.
 * @param {Map<string, Entry>} register @param {Document[]} found
 */
function judge(register, found) {
  const there = new Map(found.map((doc) => [doc._id, doc]));
  const wrong = {
    lost: /** @type {string[]} */ ([]),
    doubled: /** @type {string[]} */ ([]),
    unexpected: /** @type {string[]} */ ([]),
  };
  for (const [_id, { ops, deleted }] of register) {
    const { n = 0, ops: seen = [] } = there.get(_id) ?? {};
    there.delete(_id);
    const missing = [...ops]
      .filter(([op, fate]) => fate === 'acknowledged' && !seen.includes(op))
      .map(([op]) => op);
    if (missing.length > 0) wrong.lost.push(`${_id}: ${missing}`);
    if (new Set(seen).size !== seen.length || n !== seen.length)
      wrong.doubled.push(`${_id}: ${n} of ${seen}`);
    const strange = seen.filter((/** @type {number} */ op) => !ops.has(op));
    const what = strange.map(
      (/** @type {number} */ op) => `${op} ${deleted.has(op) ? 'deleted' : 'never answered'}`,
    );
    if (what.length > 0) wrong.unexpected.push(`${_id}: ${what} of ${seen}`);
  }
  wrong.unexpected.push(...[...there.keys()].map((_id) => `${_id}: nobody's`));
  return wrong;
}

/** The end of a round does not wait for what was only a limit. */
const pause = (/** @type {number} */ ms) =>
  new Promise((resolve) => {
    setTimeout(resolve, ms).unref();
  });

module.exports = { startWriters, judge };
