'use strict';

const { parseEngineConfig, lookUp } = require('../../config/engine-config');
const { LARGEST_PERCENT, SETTINGS } = require('../../config/setting-table');
const { clockText } = require('../../base/pure/units');

/**
 * @import { Config } from '../../config/types'
 * @import { ChartData } from '../../text/types'
 * @import { IncidentEvent } from '../types'
 */

/**
 * Lines of targets and triggers in the charts of an incident, and how each is known: before 9.0 no sample
 * has them. Start-up options and parameters are in the recording, changes in the log or in tune's journal;
 * what neither shows is the default, and the line says so.
 */

/** @typedef {keyof typeof LINES} Line */
const LINES = Object.freeze(
  /** @type {const} */ ({
    targetRatio: 'evictionTarget',
    triggerRatio: 'evictionTrigger',
    dirtyTargetRatio: 'evictionDirtyTarget',
    dirtyTriggerRatio: 'evictionDirtyTrigger',
    updatesTargetRatio: 'evictionUpdatesTarget',
    updatesTriggerRatio: 'evictionUpdatesTrigger',
  }),
);
/**
 * A threshold that is not set is half of the dirty one.
 * @type {Readonly<Partial<Record<Line, Line>>>}
 */
const FOLLOWS = Object.freeze({
  dirtyTargetRatio: 'updatesTargetRatio',
  dirtyTriggerRatio: 'updatesTriggerRatio',
});

const DEFAULT = 'default';
const PARAMETER = 'wiredTigerEngineRuntimeConfig';

const ALL = /** @type {[Line, typeof LINES[Line]][]} */ (Object.entries(LINES));

/** @param {ReturnType<typeof parseEngineConfig>['entries']} entries @param {typeof LINES[Line]} setting */
const numberOf = (entries, setting) =>
  lookUp(entries, String(SETTINGS[setting].key))?.number ?? null;

/**
 * Lines that the recording itself does not have: what the server was started with, else the default.
 * @param {Config | null} config as the recording has it
 * @param {string | null} startString configString of the start
 * @returns {{ levels: Record<string, number>, levelNotes: Record<string, string> }}
 */
function assumedLines(config, startString) {
  const { entries } = parseEngineConfig(startString ?? '');
  /** @type {ReturnType<typeof assumedLines>} */
  const found = { levels: {}, levelNotes: {} };
  for (const [name, setting] of config === null ? [] : ALL) {
    const { from, default: byDefault } = /** @type {Config} */ (config)[setting];
    if (from !== 'unknown') continue;
    const atStart = numberOf(entries, setting);
    const [percent, note] =
      atStart === null ? unsetLine(name, byDefault, found) : [atStart, 'at start'];
    if (!isPercent(percent)) continue;
    found.levels[name] = percent / LARGEST_PERCENT;
    found.levelNotes[name] = note;
  }
  return found;
}

/**
 * @param {Line} name
 * @param {number | null} byDefault
 * @param {ReturnType<typeof assumedLines>} found
 * @returns {[number | null, string]}
 */
function unsetLine(name, byDefault, { levels, levelNotes }) {
  const dirty = Object.entries(FOLLOWS).find(([, follower]) => follower === name)?.[0];
  return dirty === undefined
    ? [byDefault, DEFAULT]
    : [((levels[dirty] ?? 0) * LARGEST_PERCENT) / 2, levelNotes[dirty]];
}

/** @param {number | null} value @returns {value is number} */
const isPercent = (value) => value !== null && value > 0 && value <= LARGEST_PERCENT;

/**
 * @param {ChartData} chart of one member
 * @param {readonly IncidentEvent[]} events of that member, in the order of time
 * @returns {ChartData} with the lines that were changed meanwhile
 */
function withChangedLines(chart, events) {
  const levels = { ...chart.levels };
  const levelNotes = { ...chart.levelNotes };
  const put = (/** @type {Line} */ name, /** @type {number} */ percent, /** @type {Date} */ at) => {
    delete levels[name];
    delete levelNotes[name];
    // Bytes, or 0 for half of the dirty one: the chart has no place for it.
    if (!isPercent(percent)) return;
    levels[name] = percent / LARGEST_PERCENT;
    levelNotes[name] = `since ${clockText(at)}`;
  };
  for (const event of events)
    for (const [name, percent] of changesOf(event)) {
      const follower = FOLLOWS[name];
      const isHalf =
        follower !== undefined &&
        levelNotes[follower] !== undefined &&
        levels[follower] === levels[name] / 2;
      if (isHalf) put(follower, percent / 2, event.at);
      put(name, percent, event.at);
    }
  return { ...chart, levels, levelNotes };
}

/** @param {IncidentEvent} event @returns {[Line, number][]} */
function changesOf({ code, values }) {
  if (code === 'parameter-set' && values.parameter === PARAMETER) {
    const { entries } = parseEngineConfig(String(values.to ?? ''));
    return ALL.flatMap(([name, setting]) => {
      const number = numberOf(entries, setting);
      return number === null ? [] : [[name, number]];
    });
  }
  if (code !== 'tune-changed') return [];
  const settings = String(values.settings ?? '');
  return ALL.flatMap(([name, setting]) => {
    const number = new RegExp(`\\b${setting} to (\\d+(?:\\.\\d+)?)`).exec(settings)?.[1];
    return number === undefined ? [] : [[name, Number(number)]];
  });
}

module.exports = { assumedLines, withChangedLines };
