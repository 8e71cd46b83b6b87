'use strict';

const { TuneError } = require('../base/pure/errors');
const { hasBegun } = require('../split/cut');
const { back, forth } = require('../split/names');
const { splitsOf } = require('../split/state');
const { resume } = require('../commands/split-resume');
const { withWork } = require('../split/act');

/** In these the cut has begun, or may have. */
const LEGS = Object.freeze({
  cutting: forth,
  draining: forth,
  switching: forth,
  'cutting-back': back,
  'draining-back': back,
  'switching-back': back,
});

/**
 * In the place of a shell that is dead: what is cut off goes on to its end, or goes back; what is
 * not stays as it is.
 * @param {import('../split/act').Context} ctx
 * @param {string} id of one collection's split
 * @param {string} owner of the dead shell's lease
 */
async function carryOn(ctx, id, owner) {
  const [split] = await splitsOf(ctx.port, id);
  if (!split) throw new TuneError('TUNE-35012', `There is no split "${id}".`, { value: id });
  if (!legOf(split) && !split.reopened) return;
  if (split.lease && split.lease.owner !== owner) return;
  await withWork(
    ctx,
    split,
    async (work) => {
      const leg = legOf(work.split);
      if (leg && (await work.again(() => hasBegun(work, leg(work.split))))) await resume(work);
    },
    { heir: owner },
  );
}

/** @param {import('../split/state').Split} split */
const legOf = ({ phase }) => /** @type {Record<string, typeof forth>} */ (LEGS)[phase] ?? null;

module.exports = { carryOn };
