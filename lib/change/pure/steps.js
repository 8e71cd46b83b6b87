'use strict';

const { byGroup, pick, settingsOf } = require('../../config/change');
const { effective, conflictsOf } = require('../../config/thresholds');
const { configStringOf } = require('../../config/engine-config');
const { limitsAfter, aboveLimits, isBelow } = require('./levels');

/**
 * @import { Change } from '../../base/types'
 * @import { Conflict, Raw } from '../../config/thresholds'
 * @import { Entry } from './journal'
 * @import { Levels, Limit } from './levels'
 * @import { TimelineEvent } from './timeline'
 */

/**
 * Makes the steps of a change, in their order. A call holds one group of keys: when WiredTiger
 * refuses it, a part may have been applied. Lowering a trigger below the present level stops every
 * client until the disk has drained the difference, and a smaller cache does the same. So the
 * target goes first, then comes a wait; where the load keeps the level up, it lowers the trigger in
 * steps (ramp-down.js, docs/evidence/live-changes.md).
 *
 * @typedef {{ kind: 'set', group: string, change: Change, config: string } | { kind: 'wait',
 *   limits: Limit[], group: string, change: Change }} Step `wait`: a wait before this change of the
 *   group
 */

const TARGETS = Object.freeze(
  /** @type {const} */ (['evictionTarget', 'evictionDirtyTarget', 'evictionUpdatesTarget']),
);

/**
 * @param {Raw} before @param {Change} change @param {Levels} levels the bytes in the cache now
 * @param {{ wait?: boolean }} [options] `wait: false`: all steps at once
 * @returns {Step[]}
 */
function makeSteps(before, change, levels, { wait = true } = {}) {
  const parts = inOrder(
    before,
    byGroup(change).filter(({ group }) => group !== 'syncdelay'),
  );
  /** @type {Step[]} */
  const steps = [];
  let state = before;
  for (const part of parts) {
    steps.push(...(wait ? withWait(state, part, levels) : [set(part)]));
    state = { ...state, ...part.change };
  }
  return steps;
}

/** @typedef {{ group: string, change: Change }} Part */

/** @param {Part} part @returns {Step} */
const set = ({ group, change }) => ({ kind: 'set', group, change, config: configStringOf(change) });

/** @param {Raw} state @param {Part} part @param {Levels} levels @returns {Step[]} */
function withWait(state, part, levels) {
  const limits = limitsAfter(state, part.change);
  if (aboveLimits(limits, levels).length === 0) return [set(part)];
  const [was, is] = [effective(state).percent, effective({ ...state, ...part.change }).percent];
  const first = pick(
    part.change,
    // A value that is not known may be above.
    TARGETS.filter((setting) => isBelow(is[setting], was[setting] ?? Infinity)),
  );
  const targets =
    settingsOf(first).length > 0 && settingsOf(first).length < settingsOf(part.change).length
      ? [set({ group: part.group, change: first })]
      : [];
  return [...targets, { kind: 'wait', limits, ...part }, set(part)];
}

/**
 * Returns the first order of the groups in which nothing contradicts at any step; the order of the
 * table, if there is none.
 * @param {Raw} before
 * @param {Part[]} parts
 * @returns {Part[]}
 */
function inOrder(before, parts) {
  const known = new Set(conflictsOf(before).map(({ settings }) => settings.join()));
  // A number of bytes that does not fit is refused half-way; two settings in a wrong order may stay
  // so.
  const isAllowed = (/** @type {Conflict} */ { kind, settings }) =>
    kind === 'order' && known.has(settings.join());
  return search(before, parts, isAllowed) ?? parts;
}

/**
 * @param {Raw} state @param {Part[]} left @param {(conflict: Conflict) => boolean} isAllowed
 * @returns {Part[] | null}
 */
function search(state, left, isAllowed) {
  if (left.length === 0) return [];
  for (const part of left) {
    const next = { ...state, ...part.change };
    const rest = conflictsOf(next).every(isAllowed)
      ? search(
          next,
          left.filter((other) => other !== part),
          isAllowed,
        )
      : null;
    if (rest) return [part, ...rest];
  }
  return null;
}

/**
 * @param {readonly Step[]} steps
 * @returns {{ setParameter: 1, wiredTigerEngineRuntimeConfig: string }[]}
 */
const commandsOf = (steps) =>
  steps.flatMap((step) =>
    step.kind === 'set'
      ? [{ setParameter: /** @type {const} */ (1), wiredTigerEngineRuntimeConfig: step.config }]
      : [],
  );

/**
 * Makes strings unlike those of other shells. getParameter shows only the last string. If it equals
 * one that a shell with another journal sent, that shell takes it for its own; so blanks are
 * appended, which WiredTiger ignores.
 * @typedef {Extract<Step, { kind: 'set' }>} SetStep
 * @typedef {{
 *   timeline: readonly TimelineEvent[], entries?: readonly Entry[],
 *   external?: readonly { values: { config: string } }[],
 *   history?: { lastString: string | null }, blanks?: number
 * }} Known what is known of this run of the server; `external`: the strings of other sessions
 *   since; `blanks`: to append in any case, since the log has lost what other sessions sent
 */

/**
 * @param {readonly Step[]} steps
 * @param {Known} known
 * @returns {Step[]} steps with strings that no session takes for another one
 */
function unlikeSteps(steps, known) {
  const foreign = externalStrings(known);
  return steps.map((step) => (step.kind === 'set' ? unlike(step, foreign, known) : step));
}

/** @param {SetStep} step @param {Known} known @returns {SetStep} */
const unlikeStep = (step, known) => unlike(step, externalStrings(known), known);

/** @param {SetStep} step @param {ReadonlySet<string>} foreign @param {Known} known @returns {SetStep} */
function unlike(step, foreign, { blanks = 0 }) {
  let config = step.config + ' '.repeat(blanks);
  while (foreign.has(config)) config += ' ';
  return { ...step, config };
}

/**
 * Lists every string that is not of this journal. A timeline lacks some of them: where the log had
 * lost them, the journal knows what the server showed before a call.
 * @param {Known} known
 * @returns {Set<string>}
 */
function externalStrings({ timeline, entries = [], external = [], history }) {
  const own = new Set(entries.flatMap(({ sent }) => sent.map(({ command }) => command)));
  const shown = entries.flatMap(({ was, sent, external: others = [], known }) => [
    was,
    ...sent.map((call) => call.was),
    ...others,
    ...(known ?? []).flatMap(({ config, id }) => (id === null ? [config] : [])),
  ]);
  const foreign = [
    ...timeline.flatMap((event) =>
      event.kind === 'set' && event.id === null ? [event.config] : [],
    ),
    ...external.map(({ values }) => values.config),
    ...shown.flatMap((config) => (config === null || own.has(config) ? [] : [config])),
    // A string that is shown already would not show whether a call arrived.
    ...(history?.lastString ? [history.lastString] : []),
  ];
  // An empty string does not count: nothing was set.
  return new Set(foreign.filter((config) => config !== ''));
}

module.exports = { makeSteps, commandsOf, unlikeSteps, unlikeStep };
