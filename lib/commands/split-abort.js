'use strict';

const { defineCommand, confirmOption } = require('../base/pure/command');
const { flag } = require('../base/pure/options');
const { ABORTABLE } = require('../split/pure/phase-table');
const { wasCut } = require('../split/replace-view');
const { abortSplit } = require('../split/abort');
const { runSplitCommand, guardianOption } = require('../split/split-command');

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
  examples: ['tune.split.abort()', 'tune split abort'],
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
      preview: (split) => [
        keep
          ? `${split.source} is unchanged, or gets its name again.`
          : `${split.source} is active, with all its data.`,
        ...ofCopy(split, keep),
      ],
      run: (job) => abortSplit(job, { keep }),
    },
    { id, confirm, also: { keepCopy: keep || undefined, guardian: guardian ? undefined : false } },
  );
}

/**
 * What becomes of the copy and of the view that refuses.
 * @param {Split} split
 * @param {boolean} keep
 * @returns {string[]} what becomes of the copy and of the view that refuses
 */
function ofCopy(split, keep) {
  const { target, into } = split;
  const copy = `${into.db}.${into.stagingName}`;
  const view = wasCut(split)
    ? `${target} stays blocked until tune.split.finish().`
    : `${target} is no longer blocked: its view is dropped.`;
  return [keep ? `The copy stays as ${copy}.` : `The copy ${copy} is dropped.`, view];
}
