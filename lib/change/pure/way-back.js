'use strict';

const { settingsIn } = require('../../config/config-layers');
const { notRestorable } = require('../../config/thresholds');
const { SETTINGS } = require('../../config/setting-table');

/**
 * @import { SettingName } from '../../base/types'
 * @import { Entry } from './journal'
 */

/**
 * Lists what the server has or may have accepted of an entry, and what of that an undo leaves
 * unchanged.
 */

/**
 * @param {Entry} entry
 * @returns {string[]} the strings of the entry that the server has or may have accepted
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
 * @returns {string[]} the settings that it has or may have set, and that an undo leaves unchanged
 */
function noWayBack(entry) {
  const { unknown, blocked } = leftBy(entry);
  return [...unknown, ...blocked, ...unknownSettings(entry)];
}

/**
 * @param {Entry} entry
 * @returns {{ unknown: SettingName[], blocked: SettingName[] }} settings whose former values were
 *   not known, and those whose former values contradict the settings that stay
 */
const leftBy = (entry) => notRestorable(entry.before, settingsIn(maybeSent(entry).join(',')));

/** @param {Entry} entry @returns {string[]} the settings that a later release of tune has set */
const unknownSettings = (entry) =>
  maybeSent(entry).length === 0
    ? []
    : Object.keys(entry.change).filter((setting) => !Object.hasOwn(SETTINGS, setting));

module.exports = { leftBy, maybeSent, noWayBack, unknownSettings };
