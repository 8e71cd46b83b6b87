'use strict';

const { checkOptions, flag } = require('../options');
const { goOn } = require('../split/phases');
const { act } = require('./shared/split/act');

const OPTIONS = { confirm: flag() };

/**
 * Lets applications go over: the source refuses everything from one moment on, what came before it is brought over, and the
 * target gets its name. Writes in between fail with an error; none is lost.
 * @param {import('./shared/split/act').Context} ctx
 * @param {string} [id] of the plan, or of one of its collections @param {{ confirm?: boolean }} [options]
 */
async function splitCutover(ctx, id, options) {
  const { confirm } = checkOptions('tune.split.cutover', OPTIONS, options);
  return act(ctx, {
    name: 'tune.split.cutover', phases: ['following', 'cutting', 'draining', 'switching'],
    does: ({ source, target, from }) => [
      `${source} becomes ${from.db}.${from.aside}; from then on its old name refuses writes (error 166) and reads (error 241).`,
      `What was written until then is brought over, and ${target} begins to answer. The writes in between fail; applications must try them again there.`,
    ],
    work: (work) => goOn(work, 'switched'),
  }, { id, confirm });
}

module.exports = { splitCutover };
