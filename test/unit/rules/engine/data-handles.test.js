'use strict';

const { testRule } = require('../../../support/rule-tester');

const open = (/** @type {number} */ handles, /** @type {number} */ waiting = 0) => ({
  'handles.active': handles,
  'files.open': handles,
  'clients.waitingForHandles': waiting,
});

testRule(__filename, [
  ['one', { 'handles.active': 1 }, 'ok', /^1 handle of collections and indexes is active\.$/],
  ['10,000', open(10_000), 'ok', /10,000 files open/],
  ['more', open(10_001), 'info'],
  ['100,000', open(100_000), 'info'],
  ['more', open(100_001), 'warning', /100,001/, /\$indexStats/],
  ['few, and nobody waits for them', open(50, 0.24), 'ok'],
  ['few, and clients wait for the locks', open(50, 0.25), 'warning', /0\.25 threads/],
]);
