'use strict';

const { checkOptions, flag } = require('../options');
const { TuneError } = require('../errors');
const { catchUpBack, goOn, isCutting } = require('../split/phases');
const { abortSplit, beginAnew, rollBack } = require('../split/undo');
const { splitsOf } = require('../split/state');
const { aboutSplit } = require('./shared/split/about');
const { noSuch, shown, withWork } = require('./shared/split/act');

const OPTIONS = { again: flag(), confirm: flag() };
/** In these nothing of the old data depends on the copy. */
const BEFORE_THE_CUT = Object.freeze(['planned', 'created', 'copying', 'indexing', 'following']);

/**
 * Goes on with a split where it was left, in whatever phase: the shell was closed, the connection lost, the primary another.
 * What was confirmed once needs no confirmation again. In a split that is switched it brings what is written back to the old data.
 * @param {import('./shared/split/act').Context} ctx
 * @param {string} [id] @param {{ again?: boolean, confirm?: boolean }} [options] `again`: with a new copy, which needs confirm
 */
async function splitResume(ctx, id, options) {
  const { again = false, confirm = false } = checkOptions('tune.split.resume', OPTIONS, options);
  const splits = await splitsOf(ctx.port, id);
  if (id !== undefined && splits.length === 0) throw noSuch(id);
  if (again && !confirm) return shown('tune.split.resume', splits.map((split) => ({ ...aboutSplit(split), does: [`The copy ${split.into.db}.${split.into.working} is dropped and made anew.`] })), `tune.split.resume("${id ?? splits[0]?.planId}", { again: true, confirm: true })`);
  const done = [];
  for (const split of splits) done.push(await withWork(ctx, split, (work) => resumed(work, again)));
  return shown('tune.split.resume', done.map((split) => ({ ...aboutSplit(split), does: null })), null);
}

/** @param {import('../split/work').Work} work @param {boolean} again */
async function resumed(work, again) {
  const { phase, mode } = work.split;
  if (again && !BEFORE_THE_CUT.includes(phase)) throw new TuneError('TUNE-35010', `${work.split.source} is ${phase}: its copy can not be made anew.`, { value: phase, allowed: BEFORE_THE_CUT });
  if (again) await beginAnew(work);
  if (phase === 'aborting') return abortSplit(work);
  if (phase.endsWith('-back') && phase !== 'rolled-back') return rollBack(work);
  if (phase === 'switched') return mode === 'online' ? catchUpBack(work) : undefined;
  return goOn(work, isCutting(phase) ? 'switched' : 'ready');
}

module.exports = { splitResume };
