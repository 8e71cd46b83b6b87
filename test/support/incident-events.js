'use strict';

/** @import { RawEvent } from '../../lib/incident/types' */

/** The night of all tests: 2026-11-25 03:00 UTC. */
const NIGHT_MS = Date.UTC(2026, 10, 25, 3);
const HOST = 'db1:27017';

/**
 * An event so many seconds into the night.
 * @param {string} code
 * @param {number} fromSeconds
 * @param {Partial<RawEvent> & { seconds?: number, source?: RawEvent['evidence']['source'] }} [more]
 * @returns {RawEvent}
 */
const event = (code, fromSeconds, { seconds, source = 'log', ...more } = {}) => ({
  code,
  fromMs: NIGHT_MS + fromSeconds * 1000,
  toMs: seconds === undefined ? null : NIGHT_MS + (fromSeconds + seconds) * 1000,
  host: HOST,
  count: 1,
  values: {},
  evidence: { source, file: source === 'log' ? 'mongod.log' : source, id: null },
  ...more,
});

/** Somebody lowers a trigger, and clients wait. @returns {RawEvent[]} */
const loweredTrigger = () => [
  event('parameter-set', 600, {
    values: {
      parameter: 'wiredTigerEngineRuntimeConfig',
      from: '',
      to: 'eviction_dirty_trigger=1',
    },
    evidence: { source: 'log', file: 'mongod.log', id: 23435 },
  }),
  event('clients-blocked', 604, {
    seconds: 120,
    source: 'ftdc',
    values: { threads: 6.2, usual: 0.01 },
  }),
  event('latency-up', 606, {
    seconds: 118,
    source: 'ftdc',
    values: { latencyMs: 480, usualMs: 2.4 },
  }),
  event('slow-burst', 607, {
    seconds: 123,
    values: { operations: 840, ns: 'shop.orders', command: 'update', plan: 'IXSCAN', maxMs: 2100 },
  }),
];

/** What was read of a night. @param {RawEvent[]} events @param {object} [more] */
const readOf = (events, more = {}) => ({
  events,
  sources: [
    {
      kind: /** @type {const} */ ('log'),
      file: '/var/log/mongodb/mongod.log',
      host: HOST,
      from: new Date(NIGHT_MS),
      to: new Date(NIGHT_MS + 3_600_000),
      read: 5000,
      garbled: 0,
    },
  ],
  clocks: [],
  hosts: [HOST],
  version: '6.0.5',
  notes: [],
  range: { fromMs: -Infinity, toMs: Infinity },
  dropped: 0,
  ...more,
});

module.exports = { NIGHT_MS, HOST, event, loweredTrigger, readOf };
