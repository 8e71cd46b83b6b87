'use strict';

const { defineCommand, confirmOption } = require('../base/pure/command');
const { flag } = require('../base/pure/options');
const { followAll, restart, resume } = require('../split/resume');
const { COPY_PHASES, PHASE_TABLE, cutWayOf } = require('../split/pure/phase-table');
const { notOver, runOnEach } = require('../split/each-split');
const { splitsOf } = require('../split/state');
const { noSuch } = require('../split/with-lease');
const {
  checkOnePlan,
  doneReport,
  guardianOption,
  splitsReport,
  wouldDo,
} = require('../split/split-command');

/**
 * @import { Context } from '../split/split-command'
 * @import { Phase } from '../split/state'
 * @import { Split, SplitCommand } from '../split/types'
 */

module.exports = defineCommand({
  name: 'split.resume',
  group: 'Split',
  order: 4,
  takes: ['id', 'options'],
  idsOf: 'tune.split.status()',
  usage: 'tune.split.resume(id, { confirm … })',
  summary: 'Continues a split after an interruption',
  details: 'The action depends on the phase: a DRY RUN shows it',
  options: {
    confirm: confirmOption('a DRY RUN shows what would be done'),
    follow: {
      check: flag(),
      default: false,
      description: 'then tails the change stream until Ctrl-C',
    },
    restart: {
      check: flag(),
      default: false,
      description:
        'start a new copy, if the oplog was too short; after the cutover compare all ' +
        'documents',
    },
    guardian: guardianOption('while a namespace is blocked'),
  },
  examples: [
    'tune.split.resume()',
    'tune.split.resume({ confirm: true })',
    'tune split resume --confirm',
  ],
  changes: 'splits',
  risks: [
    'It continues the stopped step: a cutover or a rollback is completed, or reverted.',
    'Meanwhile both namespaces may be blocked. Run it without confirm first.',
    'A new copy has the load and the duration of tune.split.run() again.',
  ],
  run: splitResume,
});

const NAME = 'tune.split.resume';

/**
 * Goes on with a split in whatever phase it was left: the shell was closed, the connection lost,
 * the primary another. After the cutover it applies what is written to the target to the old data.
 * @param {Context} ctx
 * @param {string | undefined} id
 * @param {{ restart: boolean, follow: boolean, confirm: boolean, guardian: boolean }} options
 * @returns {Promise<ReturnType<typeof doneReport>>}
 */
async function splitResume(ctx, id, { restart: again, follow, confirm, guardian }) {
  const all = await splitsOf(ctx.port, id);
  if (id !== undefined && all.length === 0) throw noSuch(id);
  const splits = again ? notOver(all) : all;
  if (!confirm) return preview(ctx, splits, { id, again, follow, guardian });
  checkOnePlan(NAME, id, [...new Set(splits.map(({ planId }) => planId))]);
  let done = await runOnEach(ctx, commandOf(again, guardian), splits);
  if (follow) done = await followAll(ctx, done);
  return doneReport(NAME, done);
}

/** @param {boolean} again @param {boolean} guardian @returns {SplitCommand} */
const commandOf = (again, guardian) => ({
  name: NAME,
  phases: /** @type {Phase[]} */ (Object.keys(PHASE_TABLE)),
  preview: (split) => [again ? restarted(split) : further(split)],
  run: again ? restart : resume,
  guardian: guardian ? 'where possible' : 'none',
});

/**
 * Makes the answer of a dry run.
 * @param {Context} ctx
 * @param {Split[]} splits
 * @param {{ id: string | undefined, again: boolean, follow: boolean, guardian: boolean }} asked
 */
async function preview(ctx, splits, { id, again, follow, guardian }) {
  const flags = [
    ...(again ? ['restart: true'] : []),
    ...(follow ? ['follow: true'] : []),
    ...(guardian ? [] : ['guardian: false']),
    'confirm: true',
  ].join(', ');
  const call = splits.length === 0 ? null : `${NAME}("${id ?? splits[0].planId}", { ${flags} })`;
  return splitsReport(NAME, await wouldDo(ctx, commandOf(again, guardian), splits), call);
}

/** Says what `again` would do. @param {Split} split */
const restarted = ({ phase, source, target, into }) =>
  phase === 'switched'
    ? `${target} and the old data of ${source} are compared, and documents that ` +
      'differ are copied to the old data.'
    : `The copy ${into.db}.${into.stagingName} is dropped and copied again.`;

/** Says what resuming would do in the present phase. @param {Split} split @returns {string} */
function further({ phase, mode, source, target }) {
  if (phase === 'aborting')
    return `The abort is completed: ${source} is active with all its data, and the copy is dropped.`;
  if (cutWayOf(phase) === 'reverse')
    return `The rollback continues: ${source} becomes active, and ${target} is blocked.`;
  if (phase === 'switched')
    return mode === 'online'
      ? `Writes to ${target} are applied to the old data of ${source}.`
      : 'Nothing: it is already moved.';
  if (cutWayOf(phase) === 'forward')
    return `The cutover continues: ${target} becomes active, and ${source} is blocked.`;
  if (phase === 'following') return `Later writes to ${source} are applied to the copy.`;
  if (COPY_PHASES.includes(phase))
    return (
      `The copy continues, and new writes to ${source} are applied to it. Applications are ` +
      'not affected.'
    );
  return 'Nothing: the split has ended.';
}
