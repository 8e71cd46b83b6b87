'use strict';

const { settingsOf, showValue } = require('../../config/change');
const { shownConfig } = require('../../config/engine-config');
const { bytes } = require('../../base/pure/units');
const { visible } = require('../../base/pure/printable');
const {
  callLines,
  dryRun,
  firstLine,
  fragment,
  headed,
  marked,
  noteLines,
} = require('../../text/layout');
const { codeLines, wrap } = require('../../text/wrap');
const { table } = require('../../text/table');
const { NOT_SENT } = require('../../config/warnings');
const { KEEP_IN_CONF, LOST_AT_RESTART } = require('./sentences');

/**
 * @import { Ink } from '../../base/types'
 * @import { Changed } from './types'
 */

/**
 * @typedef {{ kind: 'set', config: string } | { kind: 'wait', limits: { kind: string, belowBytes:
 *   number }[] }} ShownStep
 */

/**
 * Prints the preview before a change, the result after it, and then what to type next.
 * @param {Changed} data
 * @param {Ink} ink
 * @returns {string}
 */
function renderChange(data, ink) {
  const isEmpty = settingsOf(data.change).length === 0;
  return [
    firstLine({ host: data.host }, outcome(data, ink), ink),
    ...(isEmpty ? [] : [values(data, ink), ...sentLines(data, ink)]),
    ...remarks(data, ink),
    ...callLines(nextCalls(data), ink),
    ...confLines(data, ink),
  ].join('\n');
}

/** @param {Changed} data @param {Ink} ink */
function outcome({ dryRun: isDry, change, verified, id, atNextStart, action = 'change' }, ink) {
  if (settingsOf(change).length === 0 && verified === false)
    return ink('nothing to set now, NOT verified', 'bad');
  if (settingsOf(change).length === 0)
    return ink(
      atNextStart
        ? 'nothing to set now: it takes effect at the next start'
        : `${isDry ? 'DRY RUN: ' : ''}nothing to set`,
      'good',
    );
  if (isDry) return dryRun(ink);
  return (
    `${verified ? ink(`${action} done and verified`, 'good') : ink(`${action} sent, NOT verified`, 'bad')}` +
    `${id === null ? '' : `  ${ink(visible(id), 'faint')}`}`
  );
}

/** @param {Changed} data @param {Ink} ink */
const values = ({ change, before, after }, ink) =>
  table(
    [
      { head: '  setting' },
      { head: after ? 'before' : 'now', align: 'right' },
      { head: after ? 'now' : 'after', align: 'right' },
    ],
    settingsOf(change).map((setting) => [
      `  ${setting}`,
      showValue(setting, before[setting]),
      ink(showValue(setting, (after ?? change)[setting]), 'strong'),
    ]),
    ink,
  );

const LEVELS = Object.freeze(
  /** @type {Record<'planned' | 'done', Record<string, string>>} */ ({
    planned: { used: 'the cache holds', dirty: 'dirty data is', updates: 'updates are' },
    done: { used: 'the cache held', dirty: 'dirty data was', updates: 'updates were' },
  }),
);

/**
 * Prints what is sent, in its order, and what tune waits for.
 * @param {Changed} data @param {Ink} ink
 */
function sentLines({ steps, dryRun: isDry, change, rampCommands }, ink) {
  // With several waits it is not known which of them needed the strings.
  const isOnly = steps.filter(({ kind }) => kind === 'wait').length === 1;
  return [
    headed(isDry ? 'WOULD SEND' : 'SENT', ink).trimEnd(),
    ...steps.flatMap((step) => [
      ...stepLines(
        step,
        { isDry, what: whatFalls(change), isAtOnce: rampCommands.length === 0 },
        ink,
      ),
      ...(isOnly && step.kind === 'wait' ? rampLines(rampCommands, ', then:', ink) : []),
    ]),
    ...(isOnly ? [] : rampLines(rampCommands, '', ink)),
  ];
}

/**
 * Prints the strings sent during the ramp.
 * @param {readonly string[]} commands @param {string} end the end of the line @param {Ink} ink
 */
const rampLines = (commands, end, ink) =>
  commands.length === 0
    ? []
    : wrap(
        `Intermediate ${commands.length === 1 ? 'step' : 'steps'}: ${commands.join(' ')}${end}`,
        '    ',
        '  ',
      ).map((line) => ink(line, 'faint'));

/** @param {Changed['change']} change @returns {string} the name of what is lowered */
const whatFalls = ({ cacheSizeGB }) => (cacheSizeGB === undefined ? 'the threshold' : 'the cache');

/**
 * @param {ShownStep} step
 * @param {{ isDry: boolean, what: string, isAtOnce: boolean }} how `isAtOnce`: no intermediate step
 *   was needed
 * @param {Ink} ink
 * @returns {string[]}
 */
function stepLines(step, { isDry, what, isAtOnce }, ink) {
  if (step.kind === 'set') return sendLines(step.config);
  const words = LEVELS[isDry ? 'planned' : 'done'];
  const limits = step.limits.map(
    ({ kind, belowBytes }) => `${words[kind]} under ${bytes(belowBytes)}`,
  );
  const until = [limits.slice(0, -1).join(', '), ...limits.slice(-1)].filter(Boolean).join(' and ');
  const inSteps = `${what} in steps, with waits between them, until ${until}`;
  const done = isAtOnce ? `Sent in one step, when ${until}` : `Lowered ${inSteps}`;
  return wrap(`${isDry ? `Would lower ${inSteps}` : done}.`, '  ').map((line) =>
    ink(line, 'faint'),
  );
}

/** The command that sends a configuration string. @param {string} config */
const sendLines = (config) =>
  codeLines(
    'db.adminCommand({ setParameter: 1, wiredTigerEngineRuntimeConfig: ' +
      `${JSON.stringify(shownConfig(config))} })`,
    '  ',
  );

/** @param {Changed} data @param {Ink} ink */
const remarks = ({ warnings }, ink) =>
  warnings.filter((text) => text !== LOST_AT_RESTART).flatMap((text) => remark(text, ink));

/** @param {string} text @param {Ink} ink @returns {string[]} */
const remark = (text, ink) =>
  text.endsWith(NOT_SENT) ? noteLines([text], ink) : marked('warning', text, ink);

/**
 * @param {Changed} data
 * @returns {[string, string | null][]}
 */
function nextCalls({ dryRun: isDry, action = 'change', confirm, undo, change, verified }) {
  const back = action === 'undo' ? 'Redo' : 'Undo';
  if (isDry)
    return [
      [action === 'undo' ? 'Undo' : 'Apply', confirm],
      [`${back} later`, confirm && undo],
    ];
  return [
    ['Check', settingsOf(change).length === 0 ? null : checkCall(verified)],
    [back, undo],
  ];
}

/**
 * Returns the call that checks the result; settings that differ from what was sent come first.
 * @param {boolean | null} verified
 */
const checkCall = (verified) => (verified === false ? 'tune.settings()' : 'tune.status()');

/** @param {Changed} data @param {Ink} ink */
const confLines = ({ conf, lostAtRestart, atNextStart, verified }, ink) =>
  // The lines would set a value at the next start that the server does not show.
  conf !== null && (lostAtRestart || atNextStart) && verified !== false
    ? fragment(
        lostAtRestart ? KEEP_IN_CONF : 'For the next start, in mongod.conf',
        withoutHint(conf),
        ink,
      )
    : [];

/**
 * The lines of mongod.conf without the comment that the line above them says.
 * @param {string} conf
 */
const withoutHint = (conf) => conf.replace(/^# In mongod\.conf.*\n/, '');

module.exports = { renderChange, remark, sendLines, withoutHint };
