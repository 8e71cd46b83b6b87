'use strict';

const { settingsOf } = require('../config/change');
const { settingsIn } = require('../config/effective-config');
const { sameRun } = require('./pure/journal');
const { pendingCall, overwritingWords } = require('./pure/pending-call');

/**
 * @import { Change } from '../base/types'
 * @import { Entry } from './pure/journal'
 * @import { Settings } from './types'
 */

/**
 * @param {Entry} entry
 * @param {Pick<Settings, 'timeline' | 'run'>} settings
 * @returns {string | null} the entry's last call, where that may still arrive
 */
const pendingNow = (entry, { timeline, run }) =>
  pendingCall(entry, timeline, Date.now() + (run.clockMs ?? 0));

/**
 * Warns of calls of earlier changes that may arrive late: they set another value, whatever a change
 * reads back.
 * @param {Settings} settings @param {Change} asked
 * @returns {string[]} warnings
 */
const pendingBeside = (settings, asked) =>
  settings.entries.flatMap((entry) => {
    const command = sameRun(entry.run, settings.run) ? pendingNow(entry, settings) : null;
    return command !== null && isOther(settingsIn(command), asked)
      ? [overwritingWords(entry.id, command)]
      : [];
  });

/**
 * @param {Change} pending
 * @param {Change} asked
 * @returns {boolean} whether both set one setting to different values
 */
const isOther = (pending, asked) =>
  settingsOf(pending).some(
    (setting) => asked[setting] !== undefined && asked[setting] !== pending[setting],
  );

module.exports = { pendingNow, pendingBeside };
