'use strict';

const { settingsIn } = require('../../config/config-layers');
const { notRestorable } = require('../../config/thresholds');
const { SETTINGS } = require('../../config/setting-table');

/**
 * @import { SettingName } from '../../base/types'
 * @import { Entry } from './journal'
 */

/**
 * What of an entry the server has or may have taken, and what of that an undo leaves as it is.
 */

/**
 * @param {Entry} entry
 * @returns {string[]} the strings of it that the server has or may have taken
 */
const maybeSent = ({ outcome, commands, asking, sent }) =>
  outcome === 'applied' || outcome === 'undone'
    ? commands
    : [
        ...sent,
        ...(asking && (outcome === 'unknown' || outcome === 'partly-undone') ? [asking] : []),
      ].map(({ command }) => command);

/**
 * @param {Entry} entry
 * @returns {string[]} settings it has or may have set that an undo of it leaves as they are
 */
function noWayBack(entry) {
  const { unknown, blocked } = leftBy(entry);
  return [...unknown, ...blocked, ...unknownSettings(entry)];
}

/**
 * @param {Entry} entry
 * @returns {{ unknown: SettingName[], blocked: SettingName[] }} settings whose values before nobody
 *   knew, and those whose values before contradict what stays
 */
const leftBy = (entry) => notRestorable(entry.before, settingsIn(maybeSent(entry).join(',')));

/** @param {Entry} entry @returns {string[]} those that a later release of tune has set */
const unknownSettings = (entry) =>
  maybeSent(entry).length === 0
    ? []
    : Object.keys(entry.change).filter((setting) => !Object.hasOwn(SETTINGS, setting));

module.exports = { leftBy, maybeSent, noWayBack, unknownSettings };
