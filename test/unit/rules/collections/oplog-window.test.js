'use strict';

const { testCollectionRule } = require('../../../support/rule-tester');

const GiB = 2 ** 30;
const HOUR = 3600;
const oplog = (/** @type {any} */ more = {}) => ({
  oplog: {
    maxBytes: GiB,
    dataBytes: GiB,
    heldSeconds: 48 * HOUR,
    bytesPerSec: 1000,
    secondsAtPace: 1e6,
    ...more,
  },
});

testCollectionRule(__filename, [
  ['two days', oplog(), 'ok', 'fine'],
  ['nearly two days', oplog({ heldSeconds: 48 * HOUR - 1 }), 'info', 'noted'],
  ['a day', oplog({ heldSeconds: 24 * HOUR }), 'info', 'noted'],
  ['less than a day', oplog({ heldSeconds: 24 * HOUR - 1 }), 'warning', 'short'],
  ['not full yet', oplog({ heldSeconds: 60, dataBytes: 0.89 * GiB }), 'ok', 'fine'],
  ['just full', oplog({ heldSeconds: 60, dataBytes: 0.9 * GiB }), 'warning', 'short'],
  [
    'a fast pace',
    oplog({ dataBytes: 1000, heldSeconds: 60, bytesPerSec: 20e6, secondsAtPace: GiB / 20e6 }),
    'info',
    'short-at-rate',
  ],
  ['a pace of a day', oplog({ secondsAtPace: 24 * HOUR }), 'ok', 'fine'],
  ['nothing is written', oplog({ bytesPerSec: 0, secondsAtPace: null }), 'ok', 'fine'],
  [
    'next to nothing known',
    oplog({
      maxBytes: null,
      dataBytes: null,
      heldSeconds: null,
      bytesPerSec: null,
      secondsAtPace: null,
    }),
    'ok',
    'fine',
  ],
]);
