'use strict';

const { many } = require('../../base/pure/units');
const { callLines, firstLine, marked, noteLines, part, WORD } = require('../../text/layout');
const { fitBlocks } = require('../../text/fit');
const { wrap } = require('../../text/wrap');
const { hasWayBack } = require('./upgrade');

/**
 * @import { Status } from '../../base/pure/finding'
 * @import { Ink } from '../../base/types'
 * @import { UpgradeData, UpgradeItem } from '../types'
 */

const INDENT = ' '.repeat(WORD);
/** @type {Readonly<Record<UpgradeItem['level'], Status>>} */
const STATUS = Object.freeze({ blocker: 'critical', change: 'warning', check: 'unknown' });

/** MongoDB manual, release notes of each release, "Downgrade". */
const WAY_BACK =
  'one release series at a time, and only after the compatibility version was set back: back ' +
  'up first';

/**
 * @param {UpgradeData} data
 * @param {Ink} ink
 * @returns {string}
 */
function renderUpgrade(data, ink) {
  const { version, to, path, order, notes } = data;
  const head = [
    firstLine(data, ink('PLAN ONLY: nothing was changed', 'accent'), ink),
    ...part('UPGRADE', `${version} → ${to}: ${summary(data)}`, ink, toneOf(data)),
    ...part('PATH', path.map(stepText).join('; then '), ink),
    ...(order.length > 1 ? part('MEMBERS', order.join(', then '), ink) : []),
  ];
  const tail = [
    ...part('DEFECTS', defectText(data), ink),
    ...data.gained
      .filter(({ status }) => status === 'critical')
      .flatMap(({ ticket, title }) => marked('critical', `new: ${ticket}: ${title}`, ink)),
    ...(path.some(({ compatibility }) => compatibility !== null) && hasWayBack(version, to)
      ? part('WAY BACK', WAY_BACK, ink)
      : []),
    ...noteLines(notes, ink),
    ...callLines(
      [
        ['Before', 'tune.record("before.ndjson")'],
        ['After', 'tune.report.compare("before.ndjson", tune.advise())'],
      ],
      ink,
    ),
  ];
  const blocks = blocksOf(data, ink);
  const others = head.length + tail.length;
  const isWhole = fitBlocks(blocks, others, ink).at(-1) === blocks.at(-1)?.lines.at(-1);
  const all = isWhole ? [] : callLines([['All', 'tune.last.changes']], ink);
  return [...head, ...fitBlocks(blocks, others + all.length, ink), ...tail, ...all].join('\n');
}

/**
 * Lists what stops the upgrade, then what changes, then what is to be checked.
 * @param {UpgradeData} data
 * @param {Ink} ink
 */
const blocksOf = ({ changes, gone }, ink) => [
  ...gone.map(({ name, what, todo }) => ({
    name,
    lines: itemLines('critical', name === '' ? what : `${name}: ${what}`, todo, ink),
  })),
  ...changes.map(({ id, level, what, todo }) => ({
    name: id,
    lines: itemLines(STATUS[level], what, todo, ink),
  })),
];

/**
 * @param {Status} status
 * @param {string} what
 * @param {string | null} todo
 * @param {Ink} ink
 */

const itemLines = (status, what, todo, ink) => [
  ...marked(status, what, ink),
  ...(todo === null ? [] : wrap(`→ ${todo}`, `${INDENT}  `, INDENT)),
];

/** @param {UpgradeData} data */
function toneOf({ changes, gone }) {
  return gone.length > 0 || changes.some(({ level }) => level === 'blocker') ? 'bad' : null;
}

/** @param {UpgradeData} data */
function summary({ changes, gone, gained }) {
  const blockers = gone.length + changes.filter(({ level }) => level === 'blocker').length;
  const counted = changes.filter(({ level }) => level === 'change').length;
  const checks = changes.filter(({ level }) => level === 'check').length;
  const severe = gained.filter(({ status }) => status === 'critical').length;
  return [
    blockers === 0 ? 'no blocker' : many(blockers, 'blocker'),
    many(counted, 'change'),
    ...(checks === 0 ? [] : [`${checks} to check`]),
    ...(severe === 0 ? [] : [many(severe, 'new critical defect')]),
  ].join(', ');
}

/** @param {UpgradeData['path'][0]} step */
const stepText = ({ to, compatibility }) =>
  compatibility === null ? to : `${to}, and set feature compatibility version ${compatibility}`;

/** @param {UpgradeData} data */
function defectText({ lost, gained, shownNow }) {
  const now = shownNow.length === 0 ? '' : ` (this server shows signs of ${shownNow.join(', ')})`;
  const brought =
    gained.length === 0 ? 'none new' : `new: ${gained.map(({ ticket }) => ticket).join(', ')}`;
  return `${lost.length === 0 ? 'none' : lost.length} fixed${now}; ${brought}`;
}

module.exports = { renderUpgrade };
