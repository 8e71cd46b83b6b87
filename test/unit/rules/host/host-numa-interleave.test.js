'use strict';

const { testHostRule } = require('../../../support/rule-tester');

testHostRule(__filename, [
  ['one node', { 'numa.nodes': 1 }, 'ok', 'one-node'],
  [
    'two, interleaved',
    { 'numa.nodes': 2, 'numa.isInterleaved': true },
    'ok',
    'interleaved',
    { nodes: 2 },
  ],
  [
    'two, not interleaved',
    { 'numa.nodes': 2, 'numa.isInterleaved': false },
    'warning',
    'not-interleaved',
    { nodes: 2 },
  ],
  ['two, and nobody may look', { 'numa.nodes': 2 }, 'info', 'not-shown'],
]);
