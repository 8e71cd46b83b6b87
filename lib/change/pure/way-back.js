'use strict';

const { settingsIn } = require('../../config/config-layers');
const { notRestorable } = require('../../config/conflicts');
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
const noWayBack = (entry) => [
  ...unknownBefore(entry),
  ...blockedBefore(entry),
  ...unknownSettings(entry),
];

/** @param {Entry} entry */
const leftBy = (entry) => notRestorable(entry.before, settingsIn(maybeSent(entry).join(',')));

/** @param {Entry} entry @returns {SettingName[]} those whose values before nobody knew */
const unknownBefore = (entry) => leftBy(entry).unknown;

/**
 * @param {Entry} entry
 * @returns {SettingName[]} those whose values before contradict what stays
 */
const blockedBefore = (entry) => leftBy(entry).blocked;

/** @param {Entry} entry @returns {string[]} those that a later release of tune has set */
const unknownSettings = (entry) =>
  maybeSent(entry).length === 0
    ? []
    : Object.keys(entry.change).filter((setting) => !Object.hasOwn(SETTINGS, setting));

module.exports = { maybeSent, noWayBack, unknownBefore, blockedBefore, unknownSettings };
