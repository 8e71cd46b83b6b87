'use strict';

const { testRule } = require('../../../support/rule-tester');
const { HEALTHY } = require('../../../support/readings');

const under = (/** @type {number} */ share) => ({ ...HEALTHY, 'pressure.ioShare': share });

testRule(__filename, [
  ['hardly any', HEALTHY, 'ok', /For 3\.0 % of the time at least one task waited/],
  ['below a fifth', under(0.199), 'ok'],
  ['a fifth', under(0.2), 'info'],
  ['below three fifths', under(0.599), 'info'],
  ['three fifths', under(0.6), 'warning', /60\.0 %/, /proc\/pressure\/io/],
]);
