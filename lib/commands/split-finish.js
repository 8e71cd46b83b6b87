'use strict';

const { count } = require('../base/pure/units');
const { defineCommand, confirmOption } = require('../base/pure/command');
const { flag } = require('../base/pure/options');
const { finishSplit } = require('../split/finish');
const { runSplitCommand } = require('../split/split-command');

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
  examples: ['tune.split.finish()', 'tune split finish'],
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
      preview: (split) => DOES[split.phase]?.(split, open) ?? [],
      obstacles: (split) => counted(ctx.port, split),
      run: (job) => finishSplit(job, { open }),
    },
    { id, confirm, also: { open: open || undefined } },
  );
}

/**
 * What is over has nothing left but a name that refuses.
 * @param {Split} split
 * @param {boolean} opens one that was named
 */
function fits({ phase, refuses = false, history }, opens) {
  if (phase === 'aborted') return refuses;
  return phase !== 'finished' || (opens && history.at(-2)?.phase === 'switched');
}

/**
 * @type {Readonly<Partial<Record<Phase, (split:
 *   Split, open: boolean) => string[]>>>}
 */
const DOES = Object.freeze({
  finished: ({ source }) => [
    `The view ${source} that blocks the source namespace is dropped: a write to it ` +
      'creates a new collection.',
  ],
  aborted: ({ target }) => [
    `The view ${target} that blocks the target namespace is dropped: a write to it ` +
      'creates a new collection.',
  ],
  'rolled-back': ({ target, into }) => [
    `The data that ${target} had, ${into.db}.${into.stagingName}, is dropped, and the view ${target} that blocks it.`,
  ],
  switched: ({ mode, source, from, reads }, open) => [
    `The old data, ${from.db}.${from.renamedTo}, is ` +
      `dropped${mode === 'offline' ? '' : ': after that there is no rollback'}.`,
    open
      ? `The view ${source} is dropped too: a write to it creates a new collection.`
      : `${source} ` + `${reads === 'view' ? 'is blocked for reads, too' : 'stays blocked'}.`,
  ],
});

/**
 * What stays and what goes, as the server counts it: a person sees at once when one of them is not
 * what it should be.
 * @param {Port} port
 * @param {Split} split
 */
async function counted(port, { phase, from, into }) {
  if (phase === 'aborted' || phase === 'finished') return [];
  const about = async (/** @type {string} */ db, /** @type {string} */ name) => {
    const said = await port.command(db, { count: name }).then(
      ({ n }) => `about ${count(Number(n))} documents`,
      () => 'missing, or not countable',
    );
    return `${db}.${name} (${said})`;
  };
  const [stays, goes] =
    phase === 'rolled-back'
      ? [about(from.db, from.name), about(into.db, into.stagingName)]
      : [about(into.db, into.name), about(from.db, from.renamedTo)];
  return [`Kept: ${await stays}. Dropped: ${await goes}.`];
}
