'use strict';

const { many } = require('../../base/pure/units');
const {
  callLines,
  dryRun,
  firstLine,
  marked,
  noteLines,
  part,
  WORD,
} = require('../../text/layout');
const { wrap } = require('../../text/wrap');

/**
 * @import { Status } from '../../base/pure/finding'
 * @import { Ink } from '../../base/types'
 * @import { UpgradeData, UpgradeItem } from '../types'
 */

const INDENT = ' '.repeat(WORD);
/** @type {Readonly<Record<UpgradeItem['level'], Status>>} */
const STATUS = Object.freeze({ blocker: 'critical', change: 'warning', check: 'unknown' });

/**
 * @param {UpgradeData} data
 * @param {Ink} ink
 * @returns {string}
 */
function renderUpgrade(data, ink) {
  const { version, to, path, changes, gone, order, notes } = data;
  return [
    firstLine(data, dryRun(ink, 'nothing is changed'), ink),
    ...part('UPGRADE', `${version} → ${to}: ${summary(data)}`, ink, toneOf(data)),
    ...part('PATH', path.map(stepText).join('; '), ink),
    ...(order.length > 1 ? part('MEMBERS', order.join(', then '), ink) : []),
    ...gone.flatMap(({ name, what, todo }) => [
      ...marked('critical', name === '' ? what : `${name}: ${what}`, ink),
      ...wrap(`→ ${todo}`, `${INDENT}  `, INDENT),
    ]),
    ...changes.flatMap(({ level, what, todo }) => [
      ...marked(STATUS[level], what, ink),
      ...(todo === null ? [] : wrap(`→ ${todo}`, `${INDENT}  `, INDENT)),
    ]),
    ...part('DEFECTS', defectText(data), ink),
    ...noteLines(notes, ink),
    ...callLines([['Compare', 'tune.report.compare(before, after)']], ink),
  ].join('\n');
}

/** @param {UpgradeData} data */
function toneOf({ changes, gone }) {
  return gone.length > 0 || changes.some(({ level }) => level === 'blocker') ? 'bad' : null;
}

/** @param {UpgradeData} data */
function summary({ changes, gone }) {
  const blockers = gone.length + changes.filter(({ level }) => level === 'blocker').length;
  const counted = changes.filter(({ level }) => level === 'change').length;
  const checks = changes.filter(({ level }) => level === 'check').length;
  return [
    blockers === 0 ? 'nothing known stops it' : many(blockers, 'blocker'),
    many(counted, 'change'),
    ...(checks === 0 ? [] : [`${checks} to check`]),
  ].join(', ');
}

/** @param {UpgradeData['path'][0]} step */
const stepText = ({ to, compatibility }) =>
  compatibility === null ? to : `${to}, then setFeatureCompatibilityVersion: "${compatibility}"`;

/** @param {UpgradeData} data */
function defectText({ lost, gained, shownNow }) {
  const named = (/** @type {UpgradeData['lost']} */ some) =>
    some.length === 0 ? 'none' : some.map(({ ticket }) => ticket).join(', ');
  const now = shownNow.length === 0 ? '' : ` (shown here now: ${shownNow.join(', ')})`;
  return `gone: ${named(lost)}${now}; new: ${named(gained)}`;
}

module.exports = { renderUpgrade };
