'use strict';

const { checkOptions, flag } = require('../options');
const { rollBack } = require('../split/undo');
const { act } = require('./shared/split/act');

const OPTIONS = { confirm: flag() };

/**
 * Takes a split back after its switch: what was written to the target since is brought back, then the old collection gets its name again.
 * @param {import('./shared/split/act').Context} ctx
 * @param {string} [id] @param {{ confirm?: boolean }} [options]
 */
async function splitRollback(ctx, id, options) {
  const { confirm } = checkOptions('tune.split.rollback', OPTIONS, options);
  return act(ctx, {
    name: 'tune.split.rollback', phases: ['switched', 'cutting-back', 'draining-back', 'switching-back'],
    does: ({ source, target }) => [
      `${target} refuses every operation from one moment on; what was written to it since the switch is brought back.`,
      `${source} has its data again and answers; ${target} goes on refusing until tune.split.finish().`,
    ],
    work: rollBack,
  }, { id, confirm });
}

module.exports = { splitRollback };
