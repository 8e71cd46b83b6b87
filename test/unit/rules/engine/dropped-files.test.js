'use strict';

const { testRule } = require('../../../support/rule-tester');

const waiting = (/** @type {number} */ files) => ({ 'drops.pendingFiles': files });

testRule(__filename, [
  ['no dropped file', waiting(0), 'ok', 'fine', { files: 0 }],
  ['one that waits', waiting(1), 'ok', 'fine'],
  ['fewer than a thousand', waiting(999), 'ok', 'fine'],
  ['a thousand', waiting(1000), 'info', 'noted', { files: 1000 }],
  ['fewer than ten thousand', waiting(9999), 'info', 'noted'],
  ['ten thousand', waiting(10_000), 'warning', 'many', { files: 10_000 }],
]);
