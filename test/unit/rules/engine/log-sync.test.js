'use strict';

const { testRule } = require('../../../support/rule-tester');

const sync = (
  /** @type {number} */ ms,
  /** @type {number} */ write = 0.3,
  /** @type {number} */ writing = 2,
) => ({
  'log.syncMs': ms,
  'log.syncs': 100,
  'ops.writeLatencyMs': write,
  'clients.writing': writing,
});

testRule(__filename, [
  ['quick', sync(2), 'ok', 'fine', { syncMs: 2, syncs: 100 }],
  ['10 ms', sync(10, 20), 'ok', 'fine'],
  ['slower, and nobody waits for it', sync(10.1), 'info', 'slow'],
  ['just below half a sync', sync(20, 9.9), 'info', 'slow'],
  ['half a sync', sync(20, 10), 'warning', 'writes-wait', { syncMs: 20, syncs: 100, writeMs: 10 }],
  ['next to no writes', sync(20, 30, 0.24), 'info', 'slow'],
  ['a quarter of a client writes', sync(20, 30, 0.25), 'warning', 'writes-wait'],
  ['nine syncs are too few', { ...sync(50, 50), 'log.syncs': 9 }, 'ok', 'fine'],
  ['ten are not', { ...sync(50, 50), 'log.syncs': 10 }, 'warning', 'writes-wait'],
]);
