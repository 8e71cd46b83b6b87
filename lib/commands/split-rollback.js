'use strict';

const { checkOptions, flag } = require('../options');
const { checkHasWayBack, rollBack } = require('../split/undo');
const { act } = require('./shared/split/act');
const { readArguments } = require('./shared/split/arguments');

const OPTIONS = { confirm: flag() };

/**
 * Takes a split back after its switch: what was written to the target since is brought back, then the old collection gets its name again.
 * @param {import('./shared/split/act').Context} ctx
 * @param {string | object} [first] the id; may be left out @param {{ confirm?: boolean }} [options]
 */
async function splitRollback(ctx, first, options) {
  const { id, given } = readArguments('tune.split.rollback', first, options);
  const { confirm } = checkOptions('tune.split.rollback', OPTIONS, given);
  return act(ctx, {
    name: 'tune.split.rollback', phases: ['switched', 'cutting-back', 'draining-back', 'switching-back'],
    does,
    work: rollBack,
  }, { id, confirm });
}

/** @param {import('../split/state').Split} split */
function does(split) {
  checkHasWayBack(split);
  const { source, target } = split;
  return [
    `${target} refuses every operation from one moment on; what was written to it since the switch is brought back.`,
    `${source} has its data again and answers; ${target} goes on refusing until tune.split.finish().`,
  ];
}

module.exports = { splitRollback };
