'use strict';

const assert = require('node:assert/strict');
const { incidentOf } = require('../../../lib/incident/pure/incident');
const { bestOf } = require('../../../lib/incident/pure/compete');
const { event, loweredTrigger, readOf } = require('../../support/incident-events');

/** @import { RawEvent } from '../../../lib/incident/types' */

const [PARAMETER, ...FELT] = loweredTrigger();
const recorded = (/** @type {string} */ code, seconds = 120, values = {}) =>
  event(code, 600, { seconds, source: 'ftdc', values });

/** What went wrong at 600 s; clients wait from 604 s on. @type {Record<string, RawEvent[]>} */
const CAUSES = {
  'a parameter': [PARAMETER],
  'a lock': [event('fsync-locked', 600, { seconds: 100 })],
  'a broken disk': [event('kernel-io-error', 600, { source: 'kernel' })],
  'a transaction': [event('transaction-long', 600, { seconds: 125 })],
  'a dump': [event('dump-client', 600, { seconds: 130 })],
  'more load': [recorded('load-up', 130)],
  'a TTL': [event('ttl-set', 600, { values: { ns: 'o', index: 'old', afterSeconds: 60 } })],
  'more connections': [recorded('connections-up')],
  'a majority that lags': [recorded('majority-lag'), recorded('flow-control')],
  'a frozen process': [recorded('sample-gap', 14, { seconds: 14 })],
  'a death': [event('process-died', 600, { seconds: 10 }), event('process-unclean-start', 601)],
  'a step-down': [
    event('step-down-command', 600),
    event('stepped-down', 601, { values: { reason: 'asked' } }),
  ],
  'a slow journal': [recorded('journal-slow')],
  'too little memory': [recorded('memory-low'), recorded('swapping')],
  'throttled CPUs': [event('kernel-cpu-throttled', 600, { source: 'kernel' })],
  'a change by tune': [event('tune-changed', 600, { source: 'journal' })],
};
/** Builds that run by chance: from when on, and for how long. @type {Record<string, [number, number]>} */
const BUILDS = {
  'that runs long before, and goes on': [300, 900],
  'that runs since minutes': [310, 600],
  'that began just before': [598, 100],
  'that began just before, and was short': [595, 3],
  'that begins later': [620, 60],
  'that was over': [500, 60],
  'that began ten seconds before': [590, 300],
};
/** What a build that begins seconds before them may well have caused. */
const OF_A_BUILD = new Set([
  'more connections',
  'a majority that lags',
  'a slow journal',
  'too little memory',
]);
const NEAR = new Set(['that began just before', 'that began ten seconds before']);

/** @param {readonly RawEvent[]} events */
function firstOf(events) {
  const made = incidentOf(readOf([...events, ...FELT]));
  return made.events.find(({ id }) => id === made.firstCause)?.code;
}
const build = (/** @type {number} */ from, /** @type {number} */ seconds) =>
  event('index-build', from, { seconds, values: { ns: 'a.b', index: 'x_1' } });

describe('an index build that runs by chance is not the first cause', () => {
  for (const [what, events] of Object.entries(CAUSES))
    for (const [which, [from, seconds]] of Object.entries(BUILDS)) {
      if (OF_A_BUILD.has(what) && NEAR.has(which)) continue;
      it(`of ${what}: one ${which}`, () => {
        const first = firstOf([...events, build(from, seconds)]);
        assert.ok(
          events.some(({ code }) => code === first),
          String(first),
        );
      });
    }

  it('but is where nothing else can be it, and where the other explains less or came too late', () => {
    assert.equal(firstOf([build(600, 130)]), 'index-build');
    assert.equal(firstOf([build(600, 130), event('load-up', 640, { seconds: 60 })]), 'index-build');
    assert.equal(firstOf([build(598, 130), event('process-signal', 601)]), 'index-build');
  });
  it('and of nothing there is no best', () => assert.equal(bestOf([]), null));
});
