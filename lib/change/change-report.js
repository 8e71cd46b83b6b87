'use strict';

const { SETTINGS } = require('../config/setting-table');
const { settingsOf, pick } = require('../config/change');
const { commandsOf } = require('./pure/steps');
const { configuredValues } = require('./plan-change');
const { sameRun } = require('./pure/journal');
const { isShownAsMade, settingsUnlike } = require('./settings-unlike');
const { TuneError } = require('../base/pure/errors');
const { undoCall } = require('./undo-call');
const { externalWords } = require('./pure/external-words');
const { confText } = require('../config/conf-lines');
const { LOST_AT_RESTART, VENDOR_ADVISES } = require('./pure/sentences');

/**
 * @import { Change, SettingName } from '../base/types'
 * @import { Done } from './apply-plan'
 * @import { Planned } from './plan-change'
 * @import { Settings, ChangeData, Outcome } from './types'
 */

const LEVEL_ABOVE =
  'The cache now holds more than the new setting allows. tune waits 2 s, then lowers the ' +
  'setting in steps that the disk can follow. Each step blocks clients for about 0.5 s at most. ';
const LEFT_BY_FORCE = 'What is left after 60 s is set at once, and may block them for seconds.';
const LEFT =
  'If the load keeps the cache above the new setting for 120 s, the change ends at the step ' +
  'reached. The error names the undo.';
const NOT_READ =
  'The active settings could not be read. tune.settings() shows them once the server answers.';
const ACCEPTED_ONLY =
  'This version does not report these thresholds: accepted by the server, not read back.';

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
  isUndo,
  wasForced,
}) {
  const { change, before, steps, warnings } = planned;
  const lasting = pick(
    asked,
    settingsOf(asked).filter((setting) => asked[setting] !== settings.startValues?.[setting]),
  );
  // The settings that the server had already count too, although no call was made for them.
  const last = lastString(planned, settings, done);
  const gone = goneSince(settings, asked, { after, last });
  const { keepWarning, ...keeping } = keepingOf(
    lasting,
    after ?? settings,
    after ? lasting : asked,
  );
  const { undo, undoWarning } = undoCall({ done, planned, settings, isUndo, wasForced });
  return {
    id: null,
    verified: null,
    rampCommands: [],
    externalChanges: [],
    ...pickDone(done, gone),
    host: settings.run.host,
    dryRun: !confirm,
    change,
    commands: commandsOf(steps),
    steps,
    before,
    after: activeValues(after, change, last),
    warnings: [
      ...externalWords(done?.external ?? [], force),
      ...warnings,
      ...(done && after === null ? [NOT_READ] : []),
      ...gone.map((say) => new TuneError('TUNE-30004', say).message),
      ...resultWarnings(planned, done, { settings, force }),
      ...undoWarning,
      ...keepWarning,
      ...vendorsWord(planned, settings, isUndo),
      ...settings.notes,
    ],
    ...keeping,
    undo,
    confirm: confirm || settingsOf(change).length === 0 ? null : confirmCall,
  };
}

/**
 * Says what a restart does to the change, with the lines that keep it.
 * @param {Change} lasting the settings of the change to which the start gives other values
 * @param {Pick<Settings, 'config'>} settings
 * @param {Change} kept the settings in the lines; before the change, also those that the start sets
 *   anyway
 */
function keepingOf(lasting, { config }, kept) {
  const { conf, why } = confText(kept, config);
  const lostAtRestart = settingsOf(lasting).some((setting) => SETTINGS[setting].key !== null);
  const atNextStart = lasting.syncdelaySeconds !== undefined;
  const lost = lostAtRestart ? [LOST_AT_RESTART] : [];
  const noLines = lostAtRestart || atNextStart ? [why ?? []].flat() : [];
  return { conf, lostAtRestart, atNextStart, keepWarning: why === null ? lost : noLines };
}

/**
 * Returns what MongoDB's manual says of the parameter, where the journal has no change of this
 * server yet. A change that the server refused does not count.
 * @param {Planned} planned
 * @param {Settings} settings
 * @param {boolean} [isUndo]
 */
const vendorsWord = ({ steps }, { entries, run }, isUndo = false) =>
  !isUndo &&
  steps.some(({ kind }) => kind === 'set') &&
  entries.every(({ host, outcome }) => host !== run.host || outcome === 'refused')
    ? [VENDOR_ADVISES]
    : [];

/** @param {Done | null} done @param {readonly string[]} gone */
const pickDone = (done, gone) =>
  done
    ? {
        id: done.id,
        verified: done.verified && gone.length === 0,
        rampCommands: done.rampCommands,
        externalChanges: done.external,
      }
    : {};

/**
 * Says what was lost meanwhile on the members changed first: a change of several members takes
 * minutes.
 * @param {Settings} settings the settings when the change was planned @param {Change} asked
 * @param {{ after: Settings | null, last: string | null | undefined }} then `after`: the settings when
 *   the whole change was made; null: not made, or not known; `last`: as in settingsUnlike
 * @returns {string[]} why the change is not, or may not be, in effect any more
 */
function goneSince({ run }, asked, { after, last }) {
  if (after === null) return [];
  if (!sameRun(after.run, run)) return [`No longer as sent: ${RESTARTED}.`];
  const { other, unknown } = settingsUnlike(asked, after, last);
  return [
    ...(other.length > 0 ? [`No longer as sent: ${setByOthers(other)}.`] : []),
    ...(unknown.length > 0 ? [`Perhaps no longer as sent: ${maybeSetByOthers(unknown)}.`] : []),
  ];
}

/**
 * @param {Planned} planned @param {Settings} settings when it was planned @param {Done | null} done
 * @returns {string | null | undefined} the last string of the server once all of it was made;
 *   undefined: it says nothing of what others set before it
 */
function lastString({ steps }, { history }, done) {
  if (done && done.external.length > 0) return undefined;
  const own = steps.flatMap((step) => (step.kind === 'set' ? [step.config] : []));
  return own.at(-1) ?? history.lastString;
}

/** @param {readonly SettingName[]} settings */
const setByOthers = (settings) => `another session has set ${settings.join(', ')} since`;

/** @param {readonly SettingName[]} settings */
const maybeSetByOthers = (settings) => `the log does not show whether ${setByOthers(settings)}`;

/**
 * Says which values a member has lost that had them already and got no call, until the others had
 * them.
 * @param {Settings} settings the settings when the change was planned
 * @param {Change} asked
 * @param {Settings | null} after
 * @returns {Partial<ChangeData> & { warnings: string[] }}
 */
function lostSince({ run, history }, asked, after) {
  if (after === null) return { verified: false, warnings: [NOT_READ] };
  const isSame = sameRun(after.run, run);
  const last = isSame ? history.lastString : undefined;
  const { other, unknown } = settingsUnlike(asked, after, last);
  if (other.length + unknown.length === 0) return { warnings: [] };
  const lost = isSame ? setByOthers(other) : LOST_BY_RESTART;
  const maybeLost = isSame ? maybeSetByOthers(unknown) : MAYBE_LOST_BY_RESTART;
  return {
    after: activeValues(after, pick(asked, [...other, ...unknown]), last),
    verified: false,
    warnings: [
      other.length > 0
        ? `It had the values already and got no call, but ${lost}: run the same again.`
        : `It had the values already and got no call, but ${maybeLost}. Run the same again.`,
    ],
  };
}

const RESTARTED = 'the server was restarted since, and has lost the change';
const LOST_BY_RESTART = 'the server was restarted since, and has lost them';
const MAYBE_LOST_BY_RESTART = 'the server was restarted since, and may have lost them';

/**
 * Returns the present settings of the change, without those that are not known any more; a setting
 * that the server never shows counts as it was accepted.
 * @param {Settings | null} after @param {Change} change
 * @param {string | null} [last] as in settingsUnlike
 * @returns {Change | null}
 */
function activeValues(after, change, last) {
  if (after === null) return null;
  const raw = configuredValues(after);
  const { unknown } = settingsUnlike(change, after, last);
  const known = settingsOf(change).filter((setting) => !unknown.includes(setting));
  const isAsAsked = (/** @type {SettingName} */ setting) =>
    raw[setting] === null || isShownAsMade(setting, change, after.config);
  return Object.fromEntries(
    known.map((setting) => [setting, isAsAsked(setting) ? change[setting] : raw[setting]]),
  );
}

/**
 * @param {Planned} planned
 * @param {Done | null} done
 * @param {{ settings: Settings, force: boolean }} known
 */
function resultWarnings({ change, steps }, done, { settings: { live }, force }) {
  if (settingsOf(change).length === 0) return [];
  const unreadable =
    settingsOf(change).some((setting) => /^eviction(?!Threads)/.test(setting)) &&
    live['eviction.triggerPercent'] === undefined;
  const isWaiting = steps.some(({ kind }) => kind === 'wait') && !done;
  const waits = isWaiting ? [`${LEVEL_ABOVE}${force ? LEFT_BY_FORCE : LEFT}`] : [];
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

module.exports = { changeReport, lostSince };
