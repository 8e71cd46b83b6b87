'use strict';

const { checkOptions, flag } = require('../options');
const { TuneError } = require('../errors');
const { catchUpBack, goOn, isCutting, stay } = require('../split/phases');
const { abortSplit, beginAnew, beginBackAnew, rollBack } = require('../split/undo');
const { splitsOf } = require('../split/state');
const { aboutSplit } = require('./shared/split/about');
const { readArguments } = require('./shared/split/arguments');
const { noSuch, shown, withWork } = require('./shared/split/act');

const OPTIONS = { again: flag(), follow: flag(), confirm: flag() };
/** In these nothing of the old data depends on the copy. */
const BEFORE_THE_CUT = Object.freeze(['planned', 'created', 'copying', 'indexing', 'following']);

/**
 * Goes on with a split where it was left, in whatever phase: the shell was closed, the connection lost, the primary another.
 * What was confirmed once needs no confirmation again. In a split that is switched it brings what is written back to the old data.
 * @param {import('./shared/split/act').Context} ctx
 * @param {string | object} [first] the id; may be left out @param {{ again?: boolean, follow?: boolean, confirm?: boolean }} [options] `again`: with a new copy, which needs confirm;
 *   after the switch with a comparison of everything; `follow`: then it stays, and brings over what is written until Ctrl-C
 */
async function splitResume(ctx, first, options) {
  const { id, given } = readArguments('tune.split.resume', first, options);
  const { again = false, follow = false, confirm = false } = checkOptions('tune.split.resume', OPTIONS, given);
  const splits = await splitsOf(ctx.port, id);
  if (id !== undefined && splits.length === 0) throw noSuch(id);
  if (again && !confirm) return onlyShown(splits, id);
  let done = [];
  for (const split of splits) done.push(await withWork(ctx, split, (work) => (again ? begunAnew(work) : resumed(work))));
  if (follow) done = await Promise.all(done.map((split) => (canStay(split) ? withWork(ctx, split, stay) : split)));
  return shown('tune.split.resume', done.map((split) => ({ ...aboutSplit(split), does: null })), null);
}

/** @param {import('../split/state').Split[]} splits @param {string | undefined} id */
const onlyShown = (splits, id) => shown('tune.split.resume', splits.map((split) => ({ ...aboutSplit(split), does: [anew(split)] })), `tune.split.resume("${id ?? splits[0]?.planId}", { again: true, confirm: true })`);

/** @param {import('../split/state').Split} split */
const anew = ({ phase, source, target, into }) => (phase === 'switched'
  ? `${target} and the old data of ${source} are compared, and what differs is brought back to the old data.`
  : `The copy ${into.db}.${into.working} is dropped and made anew.`);

/** @param {import('../split/work').Work} work */
async function begunAnew(work) {
  const { phase, mode } = work.split;
  if (phase === 'switched' && mode === 'online') return beginBackAnew(work);
  if (!BEFORE_THE_CUT.includes(phase)) throw new TuneError('TUNE-35010', `${work.split.source} is ${phase}: its copy can not be made anew.`, { value: phase, allowed: BEFORE_THE_CUT });
  await beginAnew(work);
  return goOn(work, 'ready');
}

/** @param {import('../split/work').Work} work */
async function resumed(work) {
  const { phase, mode } = work.split;
  if (phase === 'aborting') return abortSplit(work);
  if (phase.endsWith('-back') && phase !== 'rolled-back') return rollBack(work);
  if (phase === 'switched') return mode === 'online' ? catchUpBack(work) : undefined;
  return goOn(work, isCutting(phase) ? 'switched' : 'ready');
}

/** @param {import('../split/state').Split} split */
const canStay = ({ phase, mode }) => mode === 'online' && (phase === 'following' || phase === 'switched');

module.exports = { splitResume };
