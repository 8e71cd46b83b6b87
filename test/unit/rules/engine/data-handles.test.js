'use strict';

const { testRule } = require('../../../support/rule-tester');

const open = (/** @type {number} */ handles, /** @type {number} */ waiting = 0) => ({
  'handles.active': handles,
  'files.open': handles,
  'clients.handleWaitThreads': waiting,
});

testRule(__filename, [
  ['one', { 'handles.active': 1 }, 'ok', 'fine', { handles: 1 }],
  ['10,000', open(10_000), 'ok', 'fine', { handles: 10000, files: 10000 }],
  ['more', open(10_001), 'info', 'many'],
  ['100,000', open(100_000), 'info', 'many'],
  ['more', open(100_001), 'warning', 'very-many', { handles: 100000, files: 100000 }],
  ['few, and nobody waits for them', open(50, 0.24), 'ok', 'fine'],
  [
    'few, and clients wait for the locks',
    open(50, 0.25),
    'warning',
    'clients-wait',
    { waitingThreads: 0.25 },
  ],
]);
