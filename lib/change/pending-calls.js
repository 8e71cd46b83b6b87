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
 * @returns {string | null} its last call, where that may still arrive
 */
const pendingNow = (entry, { timeline, run }) =>
  pendingCall(entry, timeline, Date.now() + (run.clockMs ?? 0));

/**
 * Whatever a change reads back, a call of an earlier one that arrives late sets another value.
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

/** @param {Change} pending @param {Change} asked @returns {boolean} whether they set one setting apart */
const isOther = (pending, asked) =>
  settingsOf(pending).some(
    (setting) => asked[setting] !== undefined && asked[setting] !== pending[setting],
  );

module.exports = { pendingNow, pendingBeside };
