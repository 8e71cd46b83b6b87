'use strict';

/**
 * @import { Phase } from '../state'
 */

/**
 * @typedef {'online' | 'offline'} Mode
 * @typedef {'forward' | 'reverse'} Way from the source to the target, or back
 * @typedef {'planned' | 'copying' | 'ready' | 'cutting' | 'draining' | 'switching' | 'aborting' |
 *   'over'} Stage `ready`: one side follows the other, which takes the writes; `cutting` to
 *   `switching`: the other name will soon take them
 * @typedef {{
 *   way: Way | null, stage: Stage, blocks: Readonly<Record<Mode, boolean | null>>,
 *   next: string | null, back: string | null
 * }} Row `way`: the direction in which documents are copied; `blocks`: whether neither name takes
 *   writes, null: the phase alone does not report it; `next`, `back`: the command that continues,
 *   and the one that reverts
 */

/**
 * @param {[Way | null, Stage, boolean | null, boolean | null, string | null, string | null]} columns
 *   in the order of Row, those of `blocks` online first
 * @returns {Row}
 */
const row = ([way, stage, online, offline, next, back]) =>
  Object.freeze({ way, stage, blocks: Object.freeze({ online, offline }), next, back });

/**
 * The phases of a split, each in one row (docs/dev/split-phases.md).
 * @type {Readonly<Record<Phase, Row>>}
 */
const PHASE_TABLE = Object.freeze({
  planned: row(['forward', 'planned', false, false, 'resume', 'abort']),
  created: row(['forward', 'copying', false, true, 'resume', 'abort']),
  copying: row(['forward', 'copying', false, true, 'resume', 'abort']),
  indexing: row(['forward', 'copying', false, true, 'resume', 'abort']),
  following: row(['forward', 'ready', false, false, 'cutover', 'abort']),
  cutting: row(['forward', 'cutting', null, null, 'resume', 'abort']),
  draining: row(['forward', 'draining', true, false, 'resume', 'abort']),
  switching: row(['forward', 'switching', null, null, 'resume', 'abort']),
  switched: row(['reverse', 'ready', false, false, 'finish', 'rollback']),
  'cutting-back': row(['reverse', 'cutting', null, null, 'rollback', null]),
  'draining-back': row(['reverse', 'draining', true, false, 'rollback', null]),
  'switching-back': row(['reverse', 'switching', null, false, 'rollback', null]),
  'rolled-back': row([null, 'over', false, false, 'finish', null]),
  aborting: row([null, 'aborting', null, null, 'abort', null]),
  aborted: row([null, 'over', false, false, 'finish', null]),
  finished: row([null, 'over', false, false, null, null]),
});

/** The stages in which the name that took the writes may refuse them already. */
const CUT = Object.freeze(/** @type {Stage[]} */ (['cutting', 'draining', 'switching']));

/**
 * @param {(row: Row) => boolean} isMeant
 * @returns {readonly Phase[]}
 */
const phasesWhere = (isMeant) =>
  Object.freeze(
    /** @type {[Phase, Row][]} */ (Object.entries(PHASE_TABLE)).flatMap(([phase, one]) =>
      isMeant(one) ? [phase] : [],
    ),
  );

/** Lists the phases of one way. @param {Way} way */
function phasesOf(way) {
  const phaseAt = (/** @type {Stage} */ at) =>
    phasesWhere((one) => one.way === way && one.stage === at)[0];
  return Object.freeze({
    ready: phaseAt('ready'),
    cutting: phaseAt('cutting'),
    draining: phaseAt('draining'),
    switching: phaseAt('switching'),
  });
}

/** @type {Readonly<Record<Way, ReturnType<typeof phasesOf>>>} */
const PHASES = Object.freeze({ forward: phasesOf('forward'), reverse: phasesOf('reverse') });

/**
 * The phases from a copy that follows to the other name that answers.
 * @type {Readonly<Record<Way, readonly Phase[]>>}
 */
const CUTOVER_PHASES = Object.freeze({
  forward: Object.freeze(Object.values(PHASES.forward)),
  reverse: Object.freeze(Object.values(PHASES.reverse)),
});

/** The phases in which nothing of the source depends on the copy. */
const COPY_PHASES = phasesWhere(({ way, stage }) => way === 'forward' && !CUT.includes(stage));

/** The phases in which both sides have data, and one follows the other. */
const READY_PHASES = phasesWhere(({ stage }) => stage === 'ready');

/**
 * Returns the word for a copy from the beginning: after the cutover there is data already.
 * @param {{ phase: string }} split
 */
const restartVerb = ({ phase }) => (phase === 'switched' ? 'Renew' : 'Copy again');

/** @param {{ mode: Mode, phase: Phase }} split @returns {boolean} whether one side follows the other */
const canCatchUp = ({ mode, phase }) => mode === 'online' && READY_PHASES.includes(phase);

/**
 * Says whether the target's view exists, and the source takes the writes.
 * @param {{ mode: Mode, phase: Phase }} split
 */
function isBeforeCut({ phase, mode }) {
  const { way = null, stage = null } = PHASE_TABLE[phase] ?? {};
  return mode === 'online' && way === 'forward' && (stage === 'copying' || stage === 'ready');
}

/**
 * The phases in which the source's name may answer reads with old data: from the cut on, until the
 * source answers again.
 */
const OLD_READ_PHASES = phasesWhere(
  ({ way, stage }) => way === 'reverse' || stage === 'draining' || stage === 'switching',
);

/** The phases in which a rollback may have cut the target off, which has the data in any case. */
const CUT_BACK_PHASES = Object.freeze([PHASES.reverse.cutting, PHASES.reverse.draining]);

/** The phases in which an abort leaves the source with all that was written. */
const ABORTABLE = phasesWhere(({ back, stage }) => back === 'abort' || stage === 'aborting');

/** @param {Phase} phase @returns {Way | null} the way of a cut that has begun, or may have */
const cutWayOf = (phase) =>
  CUT.includes(PHASE_TABLE[phase].stage) ? PHASE_TABLE[phase].way : null;

/**
 * Says whether a name may refuse until a command continues.
 * @param {{ phase: Phase, reopened?: unknown }} split
 */
const isUnfinished = ({ phase, reopened }) =>
  Boolean(reopened) || phase === 'aborting' || cutWayOf(phase) !== null;

/**
 * Says whether a shell that dies leaves what must not last. Before an abort is written down, a guardian
 * would continue the cutover that the user gives up; a name that is only to be reopened it opens.
 * @param {Parameters<typeof isUnfinished>[0]} split @param {boolean} [undoes] its command is abort
 */
const isLeftBehind = (split, undoes = false) =>
  isUnfinished(split) && (!undoes || Boolean(split.reopened) || split.phase === 'aborting');

/**
 * Whether the name that took the writes is cut off for certain.
 * @param {Phase} phase @param {Way | null} [way] left out: whichever it is
 */
const isCutOff = (phase, way = cutWayOf(phase)) =>
  way !== null && cutWayOf(phase) === way && phase !== PHASES[way].cutting;

/**
 * @param {Phase} phase
 * @param {Mode} mode
 * @returns {boolean | null} whether neither name takes writes; null: the phase does not report it
 */
const blocksIn = (phase, mode) =>
  // A newer edition of tune may have other phases.
  phase in PHASE_TABLE ? PHASE_TABLE[phase].blocks[mode] : false;

/**
 * Says whether a cut is being undone: its phase is that before the cut, but both names still
 * refuse.
 * @param {{ phase: Phase, mode: string, blocked?: boolean }} row
 */
const isBeingUndone = ({ phase, mode, blocked = false }) =>
  blocked && blocksIn(phase, /** @type {Mode} */ (mode)) === false;

/** @param {Mode} mode @param {boolean | null} blocks as in blocksIn */
const phasesThatBlock = (mode, blocks) => phasesWhere((one) => one.blocks[mode] === blocks);

/** @param {{ history: readonly { phase: Phase }[] }} split @param {Phase} phase @returns {boolean} */
const wasIn = ({ history }, phase) => history.some((one) => one.phase === phase);

module.exports = {
  PHASE_TABLE,
  PHASES,
  CUTOVER_PHASES,
  COPY_PHASES,
  READY_PHASES,
  canCatchUp,
  OLD_READ_PHASES,
  ABORTABLE,
  CUT_BACK_PHASES,
  cutWayOf,
  isBeforeCut,
  isBeingUndone,
  isLeftBehind,
  isUnfinished,
  wasIn,
  blocksIn,
  isCutOff,
  phasesThatBlock,
  restartVerb,
};
