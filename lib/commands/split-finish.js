'use strict';

const { checkOptions, flag } = require('../options');
const { finishSplit } = require('../split/undo');
const { act } = require('./shared/split/act');
const { readArguments } = require('./shared/split/arguments');

const OPTIONS = { confirm: flag(), open: flag() };

/**
 * Drops what was kept for a rollback. The old name goes on refusing, unless it is opened.
 * @param {import('./shared/split/act').Context} ctx
 * @param {string | object} [first] the id; may be left out @param {{ confirm?: boolean, open?: boolean }} [options] `open`: the view that refuses goes too
 */
async function splitFinish(ctx, first, options) {
  const { id, given } = readArguments('tune.split.finish', first, options);
  const { confirm, open = false } = checkOptions('tune.split.finish', OPTIONS, given);
  return act(ctx, {
    name: 'tune.split.finish', phases: ['switched', 'rolled-back'],
    does: ({ phase, mode, source, target, from, reads }) => (phase === 'rolled-back' ? [`The view ${target}, which refuses every operation, is dropped.`] : [
      `The old data, ${from.db}.${from.aside}, is dropped${mode === 'offline' ? '' : ': after that there is no rollback'}.`,
      open ? `The view ${source} is dropped too: a write to the old name makes a new collection.` : `${source} ${reads === 'view' ? 'refuses reads, too, from then on' : 'goes on refusing every operation'}.`,
    ]),
    work: (work) => finishSplit(work, { open }),
  }, { id, confirm, also: { open: open || undefined } });
}

module.exports = { splitFinish };
