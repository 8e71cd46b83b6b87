'use strict';

const { callText } = require('../base/pure/printable');
const { TuneError, isCode } = require('../base/pure/errors');
const { settingsOf, without } = require('../config/change');
const { settingsIn } = require('../config/effective-config');
const { quoteConfig } = require('../config/engine-config');
const { conflictsOf, newConflicts } = require('../config/thresholds');
const { firstWords, hasPair, valuesThatResolve } = require('./threshold-conflict');
const { planChange, configuredValues } = require('./plan-change');
const { undoId } = require('./pure/journal-groups');
const { setsAny } = require('./pure/later-changes');

/**
 * @import { Change } from '../base/types'
 * @import { Raw } from '../config/thresholds'
 * @import { Planned } from './plan-change'
 * @import { Entry } from './pure/journal'
 * @import { TimelineEvent } from './pure/timeline'
 * @import { Settings } from './types'
 */

/**
 * Plans an undo whose values may contradict what was set since: force does not help then, so the
 * error has the call that does.
 * @param {Entry} entry
 * @param {Change} asked the values before the change
 * @param {Settings} settings
 * @param {Parameters<typeof planChange>[2]} options
 * @returns {Planned}
 * @throws {TuneError} as planChange
 */
function planInOrder(entry, asked, settings, options) {
  try {
    return planChange(asked, settings, options);
  } catch (error) {
    // TUNE-30003: the former cache cannot hold the bytes.
    const isConflict = isCode(error, 'TUNE-30002') || isCode(error, 'TUNE-30003');
    throw (isConflict ? inTheWay(entry, asked, settings) : null) ?? error;
  }
}

/**
 * @param {Entry} entry @param {Change} asked @param {Settings} settings
 * @returns {TuneError | null} null: the obstacle is not known
 */
function inTheWay(entry, asked, settings) {
  const raw = configuredValues(settings);
  const state = { ...raw, ...asked };
  const found = conflictsOf(state).find((one) => !hasPair(conflictsOf(raw), one.settings));
  const { before, since } = aroundOf(entry, settings);
  const texts = since.filter((text) => found && setsAny(text, found.settings));
  if (found === undefined || texts.length === 0) return null;
  const lifted = valuesThatResolve(state, found.settings, {
    before,
    foreign: without(settingsIn(texts.join(',')), settingsOf(asked)),
  });
  const first = newConflicts(raw, lifted).length > 0 ? {} : lifted;
  return new TuneError(
    'TUNE-30002',
    `With the values before, ${found.say}. Since the change, ` +
      `${texts.map(quoteConfig).join(', then ')} has been set: ${whatFirst(entry, { ...found, first })}`,
    {
      value: asked,
      allowed:
        found.kind === 'size' ? 'thresholds in bytes at most the cache' : 'target below trigger',
      settings: found.settings,
    },
  );
}

/** @param {Entry} entry @param {Parameters<typeof firstWords>[0]} conflict */
const whatFirst = (entry, conflict) =>
  firstWords(conflict, callText('undo', undoId(entry), { confirm: true }), entry.group?.member);

/**
 * @param {Entry} entry @param {Pick<Settings, 'timeline' | 'startValues'>} settings
 * @returns {{ before: Raw, since: string[] }} `before`: the values known at that time; `since`: the
 *   strings after the change
 */
function aroundOf({ id, atMs }, { timeline, startValues }) {
  const isOwn = (/** @type {TimelineEvent} */ event) => event.kind === 'set' && event.id === id;
  const isLater = (/** @type {TimelineEvent} */ event) =>
    event.kind === 'set' && (event.atMs ?? -Infinity) > atMs;
  const first = timeline.findIndex((event) => isOwn(event) || isLater(event));
  const begin = first === -1 ? timeline.length : first;
  const earlier = timeline.slice(0, begin);
  const gap = earlier.findLastIndex(({ kind }) => kind === 'gap');
  const before = settingsIn(stringsOf(earlier.slice(gap + 1)).join(','));
  return {
    before: gap === -1 ? { ...startValues, ...before } : before,
    since: stringsOf(timeline.slice(begin).filter((event) => !isOwn(event))),
  };
}

/** @param {readonly TimelineEvent[]} events */
const stringsOf = (events) =>
  events.flatMap((event) => (event.kind === 'set' && event.config !== '' ? [event.config] : []));

module.exports = { planInOrder };
