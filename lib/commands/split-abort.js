'use strict';

const { defineCommand, confirmOption } = require('../base/pure/command');
const { flag } = require('../base/pure/options');
const { ABORTABLE, wasIn } = require('../split/pure/phase-table');
const { mayLack } = require('../split/pure/phase-words');
const { abortSplit } = require('../split/abort');
const { runSplitCommand, guardianOption } = require('../split/split-command');
const { isInPlace } = require('../split/where-it-stands');

/**
 * @import { Context } from '../split/split-command'
 * @import { Split } from '../split/types'
 */

module.exports = defineCommand({
  name: 'split.abort',
  group: 'Split',
  order: 9,
  takes: ['id', 'options'],
  idsOf: 'tune.split.status()',
  usage: 'tune.split.abort(id, { confirm … })',
  summary: 'Ends a split before its cutover; the source keeps all data',
  options: {
    confirm: confirmOption('a DRY RUN shows what would be done'),
    keepCopy: {
      check: flag(),
      default: false,
      description: 'keep the staging copy under its current name',
    },
    guardian: guardianOption('while a namespace is blocked'),
  },
  examples: [
    'tune.split.abort()',
    'tune.split.abort({ confirm: true })',
    'tune split abort --confirm',
  ],
  changes: 'splits',
  risks: [
    'It drops the copy, unless { keepCopy: true }. The time of the copy is lost.',
    'After a cutover that had begun, the target stays blocked until tune.split.finish().',
  ],
  run: splitAbort,
});

/**
 * Ends a split before the target answers: the source has everything that was written, and the copy
 * is dropped.
 * @param {Context} ctx
 * @param {string | undefined} id
 * @param {{ confirm: boolean, keepCopy: boolean, guardian: boolean }} options
 */
async function splitAbort(ctx, id, { confirm, keepCopy: keep, guardian }) {
  return runSplitCommand(
    ctx,
    {
      name: 'tune.split.abort',
      allowLost: keep,
      phases: ABORTABLE,
      guardian: guardian ? 'where possible' : 'none',
      undoes: true,
      preview: (split) => would(ctx.port, split, keep),
      run: (job) => abortSplit(job, { keep }),
    },
    { id, confirm, also: { keepCopy: keep || undefined, guardian: guardian ? undefined : false } },
  );
}

/**
 * @param {Context['port']} port
 * @param {Split} split
 * @param {boolean} keep
 * @returns {Promise<string[]>} what an abort would do
 */
async function would(port, split, keep) {
  const { source, into } = split;
  if (await isSourceThere(port, split))
    return [`${source} is active, with all its data.`, ...ofCopy(split, keep)];
  const gone = `${source} no longer exists, or another collection has its name`;
  return keep
    ? [`${gone}.`, ...ofCopy(split, keep)]
    : [`Refused: ${gone}, so ${into.db}.${into.stagingName} is not dropped.`];
}

/**
 * Whether the source exists, under its own name or its renamed one.
 * @param {Context['port']} port @param {Split} split
 */
async function isSourceThere(port, { from: { db, name, renamedTo }, sourceUuid, reopened }) {
  const names = [name, renamedTo, ...(reopened ? [reopened.name] : [])];
  const places = names.map((place) => ({ db, name: place, uuid: sourceUuid }));
  // Where this user may not see the source, the command says so.
  const there = await Promise.all(places.map((place) => isInPlace(port, place).catch(() => true)));
  return there.includes(true);
}

/**
 * Says what happens to the copy and to the view that refuses writes.
 * @param {Split} split
 * @param {boolean} keep
 * @returns {string[]} sentences
 */
function ofCopy(split, keep) {
  const { target, into } = split;
  const copy = `${into.db}.${into.stagingName}`;
  const view = wasIn(split, 'cutting')
    ? `${target} stays blocked until tune.split.finish().`
    : `${target} is no longer blocked: its view is dropped, and a write to it creates a new collection.`;
  return keep
    ? [`The copy stays as ${copy}.`, ...mayLack(split), view]
    : [`The copy ${copy} is dropped.`, view];
}
