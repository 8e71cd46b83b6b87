'use strict';

const { checkOptions, flag } = require('../options');
const { abortSplit } = require('../split/undo');
const { act } = require('./shared/split/act');
const { readArguments } = require('./shared/split/arguments');

const OPTIONS = { confirm: flag(), keep: flag() };

/**
 * Ends a split before the target answers: the source has everything that was written, and the copy
 * is dropped.
 * @param {import('./shared/split/act').Context} ctx
 * @param {string | object} [first] the id; may be left out
 * @param {{ confirm?: boolean, keep?: boolean }} [options] `keep`: the copy stays, under the name
 *   it has
 */
async function splitAbort(ctx, first, options) {
  const { id, given } = readArguments('tune.split.abort', first, options);
  const { confirm, keep = false } = checkOptions('tune.split.abort', OPTIONS, given);
  return act(
    ctx,
    {
      name: 'tune.split.abort',
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
      does: ({ source, target, into }) => [
        keep
          ? `${source} is not touched, or gets its name back.`
          : `${source} has its name and all its data, and answers.`,
        `${keep ? `The copy stays as ${into.db}.${into.working}; the` : `The copy ${into.db}.${into.working} and the`} ` +
          `view ${target} ${keep ? 'is' : 'are'} dropped.`,
      ],
      work: (work) => abortSplit(work, { keep }),
    },
    { id, confirm, also: { keep: keep || undefined } },
  );
}

module.exports = { splitAbort };
