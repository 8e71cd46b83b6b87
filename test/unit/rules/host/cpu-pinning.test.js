'use strict';

const { testHostRule } = require('../../../support/host-rule-tester');

const host = (allowed, allowedBusy, busy) => ({
  'cpu.logical': 8,
  'cpu.allowed': allowed,
  ...(allowedBusy === undefined
    ? {}
    : { 'cpu.allowedBusyRatio': allowedBusy, 'cpu.busyRatio': busy }),
});

testHostRule(__filename, [
  ['all', host(8), 'ok', /^All 8 processors/],
  ['one fewer', host(7), 'info', /Only 7 of 8 processors are open to mongod\.$/],
  [
    'half of them, full, the others idle',
    host(4, 0.9, 0.5),
    'warning',
    /4 of 8 processors are open to mongod; these are 90\.0 % busy, the others 10\.0 %/,
  ],
  ['not quite full', host(4, 0.89, 0.5), 'info', /89\.0 %/],
  ['the others nearly as busy', host(4, 0.9, 0.845), 'warning', /79\.0 %/],
  ['the others as busy', host(4, 0.9, 0.851), 'info', /80\.2 %/],
  ['rounding makes no negative share', host(4, 1, 0.4999), 'warning', /the others 0\.0 %/],
]);
