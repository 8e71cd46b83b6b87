'use strict';

const { percent } = require('../../model/units');
const { NO_CASE, evidenceOf, holding } = require('../candidate');
const { isReadingGrave, isEvictionGrave } = require('../losses');
const { BUSY_CPU_RATIO } = require('../workers');
const { isThrottlingGrave } = require('../lag');
const { PHRASES } = require('../phrases');
const { many } = require('../words');

// Operations that queue on average; fewer come and go on every busy server. Ours.
const LEAST_QUEUED = 1;
// Share of the operations in the server that only queue; ours.
const QUEUED_SHARE = 0.25;
// Queues form before busy processors too. mongod's share alone must leave room for a client on the same machine; ours.
const IDLE_CPU_RATIO = 0.5;

/** Operations queue for tickets or locks although nothing behind them is slow. @type {import('../candidate').Candidate} */
module.exports = {
  name: 'concurrency',
  examine(readings) {
    const queued = readings['clients.queued'] ?? 0;
    if (queued === 0) return NO_CASE;
    const share = queued / Math.max(queued, readings['clients.busy'] ?? 0);
    const { 'process.cpuRatio': cpu, 'system.cpuRatio': machine } = readings;
    return {
      score: share,
      because: `The queue for tickets and locks is ${many(queued, 'operation')} long on average, ${percent(share)} of those in the server, while the cache keeps up and the processors have room.`,
      evidence: evidenceOf(readings, [PHRASES.queued, PHRASES.busy, PHRASES.cpu]),
      against: holding([
        [queued < LEAST_QUEUED || share < QUEUED_SHARE, `the queue for tickets and locks is ${many(queued, 'operation')} long on average, ${percent(share)} of those in the server`],
        [isReadingGrave(readings), 'tickets are held by clients that wait for pages'],
        [isEvictionGrave(readings), 'tickets are held by clients that evict'],
        [isThrottlingGrave(readings), 'what queues is made to wait by flow control, for members that lag'],
        [cpu === undefined && machine === undefined, 'how busy the processors are is not known, and queues form before busy processors too'],
        [cpu !== undefined && cpu > IDLE_CPU_RATIO, `mongod uses ${percent(cpu)} of the processors, and queues form before busy processors too`],
        [cpu === undefined && machine !== undefined && machine > BUSY_CPU_RATIO, `${percent(machine)} of the machine's processors are busy, and queues form before busy processors too`],
      ]),
    };
  },
};
