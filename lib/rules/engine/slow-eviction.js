'use strict';

const { duration } = require('../../base/pure/units');
const { defineRule } = require('../rule');
const { sources, statistic } = require('../sources');

// Milliseconds that one page takes; heuristic.
const SLOW_MS = 1000;

module.exports = defineRule({
  id: 'slow-eviction',
  area: 'eviction',
  title: 'Evicting one page took a second or more',
  why:
    'One page with very many changes, or a very large one, is written in one go. An operation that ' +
    'needs it waits until that is done.',
  needs: ['eviction.slowestMs'],
  evidence: ['eviction.slowestMs'],
  thresholds: { slowMs: SLOW_MS },
  threshold: `Warning: one page took ${duration(SLOW_MS)} or more. Servers before 6.0.19 do not report it.`,
  source: sources(
    statistic('maximum milliseconds spent at a single eviction'),
    'the threshold is a heuristic',
  ),
  advice:
    'Find documents that grow or change constantly (a counter, an array that only grows), and spread ' +
    'them over more documents.',
  whenNot:
    'On a disk that stalls, every page is slow: see file-latency and host-disk-saturation first.',
  check({ 'eviction.slowestMs': slowestMs }, { slowMs }) {
    const values = { slowestMs };
    return slowestMs >= slowMs
      ? { status: 'warning', code: 'slow', values }
      : { status: 'ok', code: 'fine', values };
  },
  messages: {
    fine: ({ slowestMs }) =>
      slowestMs === 0
        ? '0 evictions of a page were slower than those before.'
        : `The slowest eviction of a page took ${duration(slowestMs)}.`,
    slow: ({ slowestMs }) => `The slowest eviction of a page took ${duration(slowestMs)}.`,
  },
});
