'use strict';

const { checkOptions, flag } = require('../options');
const { abortSplit } = require('../split/undo');
const { act } = require('./shared/split/act');
const { readArguments } = require('./shared/split/arguments');

const OPTIONS = { confirm: flag() };

/**
 * Gives a split up before its switch: the source is as it was, with everything that was written, and the copy is dropped.
 * @param {import('./shared/split/act').Context} ctx
 * @param {string | object} [first] the id; may be left out @param {{ confirm?: boolean }} [options]
 */
async function splitAbort(ctx, first, options) {
  const { id, given } = readArguments('tune.split.abort', first, options);
  const { confirm } = checkOptions('tune.split.abort', OPTIONS, given);
  return act(ctx, {
    name: 'tune.split.abort', phases: ['planned', 'created', 'copying', 'indexing', 'following', 'cutting', 'draining', 'switching', 'aborting'],
    does: ({ source, target, into }) => [`${source} is as it was before, with all its data.`, `The copy ${into.db}.${into.working} and the view ${target} are dropped.`],
    work: abortSplit,
  }, { id, confirm });
}

module.exports = { splitAbort };
