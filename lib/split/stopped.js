'use strict';

const { callText } = require('../base/pure/printable');
const { TuneError } = require('../base/pure/errors');
const { mapServerError, withoutSecrets } = require('../base/server-errors');
const { PHASE_TABLE, READY_PHASES } = require('./pure/phase-table');
const { ownId } = require('./pure/split-names');
const { isBlocked, callOf } = require('./split-status');

/**
 * @import { Code } from '../base/pure/errors'
 * @import { Open } from './blocked-names'
 * @import { Seen } from './split-status'
 */

/** @typedef {Seen & { isHandedOver?: boolean }} Split `isHandedOver`: the guardian continues it */

/**
 * OutOfDiskSpace; other parts of the server, such as the sorting for an index, have other codes for
 * it and name it in words.
 */
const OUT_OF_DISK_SPACE = 14031;
const DISK_IS_FULL = /no space left on device|out ?of ?disk ?space|available disk space/i;

/**
 * Explains what ended the work on a split, as its user should read it: what happened, what holds
 * now, and the commands that continue or revert.
 * @param {any} error
 * @param {Split} split
 * @param {AbortSignal} [signal] the user's signal
 * @returns {any} the error to throw, with `id` and `phase`
 */
function stopped(error, split, signal) {
  const isHandedOver = error instanceof Object && error.isHandedOver === true;
  const reported = withReason(error, { ...split, isHandedOver }, signal);
  return reported instanceof Object
    ? Object.assign(reported, { id: split.planId, phase: split.phase })
    : reported;
}

/** @param {any} error @param {Split} split @param {AbortSignal} [signal] */
function withReason(error, split, signal) {
  const mapped = mapServerError(error, 'a step of a split', signal);
  if (!(mapped instanceof TuneError)) return mapped;
  if (mapped.code === 'TUNE-30009') return interrupted(mapped, split, error.undone);
  return error instanceof TuneError ? withState(error, split) : ofServer(mapped.code, error, split);
}

/** @param {TuneError} mapped @param {Split} split @param {string} [undone] */
function interrupted(mapped, split, undone) {
  const now = undone ?? activeNameWords(split);
  // That sentence contains the next commands.
  const on = !undone && isBlocked(split) ? '' : ` ${ways(split, undone)}.`;
  mapped.message = `[TUNE-30009] The split of ${split.source} was interrupted (${split.phase}). ${now}${on}`;
  return mapped;
}

/** Says which name takes writes. @param {Split} split */
function activeNameWords(split) {
  if (isBlocked(split)) return blocked(split);
  if (split.namesUnknown)
    return `It is not known whether ${split.source} and ${split.target} are blocked. Nothing is lost.`;
  if (split.phase.startsWith('switching'))
    return (
      `${split.phase === 'switching' ? split.target : split.source} is active. Whether it has all ` +
      'writes is not known: the next command compares.'
    );
  const name = {
    switched: split.target,
    'cutting-back': split.target,
    'draining-back': split.target,
    aborting: null,
  }[/** @type {string} */ (split.phase)];
  return name === null ? 'Nothing is lost.' : `${name ?? split.source} is active. Nothing is lost.`;
}

/** The words of a message for what each command does. */
const DOES = Object.freeze({
  resume: 'continues',
  cutover: 'cuts over',
  finish: 'drops the old data',
  rollback: 'rolls it back',
  abort: 'ends the split',
});

/**
 * Names the commands that continue from here. Resume does not cut: where nothing is cut off it only
 * applies writes.
 * @param {Split} split
 * @param {string} [undone]
 * @returns {string} a clause
 */
function nextCommands(split, undone) {
  const { phase, mode } = split;
  const call = (/** @type {string} */ verb) =>
    callText(`split.${verb}`, ownId(split), { confirm: true });
  const verb = PHASE_TABLE[phase].way === 'reverse' ? 'rollback' : 'cutover';
  if (undone) return `${call(mode === 'offline' ? 'resume' : verb)} retries it`;
  if (split.reopened) return `${call('resume')} completes that`;
  if (!READY_PHASES.includes(phase)) return `${callOf(split, 'next') ?? call('resume')} continues`;
  const brought = `${call('resume')} applies the writes since then`;
  return [brought, doing(split, 'next')].filter(Boolean).join('; ');
}

/** @param {Split} split @param {'next' | 'back'} way @returns {string | null} a clause */
function doing(split, way) {
  const verb = /** @type {keyof typeof DOES | null} */ (PHASE_TABLE[split.phase][way]);
  const call = callOf(split, way);
  return call && verb && `${call} ${DOES[verb]}`;
}

/** @param {TuneError} error @param {Split} split */
function withState(error, split) {
  const { code } = /** @type {any} */ (error);
  // That error says everything already.
  if (code === 'TUNE-35013') return error;
  // That error names the next command; the same command again would change nothing.
  if (code === 'TUNE-35017') return Object.assign(error, { message: withNames(error, split) });
  if (isBlocked(split) && !error.message.includes(BLOCKED))
    error.message = `${error.message} ${blocked(split)}`;
  return error;
}

/** @param {TuneError} error @param {Split} split @returns {string} */
function withNames({ message }, split) {
  const { source, target, open = [] } = split;
  if (open.length > 0) return [message, ...open.map((name) => seen(name))].join(' ');
  return isBlocked(split) ? `${message} ${source} and ${target} ${BLOCKED}.` : message;
}

/** @param {Code} code @param {any} error @param {Split} split */
function ofServer(code, error, split) {
  const { source, phase } = split;
  const said = withoutSecrets(String(error.message));
  const state = error.undone ?? afterwards(split);
  if (error.code === OUT_OF_DISK_SPACE || DISK_IS_FULL.test(said)) {
    return new TuneError(
      'TUNE-35014',
      `The split of ${source} stopped (${phase}): the server's disk is full: ${said}. ` +
        `${state} Its progress is ` +
        `saved.${waysOn(split, 'With free space on every member', error.undone)}`,
      { cause: error, value: phase },
    );
  }
  return new TuneError(
    code,
    `The split of ${source} stopped (${phase}): ` +
      `${REASONS[code] ?? 'the server rejected a step'}: ${said}. ` +
      `${state}${waysOn(split, 'After the cause is fixed', error.undone)}`,
    { cause: error, value: phase },
  );
}

const BLOCKED = 'are blocked until then';

/** Says what holds for the applications meanwhile. @param {Split} split */
const afterwards = (split) => (isBlocked(split) ? blocked(split) : 'Nothing is lost.');

/** @param {Split} split */
function blocked(split) {
  const [on, back] = [callOf(split, 'next'), callOf(split, 'back')];
  const ways = `run ${on}${back ? `, or ${back}` : ''} now`;
  const { open = [] } = split;
  if (open.length > 0) return `${open.map(unexpected).join(' ')} Then ${ways}.`;
  if (split.isHandedOver)
    return (
      `${split.source} and ${split.target} are blocked for some seconds, until the ` +
      'guardian has completed the step or rolled it back. If they are still blocked ' +
      `after a minute: ${ways}. Nothing is lost.`
    );
  return `${split.source} and ${split.target} ${BLOCKED}: ${ways}. Nothing is lost.`;
}

/** @param {Open} name a name that refuses no writes */
function unexpected(name) {
  if (name.isFree || name.otherSplit) return seen(name);
  return seen(name).replace(/\.$/, `: ${WAYS_OUT[name.kind ?? 'collection']}.`);
}
const WAYS_OUT = Object.freeze({
  view: 'tune.split.status() shows the command that blocks it',
  'time series': 'stop its writers, copy it, and drop it',
  collection: 'stop its writers, and rename that collection',
});

/** @param {Open} name */
function seen({ ns, isFree, otherSplit, kind }) {
  if (otherSplit) return `${ns} takes writes into a collection of the split ${otherSplit}.`;
  if (kind === 'view') return `${ns} is a view of another session.`;
  return isFree
    ? `${ns} is not blocked: a write creates a new collection there, outside the ` +
        'split. Stop its writers.'
    : `${ns} takes writes into a new ${kind ?? 'collection'}, outside the split.`;
}

/** @type {Readonly<Partial<Record<Code, string>>>} */
const REASONS = Object.freeze({
  'TUNE-20005': 'this user lacks a privilege for its next step',
  'TUNE-20006': 'the connection was lost for too long',
});

/** @param {Split} split @param {string} when @param {string} [undone] */
const waysOn = (split, when, undone) => ` ${when}, ${ways(split, undone)}.`;

/**
 * Names the command that continues, and the one that reverts where there is one.
 * @param {Split} split @param {string} [undone]
 */
const ways = (split, undone) =>
  [nextCommands(split, undone), undone ? null : doing(split, 'back')].filter(Boolean).join('; ');

module.exports = { stopped };
