'use strict';

const { callText } = require('../base/pure/literal');
const { SETTINGS } = require('../config/setting-table');
const { settingsOf, pick } = require('../config/change');
const { commandsOf } = require('./pure/steps');
const { configuredValues } = require('./plan-change');
const { TuneError } = require('../base/pure/errors');
const { externalWords } = require('./pure/external-words');
const { confText } = require('../config/conf-text');

/**
 * @import { Change } from '../base/types'
 * @import { Done } from './apply-plan'
 * @import { ExternalChange } from './external-change'
 * @import { Planned } from './plan-change'
 * @import { Step } from './pure/steps'
 * @import { Settings, ChangeData, Outcome } from './types'
 */

const LOST_AT_RESTART =
  'Lost at the next restart. To make it permanent, add the mongod.conf lines below (result ' +
  'field conf).';
const LEVEL_ABOVE =
  'The level is above a trigger to come. tune waits 2 s for dirty data to fall by itself; if ' +
  'the load holds it up, and where pages have to leave the cache, tune goes down in steps ' +
  'that the disk can follow, so that clients pause for no more than about half a second at a time.';
const NOT_READ =
  'What is in effect now could not be read: tune.settings() shows it once the server answers.';
const ACCEPTED_ONLY =
  'This server does not report its thresholds: they are verified by its having accepted them, ' +
  'not read back.';

/** @param {Outcome} outcome @returns {ChangeData} */
function changeReport({
  settings,
  planned,
  asked,
  confirm,
  done,
  after,
  confirmCall,
  force = false,
}) {
  const { change, before, steps, warnings } = planned;
  const lasting = pick(
    asked,
    settingsOf(asked).filter((setting) => asked[setting] !== settings.startValues?.[setting]),
  );
  const lostAtRestart = settingsOf(lasting).some((setting) => SETTINGS[setting].key !== null);
  return {
    id: null,
    verified: null,
    rampCommands: [],
    externalChanges: [],
    ...pickDone(done),
    host: settings.run.host,
    dryRun: !confirm,
    change,
    commands: commandsOf(steps),
    steps,
    before,
    after: now(after, change),
    warnings: [
      ...externalWords(done?.external ?? [], force),
      ...warnings,
      ...(done && after === null ? [NOT_READ] : []),
      ...afterWards(planned, done, settings),
      ...(lostAtRestart ? [LOST_AT_RESTART] : []),
      ...settings.notes,
    ],
    conf: confText(lasting, (after ?? settings).config),
    lostAtRestart,
    atNextStart: lasting.syncdelaySeconds !== undefined,
    undo: undoCall(done, change, before),
    confirm: confirm || settingsOf(change).length === 0 ? null : confirmCall,
  };
}

/** @param {Done | null} done */
const pickDone = (done) =>
  done
    ? {
        id: done.id,
        verified: done.verified,
        rampCommands: done.rampCommands,
        externalChanges: done.external,
      }
    : {};

/**
 * The settings of the change as they are now; where they cannot be read, as they were accepted.
 * @param {Settings | null} after @param {Change} change @returns {Change | null}
 */
function now(after, change) {
  if (after === null) return null;
  const raw = configuredValues(after);
  return Object.fromEntries(
    settingsOf(change).map((setting) => [setting, raw[setting] ?? change[setting]]),
  );
}

/**
 * @param {Planned} planned
 * @param {Done | null} done
 * @param {Settings} settings
 */
function afterWards({ change, steps }, done, { live }) {
  if (settingsOf(change).length === 0) return [];
  const unreadable =
    settingsOf(change).some((setting) => /^eviction(?!Threads)/.test(setting)) &&
    live['eviction.triggerPercent'] === undefined;
  const waits = steps.some(({ kind }) => kind === 'wait') && !done ? [LEVEL_ABOVE] : [];
  const problems = done
    ? [
        ...done.mismatches.map(
          (say) => new TuneError('TUNE-30004', `Not as sent: ${say}.`).message,
        ),
        ...(done.journalProblem ? [done.journalProblem] : []),
      ]
    : [];
  return [...waits, ...problems, ...(unreadable ? [ACCEPTED_ONLY] : [])];
}

/** @param {Done | null} done @param {Change} change @param {Change} before */
function undoCall(done, change, before) {
  if (settingsOf(change).length === 0 || settingsOf(before).length === 0) return null;
  return done
    ? callText('undo', done.id, { confirm: true })
    : callText('apply', before, { confirm: true });
}

module.exports = { changeReport };
