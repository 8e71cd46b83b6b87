'use strict';

const { duration, percent } = require('../../model/units');
const { NO_CASE, evidenceOf, holding } = require('../candidate');
const { evictionLoss, isEvictionGrave, lossWords, HEALTHY_THREADS } = require('../losses');
const { dirtyLimit } = require('../dirty-limit');
const { areWorkersShort, FAST_WRITE_MS } = require('../workers');
const { PHRASES } = require('../phrases');
const { whole } = require('../words');

/** @typedef {import('../candidate').Readings} Readings */

/** Dirty or update data outruns eviction: at the trigger clients must evict before they may go on. @type {import('../candidate').Candidate} */
module.exports = {
  name: 'cache-dirty',
  examine(readings) {
    const loss = evictionLoss(readings);
    if (loss === undefined || loss.threads <= HEALTHY_THREADS) return NO_CASE;
    return {
      score: loss.share,
      because: `${atLimit(readings)}, so clients must evict before they go on: ${lossWords(loss)}.${aboutDisk(readings)}`,
      evidence: evidenceOf(readings, [PHRASES.dirty, loss.threads === readings['clients.waitingForCache'] ? PHRASES.waiting : PHRASES.evicting, PHRASES.writeMs, PHRASES.written, PHRASES.fill]),
      against: holding([
        [!isEvictionGrave(readings), `evicting costs the clients ${lossWords(loss)}`],
        [!dirtyLimit(readings).isReached, `only ${percent(readings['cache.dirtyRatio'])} of the cache is dirty, so the dirty limit is not why clients evict`],
        [areWorkersShort(readings), 'processors and disk have room, so more eviction threads would keep up'],
      ]),
    };
  },
};

/** @param {Readings} readings */
function atLimit(readings) {
  const { how, triggerRatio, isLowered } = dirtyLimit(readings);
  const dirty = percent(readings['cache.dirtyRatio']);
  if (how === 'suspected-lower') return `Clients evict at ${dirty} dirty, far below the default trigger of 20 %: somebody seems to have lowered the trigger`;
  if (isLowered) return `${dirty} of the cache is dirty, and the dirty trigger is set as low as ${whole(/** @type {number} */ (triggerRatio))}`;
  return `${dirty} of the cache is dirty${triggerRatio === null ? '' : ` (clients evict from ${whole(triggerRatio)} on)`}`;
}

/** @param {Readings} readings */
function aboutDisk(readings) {
  const writeMs = readings['eviction.pageWriteMs'];
  return writeMs !== undefined && writeMs > FAST_WRITE_MS ? ` A page write takes ${duration(writeMs)}: the disk's write rate is the limit behind it.` : '';
}
