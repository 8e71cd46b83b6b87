'use strict';

const { percent } = require('../../base/pure/units');
const { defineRule } = require('../rule');
const { many } = require('../../signals/words');
const { MIN_THREADS } = require('../../signals/clients');

module.exports = defineRule({
  id: 'flow-control',
  area: 'concurrency',
  title: 'Writes throttled because members lag',
  why:
    'A primary hands out fewer write permits while the majority of its replica set lags ' +
    'behind. Writes then wait although neither cache nor disk of this server is short of ' +
    'anything.',
  needs: ['flowControl.laggedShare'],
  wants: ['clients.throttledThreads', 'clients.writing'],
  evidence: ['flowControl.laggedShare', 'clients.throttledThreads', 'clients.writing'],
  thresholds: { minThreads: MIN_THREADS },
  threshold:
    'Lagging in any look: information. When waiting for a permit costs the clients ' +
    `${MIN_THREADS} threads or more: warning.`,
  source: 'MongoDB manual, serverStatus (flowControl) and flowControlTargetLagSeconds',
  advice:
    'Look at the members that lag, not at this cache: rs.printSecondaryReplicationInfo(), ' +
    'and tune.advise() on each of them.',
  whenNot:
    'Do not switch flow control off: what it holds back would accumulate as old versions here ' +
    '(history-store) and as lag there.',
  check(
    { 'flowControl.laggedShare': laggedShare, 'clients.throttledThreads': throttled = null },
    { minThreads },
  ) {
    const values = { laggedShare, throttledThreads: throttled };
    if (throttled !== null && throttled >= minThreads)
      return { status: 'warning', code: 'throttled', values };
    return laggedShare === 0
      ? { status: 'ok', code: 'fine', values }
      : { status: 'info', code: 'lagging', values };
  },
  messages: {
    fine: () => 'Writes are not throttled: no member was seen to lag.',
    lagging: ({ laggedShare }) =>
      `The replica set lagged in ${percent(laggedShare)} of the samples, at next to no cost to ` +
      'the clients here.',
    throttled: ({ laggedShare, throttledThreads }) =>
      `The replica set lagged in ${percent(laggedShare)} of the samples, and waiting for a ` +
      `permit to write costs the clients ${many(throttledThreads, 'thread')}.`,
  },
  adviceFor: { lagging: () => 'Look at the members that lag: rs.printSecondaryReplicationInfo()' },
});
