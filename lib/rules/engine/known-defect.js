'use strict';

const { DEFECTS, defectsOf } = require('../../defects/pure/defects');
const { defineRule } = require('../rule');
const { sources } = require('../sources');

/**
 * @import { Metric } from '../../server/pure/metrics'
 * @import { Defect } from '../../defects/pure/defects'
 */

/** Values that only a whole status, or the log, shows. */
const FROM_REPLIES = new Set([
  'backup.cursorOpen',
  'sorts.spilled',
  'tcmalloc.perCpuBytes',
  'tickets.timesDecreased',
  'tickets.timesIncreased',
]);
/**
 * Whether a window can show the defect: the trouble itself, by metrics alone, where no other rule
 * reports it.
 * @param {Defect} defect
 */
const isShownByWindow = ({ shows, rule, signature }) =>
  shows === 'trouble' &&
  rule === undefined &&
  signature.some((marks) =>
    marks.every((mark) => 'value' in mark && !FROM_REPLIES.has(mark.value)),
  );

const IN_WINDOW = DEFECTS.filter(isShownByWindow);
const TICKETS = new Set(IN_WINDOW.map(({ ticket }) => ticket));
const WANTED = /** @type {readonly Exclude<Metric, 'server.versionNumber'>[]} */ (
  [
    ...new Set(
      IN_WINDOW.flatMap(({ signature }) =>
        signature.flatMap((marks) => marks.flatMap((mark) => ('value' in mark ? mark.value : []))),
      ),
    ),
  ].filter((name) => !FROM_REPLIES.has(name))
);

/** @type {{ ticket: string, title: string, fixedIn: string | null, others: string[] }} */
const NOTHING = { ticket: '', title: '', fixedIn: null, others: [] };

const STEP = 100;
/** 60,005 is 6.0.5. @param {number} number */
const textOf = (number) =>
  [Math.floor(number / STEP / STEP), Math.floor(number / STEP) % STEP, number % STEP].join('.');

module.exports = defineRule({
  id: 'known-defect',
  area: 'version',
  title: 'Known defect of this MongoDB release',
  why:
    'Some stalls are a defect of this release: no setting removes them; a later patch release ' +
    'does. A defect is named here where the release has it and its sign is in the counters.',
  needs: ['server.versionNumber'],
  wants: WANTED,
  evidence: ['server.versionNumber'],
  threshold:
    'Warning, or information where the defect only disturbs reading: the signs in the table of ' +
    'tune.defects() (docs/defects.md).',
  source: sources(
    'MongoDB issue tracker (https://jira.mongodb.org/browse); each ticket with its source is in docs/defects.md',
  ),
  advice: 'Upgrade to the release that is named. tune.defects() also reads the log.',
  whenNot:
    'A sign can have another cause. Follow the other findings first where they name one; upgrade ' +
    'if the sign stays.',
  check({ 'server.versionNumber': number, ...metrics }) {
    const { found } = defectsOf({ version: textOf(number), values: metrics, logSignatures: null });
    const shown = found.filter((defect) => TICKETS.has(defect.ticket));
    if (shown.length === 0) return { status: 'ok', code: 'none', values: NOTHING };
    const [{ ticket: id, title, status, fixedIn, evidence }] = shown;
    return {
      status: status === 'info' ? 'info' : 'warning',
      code: 'shown',
      values: { ticket: id, title, fixedIn, others: shown.slice(1).map((defect) => defect.ticket) },
      evidence: Object.fromEntries(evidence.map(({ name, value }) => [name, value])),
    };
  },
  messages: {
    none: () => 'The counters show no sign of a known defect of this release (0 found).',
    shown: ({ ticket: id, title, others }) =>
      `The counters show the sign of a known defect: ${id} (${title})` +
      `${others.length === 0 ? '' : `, and of ${others.join(', ')}`}.`,
  },
  adviceFor: {
    shown: ({ fixedIn }) =>
      `${fixedIn === null ? 'A fixed release is not known.' : `Upgrade to ${fixedIn} or later.`} ` +
      'tune.defects() shows the evidence.',
  },
});
