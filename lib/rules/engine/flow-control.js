'use strict';

const { percent, many } = require('../../base/pure/units');
const { defineRule } = require('../rule');
const { MIN_THREADS } = require('../../signals/clients');
const { sources, parameter, serverStatus } = require('../sources');

module.exports = defineRule({
  id: 'flow-control',
  area: 'concurrency',
  title: 'Writes throttled because members lag',
  why:
    'Flow control limits writes on the primary while the majority of the replica set lags. ' +
    'Writes then wait although cache and disk of this server have headroom.',
  needs: ['flowControl.laggedShare'],
  wants: ['clients.throttledThreads', 'clients.writing'],
  evidence: ['flowControl.laggedShare', 'clients.throttledThreads', 'clients.writing'],
  thresholds: { minThreads: MIN_THREADS },
  threshold:
    `Information: lag in any sample. Warning: ${MIN_THREADS} or more application threads wait ` +
    'for flow control.',
  source: sources(serverStatus('flowControl'), parameter('flowControlTargetLagSeconds')),
  advice:
    'Check the members that lag, not this cache: rs.printSecondaryReplicationInfo(), and ' +
    'tune.advise() on each of them.',
  whenNot:
    'Do not disable flow control: old versions would accumulate here (history-store), and lag ' +
    'there.',
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
    fine: () => 'Writes are not throttled: no member lagged in any sample.',
    lagging: ({ laggedShare }) =>
      `The replica set lagged in ${percent(laggedShare)} of the samples, without significant ` +
      'throttling of writes.',
    throttled: ({ laggedShare, throttledThreads }) =>
      `The replica set lagged in ${percent(laggedShare)} of the samples: ` +
      `${many(throttledThreads, 'application thread')} throttled by flow control on average.`,
  },
  adviceFor: { lagging: () => 'Check the members that lag: rs.printSecondaryReplicationInfo()' },
});
