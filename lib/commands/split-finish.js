'use strict';

const { count } = require('../base/pure/units');
const { defineCommand, confirmOption } = require('../base/pure/command');
const { flag } = require('../base/pure/options');
const { nsOf } = require('../split/directions');
const { finishSplit, heirOf } = require('../split/finish');
const { isOfOther } = require('../split/used-by-others');
const { findCollection, findOccupant, sameUuid } = require('../split/server');
const { runSplitCommand } = require('../split/split-command');
const { isSplitView } = require('../split/target');
const { isInPlace } = require('../split/where-it-stands');

/**
 * @import { Context } from '../split/split-command'
 * @import { Port } from '../split/server'
 * @import { Phase } from '../split/state'
 * @import { Split } from '../split/types'
 */

module.exports = defineCommand({
  name: 'split.finish',
  group: 'Split',
  order: 8,
  takes: ['id', 'options'],
  idsOf: 'tune.split.status()',
  usage: 'tune.split.finish(id, { confirm, open })',
  summary: 'Drops the old data; after that there is no rollback',
  details: 'After a rollback it drops the data of the target',
  options: {
    confirm: confirmOption('a DRY RUN shows what would be done'),
    open: {
      check: flag(),
      default: false,
      description: 'also drop the blocking view: frees the source namespace',
    },
  },
  examples: [
    'tune.split.finish()',
    'tune.split.finish({ confirm: true })',
    'tune split finish --confirm',
  ],
  changes: 'splits',
  risks: [
    'It drops the old data. Only a backup can restore it.',
    'After a rollback it drops the data of the target, with documents that only it has.',
  ],
  run: splitFinish,
});

/**
 * Drops what was kept for a rollback. The old name goes on refusing, unless it is opened.
 * @param {Context} ctx
 * @param {string | undefined} id
 * @param {{ confirm: boolean, open: boolean }} options
 */
async function splitFinish(ctx, id, { confirm, open }) {
  return runSplitCommand(
    ctx,
    {
      name: 'tune.split.finish',
      phases: ['switched', 'rolled-back', 'aborted', 'finished'],
      isAllowed: (split) => fits(split, open && id !== undefined),
      allowLost: true,
      preview: async (split) => would(split, await nowAt(ctx.port, split), open),
      obstacles: (split) => counted(ctx.port, split),
      run: (job) => finishSplit(job, { open }),
    },
    { id, confirm, also: { open: open || undefined } },
  );
}

/**
 * Whether a split can be finished: one that is over has nothing left but a name that refuses.
 * @param {Split} split
 * @param {boolean} opens whether the user named a split to open
 */
function fits({ phase, refuses = false, history }, opens) {
  if (phase === 'aborted') return refuses;
  return phase !== 'finished' || (opens && history.at(-2)?.phase === 'switched');
}

/**
 * @typedef {{
 *   blocked: string | null, isView: boolean, isOwn: boolean, isOthers: boolean, keeps: Place,
 *   drops: Place & { uuid: any }, isKept: boolean, isGone: boolean
 * }} Now `blocked`: the type of what has the name that is to be blocked, null: it is free; `isView`:
 *   our view has it; `isOwn`: what a finish would drop has it; `isOthers`: another split
 *   uses it too, or made that view; `isKept`: what would be dropped is there; `isGone`: what is to
 *   stay is not
 * @typedef {{ db: string, name: string }} Place
 */

/**
 * Says what a finish would do.
 * @param {Split} split
 * @param {Now} now
 * @param {boolean} open
 * @returns {string[]}
 */
function would(split, now, open) {
  const { keeps, drops, isKept, isGone } = now;
  if (isGone && isKept)
    return [
      `Refused: ${nsOf(keeps)} no longer exists, or another collection has its name, so ` +
        `${nsOf(drops)} is not dropped.`,
    ];
  return DOES[split.phase]?.(split, now, open) ?? [];
}

/** @type {Readonly<Partial<Record<Phase, (split: Split, now: Now, open: boolean) => string[]>>>} */
const DOES = Object.freeze({
  finished: ({ source }) => [
    `The view ${source} that blocks the source namespace is dropped: a write to it ` +
      'creates a new collection.',
  ],
  aborted: ({ target }, { isView, isOthers }) =>
    isView && !isOthers
      ? [
          `The view ${target} that blocks the target namespace is dropped: a write to it ` +
            'creates a new collection.',
        ]
      : [`${target} stays as it is.`],
  'rolled-back': ({ target }, { isKept, isView, isOthers, drops }) => [
    isKept
      ? `The data that ${target} had, ${nsOf(drops)}, is dropped.`
      : `The data that ${target} had no longer exists.`,
    isView && !isOthers
      ? `The view ${target} that blocks it is dropped: a write to it creates a new collection.`
      : `${target} stays.`,
  ],
  switched: ({ mode, source, reads }, now, open) => [
    now.isKept
      ? `The old data, ${nsOf(now.drops)}, is ` +
        `dropped${mode === 'offline' ? '' : ': after that there is no rollback'}.`
      : `The old data, ${nsOf(now.drops)}, no longer exists.`,
    oldName(source, now, { open, reads }),
  ],
});

/**
 * @param {string} source
 * @param {Now} now
 * @param {{ open: boolean, reads?: 'refused' | 'view' }} how
 */
function oldName(source, now, { open, reads }) {
  const { blocked, isView } = now;
  if (blocked !== null && !isView) return nameOfOthers(source, now, open);
  if (open)
    return `${isView ? `The view ${source} is dropped too` : `${source} is free`}: a write to it creates a new collection.`;
  if (!isView) return `${source} is blocked again: another session dropped its view.`;
  return `${source} ${reads === 'view' ? 'is blocked for reads, too' : 'stays blocked'}.`;
}

/** @param {string} source @param {Now} now @param {boolean} open */
function nameOfOthers(source, { blocked, isOwn }, open) {
  const what = blocked === 'timeseries' ? 'time series' : blocked;
  const whose = isOwn
    ? 'the old data, which another session renamed'
    : `a ${what} of another session`;
  if (blocked === 'view' || open) return `${source} is ${whose} and stays.`;
  return (
    `Refused: ${source} is ${whose} and takes writes. ` +
    `${blocked === 'timeseries' ? 'Drop' : 'Rename'} it, or leave it there with { open: true }.`
  );
}

/**
 * @param {Port} port
 * @param {Split} split
 * @returns {Promise<Now>}
 */
async function nowAt(port, split) {
  const { from, into, phase, sourceUuid, stagingUuid } = split;
  const job = { port, split, again: once };
  const isMoved = phase === 'switched' || phase === 'finished';
  const [place, drops] = isMoved
    ? [from, { db: from.db, name: from.renamedTo, uuid: sourceUuid }]
    : [into, { db: into.db, name: into.stagingName, uuid: stagingUuid }];
  const there = await findOccupant(port, place);
  const keeps = isMoved
    ? { ...into, uuid: stagingUuid }
    : await heirOf(job, { ...from, uuid: sourceUuid });
  return {
    ...seenAs(there, drops.uuid),
    isOthers: await isOfOther(job),
    keeps,
    drops,
    isKept: isMoved
      ? await isInPlace(port, drops)
      : (await findCollection(port, drops.db, drops.name)) !== null,
    isGone: ['switched', 'rolled-back'].includes(phase) && !(await isInPlace(port, keeps)),
  };
}

/** @param {any} there @param {any} uuid */
const seenAs = (there, uuid) => ({
  blocked: there?.type ?? null,
  isView: isSplitView(there),
  isOwn: sameUuid(there?.info?.uuid, uuid),
});

/**
 * Asks once, for a dry run.
 * @template T
 * @param {() => Promise<T>} ask
 */
const once = (ask) => ask();

/**
 * Counts what stays and what goes, so that a person sees at once when one of them is not as
 * expected.
 * @param {Port} port
 * @param {Split} split
 */
async function counted(port, split) {
  if (split.phase === 'aborted' || split.phase === 'finished') return [];
  const { keeps, drops, isKept } = await nowAt(port, split);
  const about = async (/** @type {Place} */ { db, name }) => {
    const said = await port.command(db, { count: name }).then(
      ({ n }) => `about ${count(Number(n))} documents`,
      () => 'missing, or not countable',
    );
    return `${db}.${name} (${said})`;
  };
  return [`Kept: ${await about(keeps)}.${isKept ? ` Dropped: ${await about(drops)}.` : ''}`];
}
