'use strict';

const { callText } = require('../base/pure/printable');
const { defineCommand, confirmOption } = require('../base/pure/command');
const { flag } = require('../base/pure/options');
const { READY_PHASES } = require('../split/pure/phase-table');
const { notOver, oneByOne } = require('../split/each-split');
const { checkOnePlan, splitsReport } = require('../split/split-command');
const { statusOfSplit } = require('../split/split-status');
const { splitsOf } = require('../split/state');
const { repairSplit, verifySplit } = require('../split/verify-split');
const { noSuch, withLease } = require('../split/with-lease');

/**
 * @import { Context } from '../split/split-command'
 * @import { Split } from '../split/types'
 */

module.exports = defineCommand({
  name: 'split.verify',
  group: 'Split',
  order: 5,
  takes: ['id', 'options'],
  idsOf: 'tune.split.status()',
  usage: 'tune.split.verify(id, { repair, confirm })',
  summary: 'Compares the documents of both sides, byte by byte',
  details: 'It only reads; writes since the last resume count as pending, not as different',
  options: {
    repair: {
      check: flag(),
      default: false,
      description: 'apply pending writes, copy documents that differ, compare again',
    },
    confirm: confirmOption('{ repair: true } is a DRY RUN'),
  },
  examples: [
    'tune.split.verify()',
    'tune.split.verify({ repair: true })',
    'tune.split.verify({ repair: true, confirm: true })',
    'tune split verify',
  ],
  changes: 'splits',
  risks: [
    'It reads every document on both sides: it loads the disk and evicts other data ' +
      'from the cache.',
    'With { repair: true, confirm: true } it overwrites documents in the copy or the ' +
      'old data.',
  ],
  run: splitVerify,
});

/**
 * Compares both sides document by document, byte by byte, and writes nothing: what was written to
 * the side that counts since it was brought over last is pending. Before the cutover the source
 * counts, after it the target.
 * @param {Context} ctx
 * @param {string | undefined} id
 * @param {{ repair: boolean, confirm: boolean }} options
 * @returns {Promise<ReturnType<typeof import('../split/split-command').doneReport>>}
 */
async function splitVerify(ctx, id, { repair, confirm }) {
  const found = await splitsOf(ctx.port, id, { phase: { $in: READY_PHASES } });
  if (id !== undefined && found.length === 0) throw noSuch(id);
  const all = notOver(found);
  if (repair && !confirm) return onlyShown(all, id);
  if (repair) checkOnePlan('tune.split.verify', id, [...new Set(all.map(({ planId }) => planId))]);
  const compared = await oneByOne(all, (split) =>
    repair ? withLease(ctx, split, repairSplit) : verifySplit(ctx, split),
  );
  const rows = [...compared.values()].map((split) => statusOfSplit(split));
  return splitsReport(
    'tune.split.verify',
    rows.map((row) => ({ ...row, does: /** @type {string[] | null} */ (null) })),
    null,
  );
}

/** Makes the answer of a dry run. @param {Split[]} splits @param {string | undefined} id */
function onlyShown(splits, id) {
  const call =
    splits.length === 0
      ? null
      : callText('split.verify', id ?? splits[0].planId, { repair: true, confirm: true });
  return splitsReport(
    'tune.split.verify',
    splits.map((split) => ({ ...statusOfSplit(split), does: [does(split)] })),
    call,
  );
}

/** Says what a repair would do. @param {Split} split */
const does = ({ phase, source, target }) =>
  phase === 'following'
    ? `${source} and its copy are compared, and documents that differ are copied ` +
      `again from ${source}. Applications are not affected.`
    : `${target} and the old data of ${source} are compared, and documents that ` +
      'differ are copied again to the old data. Applications are not affected.';
