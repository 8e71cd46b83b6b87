'use strict';

const { testRule } = require('../../../support/rule-tester');
const { HEALTHY } = require('../../../support/readings');

const under = (/** @type {number} */ share) => ({ ...HEALTHY, 'pressure.ioShare': share });

testRule(__filename, [
  ['hardly any', HEALTHY, 'ok', 'fine', { share: 0.03 }],
  ['below a fifth', under(0.199), 'ok', 'fine'],
  ['a fifth', under(0.2), 'info', 'waiting'],
  ['below three fifths', under(0.599), 'info', 'waiting'],
  ['three fifths', under(0.6), 'warning', 'waiting', { share: 0.6 }],
]);
