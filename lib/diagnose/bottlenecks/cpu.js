'use strict';

const { percent } = require('../../model/units');
const { NO_CASE, evidenceOf, holding } = require('../candidate');
const { isReadingGrave, isEvictionGrave } = require('../losses');
const { isAtLimit } = require('../workers');
const { areReadsSlow } = require('../reads');
const { BUSY_RATIO, isCpuBusy } = require('../processors');
const { PHRASES } = require('../phrases');

/** The processors are the limit. @type {import('../candidate').Candidate} */
module.exports = {
  name: 'cpu',
  examine(readings) {
    const used = readings['process.cpuRatio'];
    if (used === undefined || used < BUSY_RATIO / 2) return NO_CASE;
    return {
      score: Math.min(1, used),
      because: `mongod keeps ${percent(used)} of the processors busy, and the cache costs the clients little beside that: no cache setting makes processors faster.`,
      evidence: evidenceOf(readings, [PHRASES.cpu, PHRASES.cores, PHRASES.reading, PHRASES.waiting]),
      against: holding([
        [!isCpuBusy(readings), `mongod uses ${percent(used)} of the processors`],
        [isReadingGrave(readings) && areReadsSlow(readings), 'clients wait for pages from the disk'],
        [isEvictionGrave(readings) && isAtLimit(readings), 'clients evict at a limit of the cache'],
      ]),
    };
  },
};
