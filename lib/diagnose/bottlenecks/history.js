'use strict';

const { count, duration } = require('../../model/units');
const { NO_CASE, evidenceOf, holding } = require('../candidate');
const { PHRASES } = require('../phrases');

// Transaction ids pinned: 0 to 83 under every other load measured, 28,749 with a snapshot held open (docs/evidence/pinned-snapshot.md).
const PINNED_IDS = 5000;
// On a server with many writes that is a moment. Transactions end after 60 s by default; a third of that is long. Ours.
const PINNED_SECONDS = 20;

/** An old snapshot pins old versions: eviction may not drop what that snapshot could still ask for. @type {import('../candidate').Candidate} */
module.exports = {
  name: 'history',
  examine(readings) {
    const pinned = readings['transaction.pinnedIdsMax'] ?? 0;
    const perSec = Math.max(readings['ops.writesPerSec'] ?? 0, readings['ops.replicatedPerSec'] ?? 0);
    if (pinned < PINNED_IDS / 2 || perSec === 0) return NO_CASE;
    const seconds = pinned / perSec;
    return {
      // What everything else suffers from: it comes first where it holds.
      score: 1,
      because: `The oldest snapshot pins ${count(pinned)} transaction ids, about ${duration(seconds * 1000)} of writes: old versions pile up in the cache, and eviction may not drop them.`,
      evidence: evidenceOf(readings, [PHRASES.pinned, PHRASES.writes, PHRASES.history, PHRASES.updates]),
      against: holding([
        [pinned < PINNED_IDS, `${count(pinned)} transaction ids are pinned`],
        [seconds < PINNED_SECONDS, `the oldest snapshot is about ${duration(seconds * 1000)} old`],
      ]),
    };
  },
};
