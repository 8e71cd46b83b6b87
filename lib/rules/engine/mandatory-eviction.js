'use strict';

const { percent, many, shortPercent } = require('../../base/pure/units');
const { defineRule } = require('../rule');
const { HEALTHY_THREADS } = require('../../signals/clients');
const { sources, statistic } = require('../sources');

// Half of the wait; heuristic.
const MOST_RATIO = 0.5;

module.exports = defineRule({
  id: 'mandatory-eviction',
  area: 'eviction',
  title: 'Waits for eviction that nothing interrupts',
  why:
    'An application thread that waits for cache space can mostly be interrupted, by maxTimeMS or ' +
    'killOp. Within a large transaction, or while it changes a collection or index, it cannot.',
  needs: ['eviction.mandatoryRatio'],
  wants: ['clients.waitingThreads'],
  evidence: ['eviction.mandatoryRatio', 'clients.waitingThreads'],
  thresholds: { mostRatio: MOST_RATIO },
  threshold:
    `Warning: nothing interrupts ${shortPercent(MOST_RATIO)} of the wait, with more than ${HEALTHY_THREADS} ` +
    'application threads waiting. Servers before 8.1 do not report it.',
  source: sources(
    statistic('application thread time waiting for mandatory cache eviction (usecs)'),
    'the threshold is a heuristic',
  ),
  advice:
    'Make transactions smaller, and create and drop collections and indexes at another time. Killing ' +
    'operations does not help meanwhile.',
  whenNot: 'While hardly anything waits, the share says nothing.',
  check(
    { 'eviction.mandatoryRatio': mandatoryRatio, 'clients.waitingThreads': waitingThreads = 0 },
    { mostRatio },
  ) {
    const values = { mandatoryRatio, waitingThreads };
    return mandatoryRatio >= mostRatio && waitingThreads > HEALTHY_THREADS
      ? { status: 'warning', code: 'mandatory', values }
      : { status: 'ok', code: 'fine', values };
  },
  messages: { fine: (values) => `${share(values)}.`, mandatory: (values) => `${share(values)}.` },
});

/** @param {{ mandatoryRatio: number, waitingThreads: number }} values */
const share = ({ mandatoryRatio, waitingThreads }) =>
  `${percent(mandatoryRatio)} of the wait for eviction cannot be interrupted ` +
  `(${many(waitingThreads, 'application thread')} waiting on average)`;
