'use strict';

const { callText } = require('../base/pure/printable');
const { figure } = require('../base/pure/units');
const { settingsOf, showChange } = require('../config/change');
const { sameRun } = require('../change/pure/journal');
const { TuneError } = require('../base/pure/errors');
const { isInProgress } = require('../change/change-lock');
const { writerName } = require('../change/writer');
const { planChange } = require('../change/plan-change');

/**
 * @import { Planned } from '../change/plan-change'
 * @import { Change } from '../base/types'
 * @import { Settings } from '../change/types'
 */

/**
 * Plans which part of a change is tried, and what it is compared with.
 * @param {Change} asked the change, already checked
 * @param {Settings} settings
 * @param {{ force: boolean, cores: number | null }} options
 * @returns {Planned}
 * @throws {TuneError} TUNE-30002, TUNE-30003, TUNE-30006, TUNE-30008
 */
function planTrial(asked, settings, { force, cores }) {
  const planned = planChange(asked, settings, { force, cores });
  const { change, before } = planned;
  if (settingsOf(change).length === 0)
    throw new TuneError(
      'TUNE-30008',
      `Nothing to test: ${showChange(asked)} is already active, or cannot be set at ` + 'run time.',
      { value: asked, allowed: 'a change that differs from tune.settings()' },
    );
  const unknown = settingsOf(change).filter((setting) => before[setting] === undefined);
  if (unknown.length > 0)
    throw new TuneError(
      'TUNE-30003',
      'A trial restores the current setting at its end, but the current value of ' +
        `${unknown.join(', ')} is unknown. Set it with tune.apply() first; ` +
        'tune.settings() shows the defaults.',
      { value: unknown, allowed: 'settings with a value in tune.settings()' },
    );
  if (!force) refuseDrift(settings, change);
  return planned;
}

/**
 * Refuses drift: the first call would also change settings that differ from the record, and no call
 * would restore them.
 * @param {Pick<Settings, 'drift'>} settings @param {Change} change the first change to send
 * @throws {TuneError} TUNE-30006
 */
function refuseDrift({ drift }, change) {
  const other = drift.find(({ setting }) => change[setting] === undefined);
  if (other === undefined) return;
  const { say, setting, recorded, value } = other;
  const calls = [recorded, value]
    .filter((one) => setting === 'cacheSizeGB' || Number.isInteger(one))
    .map((one) => `tune.apply({ ${setting}: ${one} })`);
  throw new TuneError(
    'TUNE-30006',
    `${say} The first call of the trial would set it to ${figure(recorded)}, and the ` +
      'trial could not restore it. First run ' +
      `${calls.length > 0 ? calls.join(' or ') : `tune.apply() of ${setting}`}.`,
    { value, allowed: recorded },
  );
}

/**
 * Refuses a trial on top of one that did not end: it would take that one's B for its A.
 * @param {Settings} settings @throws {TuneError} TUNE-30010
 */
function refuseOpen({ entries, run }) {
  const open = entries.find(
    (entry) => entry.action === 'trial' && entry.outcome === 'unknown' && sameRun(entry.run, run),
  );
  if (open === undefined) return;
  const say = isInProgress(open)
    ? `another shell (${writerName(open)}) runs a trial on this server`
    : `the trial ${open.id} did not end; ` +
      `${callText('undo', open.id, { confirm: true })} restores the settings before ` +
      'it';
  throw new TuneError('TUNE-30010', `No trial can begin: ${say}.`, { value: open.id });
}

module.exports = { planTrial, refuseOpen, refuseDrift };
