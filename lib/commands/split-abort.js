'use strict';

const { checkOptions, flag } = require('../base/pure/options');
const { wasCut } = require('../split/refusing-view');
const { abortSplit } = require('../split/undo');
const { runVerb } = require('../split/run-verb');
const { readArguments } = require('../split/arguments');

/**
 * @import { Context } from '../split/run-verb'
 * @import { Split } from '../split/state'
 */

const OPTIONS = { confirm: flag(), keep: flag() };

/**
 * Ends a split before the target answers: the source has everything that was written, and the copy
 * is dropped.
 * @param {Context} ctx
 * @param {string | object} [first] the id; may be left out
 * @param {{ confirm?: boolean, keep?: boolean }} [options] `keep`: the copy stays, under the name
 *   it has
 */
async function splitAbort(ctx, first, options) {
  const { id, given } = readArguments('tune.split.abort', first, options);
  const { confirm, keep = false } = checkOptions('tune.split.abort', OPTIONS, given);
  return runVerb(
    ctx,
    {
      name: 'tune.split.abort',
      evenLost: keep,
      phases: [
        'planned',
        'created',
        'copying',
        'indexing',
        'following',
        'cutting',
        'draining',
        'switching',
        'aborting',
      ],
      does: (split) => [
        keep
          ? `${split.source} is not touched, or gets its name back.`
          : `${split.source} has its name and all its data, and answers.`,
        ...ofCopy(split, keep),
      ],
      run: (job) => abortSplit(job, { keep }),
    },
    { id, confirm, also: { keep: keep || undefined } },
  );
}

/**
 * @param {Split} split
 * @param {boolean} keep
 * @returns {string[]} what becomes of the copy and of the view that refuses
 */
function ofCopy(split, keep) {
  const { target, into } = split;
  const copy = `${into.db}.${into.stagingName}`;
  const view = wasCut(split)
    ? `${target} goes on refusing until tune.split.finish().`
    : `The view ${target} is dropped.`;
  return [keep ? `The copy stays as ${copy}.` : `The copy ${copy} is dropped.`, view];
}

module.exports = { splitAbort };
