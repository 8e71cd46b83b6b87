'use strict';

const { bytes, count, many, percent } = require('../../base/pure/units');
const { callLines, firstLine, marked, noteLines, part, WORD } = require('../../text/layout');
const { fitBlocks } = require('../../text/fit-blocks');
const { wrap } = require('../../text/wrap');
const { wordsOfMark } = require('./evidence-words');

/**
 * @import { Ink } from '../../base/types'
 * @import { DefectsData } from '../types'
 * @import { Evidence, FoundDefect } from './defects'
 */

const INDENT = ' '.repeat(WORD);
/**
 * @param {DefectsData} data
 * @param {Ink} ink
 * @returns {string}
 */
function renderDefects(data, ink) {
  const { found, absent, undecided, upgradeTo, notes } = data;
  const all = found.length + absent.length + undecided.length;
  const head = [firstLine(data, '', ink), ...part('DEFECTS', summary(data), ink, toneOf(found))];
  const tail = [
    ...(absent.length > 0
      ? part('NO SIGN OF', `${absent.length} of ${all}: ${absent.join(', ')}`, ink)
      : []),
    ...(undecided.length > 0
      ? part('NOT KNOWN', `${undecided.length} of ${all}: ${ticketsOf(undecided)}`, ink)
      : []),
    ...noteLines(notes, ink),
    ...callLines([['Upgrade', upgradeTo && `tune.upgrade({ to: "${upgradeTo}" })`]], ink),
  ];
  const blocks = found.map((one) => ({ name: one.ticket, lines: defectLines(one, ink) }));
  return [...head, ...fitBlocks(blocks, head.length + tail.length, ink), ...tail].join('\n');
}

/** @param {readonly { ticket: string }[]} some */
const ticketsOf = (some) => some.map(({ ticket }) => ticket).join(', ');

/** @param {readonly FoundDefect[]} found */
function toneOf(found) {
  if (found.length === 0) return 'good';
  return found[0].status === 'critical' ? 'bad' : 'warn';
}

/** @param {DefectsData} data */
function summary({ found, absent, undecided, version }) {
  const all = found.length + absent.length + undecided.length;
  if (version === null) return 'not known: the server does not report its release';
  if (all === 0) return 'tune knows no defect of this release';
  if (found.length > 0) return `signs of ${many(found.length, 'known defect')} of this release`;
  return undecided.length === 0
    ? 'no sign of a known defect of this release'
    : 'no sign of a known defect in what could be read';
}

/**
 * @param {FoundDefect} defect
 * @param {Ink} ink
 * @returns {string[]}
 */
function defectLines(defect, ink) {
  const { status, ticket, title, effect, fixedIn, workaround } = defect;
  return [
    ...marked(status, `${ticket}: ${title}`, ink),
    ...wrap(effect, INDENT),
    ...wrap(`${kindOf(defect)}: ${evidenceText(defect.evidence)}`, `${INDENT}  `, INDENT),
    ...wrap(
      `→ ${fixedIn === null ? 'A fixed release is not known.' : `Fixed in ${fixedIn}.`}` +
        `${workaround === null ? '' : ` Until then: ${workaround}`}`,
      `${INDENT}  `,
      INDENT,
    ),
  ];
}

/** @param {FoundDefect} defect */
function kindOf({ shows, certainty }) {
  if (shows === 'use') return 'exposed';
  return certainty === 'sure' ? 'seen' : 'likely';
}

/** @param {readonly Evidence[]} evidence */
const evidenceText = (evidence) =>
  evidence
    .map(({ name, value }) =>
      isFlag(name) ? wordsOfMark(name) : `${wordsOfMark(name)} ${shownValue(name, value)}`,
    )
    .join(', ');

/** @param {string} name */
const isFlag = (name) => /\.is[A-Z]|cursorOpen$/.test(name);

/** @param {string} name with its unit @param {number} value */
function shownValue(name, value) {
  if (name.startsWith('log.')) return `(${many(value, 'line')})`;
  if (name === 'host.kernelNumber') return kernelText(value);
  if (name.endsWith('Bytes')) return bytes(value);
  if (/(?:Ratio|RatioMax|Share)$/.test(name)) return percent(value);
  if (name.endsWith('Seconds')) return `${count(value)} s`;
  if (name.endsWith('Ms')) return `${count(value)} ms`;
  return `${count(value)}${name.endsWith('PerSec') ? '/s' : ''}`;
}

const STEP = 1000;
/** @param {number} value */
const kernelText = (value) =>
  [Math.floor(value / STEP / STEP), Math.floor(value / STEP) % STEP, value % STEP].join('.');

module.exports = { renderDefects };
