'use strict';

const { testHostRule } = require('../../../support/rule-tester');

const host = (allowed, allowedBusy, busy) => ({
  'cpu.logical': 8,
  'cpu.allowed': allowed,
  ...(allowedBusy === undefined
    ? {}
    : { 'cpu.allowedBusyRatio': allowedBusy, 'cpu.busyRatio': busy }),
});

testHostRule(__filename, [
  ['all', host(8), 'ok', 'fine', { logical: 8, allowed: 8 }],
  ['one fewer', host(7), 'info', 'pinned', { logical: 8, allowed: 7 }],
  [
    'half of them, full, the others idle',
    host(4, 0.9, 0.5),
    'warning',
    'pinned-to-busy',
    { logical: 8, allowed: 4, busyRatio: 0.9, elsewhereBusyRatio: 0.1 },
  ],
  ['not quite full', host(4, 0.89, 0.5), 'info', 'pinned-as-busy', { busyRatio: 0.89 }],
  [
    'the others nearly as busy',
    host(4, 0.9, 0.845),
    'warning',
    'pinned-to-busy',
    { elsewhereBusyRatio: 0.79 },
  ],
  [
    'the others as busy',
    host(4, 0.9, 0.851),
    'info',
    'pinned-as-busy',
    { elsewhereBusyRatio: 0.802 },
  ],
  [
    'rounding makes no negative share',
    host(4, 1, 0.4999),
    'warning',
    'pinned-to-busy',
    { elsewhereBusyRatio: 0 },
  ],
]);
