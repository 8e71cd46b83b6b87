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
  ['quick', sync(2), 'ok', /2 ms, over 100 syncs/],
  ['10 ms', sync(10, 20), 'ok'],
  ['slower, and nobody waits for it', sync(10.1), 'info', /writes do not wait/],
  ['just below half a sync', sync(20, 9.9), 'info'],
  ['half a sync', sync(20, 10), 'warning', /20 ms, over 100 syncs, and a write 10 ms/, /disk/],
  ['next to no writes', sync(20, 30, 0.24), 'info'],
  ['a quarter of a client writes', sync(20, 30, 0.25), 'warning'],
  ['nine syncs are too few', { ...sync(50, 50), 'log.syncs': 9 }, 'ok'],
  ['ten are not', { ...sync(50, 50), 'log.syncs': 10 }, 'warning'],
]);
