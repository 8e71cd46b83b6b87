'use strict';

const { testHostRule } = require('../../../support/host-rule-tester');

testHostRule(__filename, [
  ['one node', { 'numa.nodes': 1 }, 'ok', /one memory node/],
  ['two, interleaved', { 'numa.nodes': 2, 'numa.isInterleaved': true }, 'ok', /over 2 nodes/],
  [
    'two, not interleaved',
    { 'numa.nodes': 2, 'numa.isInterleaved': false },
    'warning',
    /2 memory nodes, and mongod does not/,
  ],
  ['two, and nobody may look', { 'numa.nodes': 2 }, 'info', /seen by its own user or root only/],
]);
