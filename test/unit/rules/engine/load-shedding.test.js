'use strict';

const { testRule } = require('../../../support/rule-tester');

const away = (/** @type {number} */ perSec, /** @type {number} */ queued = 0) => ({
  'ingress.rejectedPerSec': perSec,
  'ingress.queued': queued,
});

testRule(__filename, [
  ['nothing', away(0, 0.9), 'ok', 'fine', { rejectedPerSec: 0 }],
  ['one now and then', away(0.01), 'warning', 'rejected', { rejectedPerSec: 0.01 }],
  ['one waits', away(0, 1), 'warning', 'held-up', { queued: 1 }],
]);
