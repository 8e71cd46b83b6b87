'use strict';

const { TuneError } = require('../../../errors');
const { mapServerError, withoutSecrets } = require('../../../server-errors');
const { wayOf } = require('./about');

/** @typedef {import('../../../split/state').Split} Split */

/** OutOfDiskSpace; other parts of the server, such as the sorting for an index, have codes of their own for it and say it in words. */
const OUT_OF_DISK_SPACE = 14031;
const DISK_IS_FULL = /no space left on device|out ?of ?disk ?space|available disk space/i;

/**
 * What ended the work on a split, as its user should read it: what happened, that nothing is lost, and both ways on.
 * @param {any} error @param {Split} split @param {AbortSignal} [signal] of the user
 * @returns {any} to be thrown; with `id` and `phase`
 */
function stopped(error, split, signal) {
  const told = explained(error, split, signal);
  return told instanceof Object ? Object.assign(told, { id: split.planId, phase: split.phase }) : told;
}

/** @param {any} error @param {Split} split @param {AbortSignal} [signal] */
function explained(error, split, signal) {
  const { planId, source, phase } = split;
  const mapped = mapServerError(error, 'a step of a split', signal);
  if (mapped instanceof TuneError && mapped.code === 'TUNE-30009') {
    mapped.message = `[TUNE-30009] The split of ${source} stopped at a safe point (${phase}). Nothing is lost; tune.split.resume("${planId}") goes on.`;
    return mapped;
  }
  if (error instanceof TuneError || !(mapped instanceof TuneError)) return mapped;
  const said = withoutSecrets(String(error.message));
  if (error.code === OUT_OF_DISK_SPACE || DISK_IS_FULL.test(said)) {
    return new TuneError('TUNE-35014', `The split of ${source} stopped (${phase}): the server's disk is full: ${said}. Nothing is lost, and how far it is is kept.${waysOn(split, 'With room on every member')}`, { cause: error, value: phase });
  }
  return new TuneError(mapped.code, `The split of ${source} stopped (${phase}): ${REASONS[mapped.code] ?? 'the server refused a step'}: ${said}. Nothing is lost.${waysOn(split, 'When the cause is gone')}`, { cause: error, value: phase });
}

/** @type {Readonly<Partial<Record<import('../../../errors').Code, string>>>} */
const REASONS = Object.freeze({ 'TUNE-20005': 'the user you are logged in as may not do its next step', 'TUNE-20006': 'the connection was lost for too long' });

/** @param {Split} split @param {string} when */
function waysOn(split, when) {
  const back = wayOf(split, 'back');
  return ` ${when}, tune.split.resume("${split.planId}") goes on${back ? `; ${back} ${back.includes('rollback') ? 'takes it back' : 'gives it up'}` : ''}.`;
}

module.exports = { stopped };
