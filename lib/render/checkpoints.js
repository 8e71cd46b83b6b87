'use strict';

const { bytes, count, duration, percent, UNKNOWN } = require('../model/units');
const { spark } = require('./spark');
const { table } = require('./table');
const { wrap, WIDTH: SCREEN } = require('./wrap');

/**
 * @typedef {import('./report').Ink} Ink
 * @typedef {import('../commands/checkpoints').Checkpoints} Data
 */

const LABEL = 11;
/** Characters of the chart; of a longer window each stands for several looks. */
const WIDTH = SCREEN - LABEL;

/** @param {Data} data @param {Ink} ink @returns {string} */
function renderCheckpoints(data, ink) {
  const { host, seconds, everySeconds, checkpoints, notes } = data;
  const every = everySeconds === null ? '' : `; the server begins ${everySeconds === 0 ? 'none by itself (syncdelay 0)' : `one ${count(everySeconds)} s after the one before`}`;
  return [
    ...wrap(`${host ?? UNKNOWN} watched for ${duration(seconds * 1000)}: ${checkpoints === null ? 'the server tells nothing of its checkpoints' : `${checkpoints.length || 'no'} checkpoint${checkpoints.length === 1 ? '' : 's'} seen`}${every}`, '  ', ''),
    ...chart(data, ink), ...list(checkpoints, ink), ...pace(data), stalls(data, ink),
    ...notes.flatMap((note) => wrap(note, '      ', 'note: ')).map((line) => ink(line, 'faint')),
  ].join('\n');
}

/** @param {Data} data @param {Ink} ink @returns {string[]} */
function chart({ timeline }, ink) {
  if (timeline.length === 0) return [];
  const groups = grouped(timeline);
  const mean = groups.map((group) => group.reduce((sum, { opsPerSec }) => sum + opsPerSec, 0) / group.length);
  const most = mean.reduce((a, b) => Math.max(a, b));
  const marks = (/** @type {'checkpoint' | 'stalled'} */ what, /** @type {string} */ mark) => groups.map((group) => (group.some((one) => one[what]) ? mark : ' ')).join('').trimEnd();
  const line = (/** @type {string} */ label, /** @type {string} */ text) => `${ink(label.padEnd(LABEL), 'faint')}${text}`;
  return [
    '', ink(`a full bar: ${count(most)} operations a second`, 'faint'), line('ops/s', spark(mean, { width: mean.length })),
    ...(timeline.some(({ checkpoint }) => checkpoint) ? [line('checkpoint', marks('checkpoint', '━'))] : []),
    ...(timeline.some(({ stalled }) => stalled) ? [line('stalled', ink(marks('stalled', '!'), 'bad'))] : []),
  ];
}

/** @template T @param {readonly T[]} all @returns {T[][]} */
function grouped(all) {
  const size = Math.ceil(all.length / WIDTH);
  return Array.from({ length: Math.ceil(all.length / size) }, (_, i) => all.slice(i * size, (i + 1) * size));
}

/** @param {Data['checkpoints']} checkpoints @param {Ink} ink @returns {string[]} */
function list(checkpoints, ink) {
  if (!checkpoints?.length) return [''];
  const columns = [{ head: 'start (UTC)' }, ...['took', 'written by all', 'by the checkpoint', 'ops/s', 'stalled'].map((head) => ({ head, align: /** @type {const} */ ('right') }))];
  const rows = checkpoints.map((one) => [
    one.from.toISOString().slice(11, 19), one.running ? 'runs' : duration(one.durationMs), bytes(one.writtenBytes), bytes(one.checkpointBytes), count(one.opsPerSec),
    one.stalledSeconds === null ? UNKNOWN : one.stalledSeconds > 0 ? ink(duration(one.stalledSeconds * 1000), 'bad') : '0',
  ]);
  return ['', table(columns, rows, ink), ''];
}

/** @param {Data} data @returns {string[]} */
function pace({ opsPerSec: { inside, outside } }) {
  if (inside === null || !outside) return [];
  return [`operations while a checkpoint ran: ${count(inside)}/s, otherwise ${count(outside)}/s (${percent(inside / outside)} of it)`];
}

/** @param {Data} data @param {Ink} ink */
function stalls({ stalls: all, stalledSeconds, stalledInCheckpointSeconds }, ink) {
  if (all === null) return 'stalls: too little work, or too few looks, to tell';
  if (all.length === 0) return 'stalls: none';
  const longest = Math.max(...all.map(({ seconds }) => seconds));
  return ink(`stalls: ${all.length}, together ${duration(Number(stalledSeconds) * 1000)}, the longest ${duration(longest * 1000)}; in checkpoints: ${duration(Number(stalledInCheckpointSeconds) * 1000)}`, 'bad');
}

module.exports = { renderCheckpoints };
