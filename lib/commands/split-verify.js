'use strict';

const { checkOptions } = require('../options');
const { TuneError } = require('../errors');
const { catchUp, catchUpBack } = require('../split/following');
const { persist } = require('../split/persist');
const { back, forth } = require('../split/names');
const { splitsOf } = require('../split/state');
const { compare, verifiedOf } = require('../split/verify');
const { aboutSplit } = require('./shared/split/about');
const { readArguments } = require('./shared/split/arguments');
const { noSuch, shown, withWork } = require('./shared/split/act');

const PHASES = Object.freeze(['following', 'switched']);

/**
 * Compares both sides document by document, byte by byte. What differs is brought over again from the side that counts; what
 * differs after that too is a difference. Before the cutover the source counts, after it the target.
 * @param {import('./shared/split/act').Context} ctx
 * @param {string} [first] the id; may be left out
 */
async function splitVerify(ctx, first) {
  const { id, given } = readArguments('tune.split.verify', first);
  checkOptions('tune.split.verify', {}, given);
  const all = await splitsOf(ctx.port, id, { phase: { $in: PHASES } });
  if (id !== undefined && all.length === 0) throw noSuch(id);
  const done = [];
  for (const split of all) done.push(await withWork(ctx, split, verify));
  return shown('tune.split.verify', done.map((split) => ({ ...aboutSplit(split), does: null })), null);
}

/** @param {import('../split/work').Work} work */
async function verify(work) {
  const { phase, mode, source } = work.split;
  if (!PHASES.includes(phase)) throw new TuneError('TUNE-35010', `${source} is ${phase}: there are no two sides to compare.`, { value: phase, allowed: PHASES });
  const leg = phase === 'following' ? forth(work.split) : back(work.split);
  const follow = phase === 'following' ? catchUp : catchUpBack;
  const moving = mode === 'online' ? () => follow(work) : null;
  if (moving) await moving();
  await work.save({ verified: verifiedOf(await compare(work, leg, moving)) });
}

module.exports = { splitVerify };
