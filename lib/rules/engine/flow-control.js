'use strict';

const { percent } = require('../../base/pure/units');
const { defineRule } = require('../define-rule');
const { many } = require('../../signals/words');
const { MIN_THREADS } = require('../../signals/clients');

module.exports = defineRule({
  id: 'flow-control',
  area: 'concurrency',
  title: 'Whether writes are throttled because members lag',
  why:
    'A primary hands out fewer write permits while the majority of its replica set lags ' +
    'behind. Writes then wait although neither cache nor disk of this server is short of ' +
    'anything.',
  needs: ['flowControl.laggedShare'],
  wants: ['clients.throttled', 'clients.writing'],
  limits: { minThreads: MIN_THREADS },
  threshold:
    'Lagging in any look: information. When waiting for a permit costs the clients ' +
    `${MIN_THREADS} threads or more: warning.`,
  source: 'MongoDB manual, serverStatus (flowControl) and flowControlTargetLagSeconds',
  advice:
    'Look at the members that lag, not at this cache: rs.printSecondaryReplicationInfo(), ' +
    'and tune.advise() on each of them.',
  whenNot:
    'Do not switch flow control off: what it holds back would pile up as old versions here ' +
    '(history-store) and as lag there.',
  check(
    {
      'flowControl.laggedShare': share,
      'clients.throttled': throttled,
      'clients.writing': writing,
    },
    { minThreads },
  ) {
    const evidence = {
      'flowControl.laggedShare': share,
      'clients.throttled': throttled ?? null,
      'clients.writing': writing ?? null,
    };
    const say = `The replica set lagged in ${percent(share)} of the samples`;
    if (throttled !== undefined && throttled >= minThreads)
      return {
        status: 'warning',
        say:
          `${say}, and waiting for a permit to write costs the clients ` +
          `${many(throttled, 'thread')}.`,
        evidence,
      };
    if (share === 0)
      return {
        status: 'ok',
        say: 'Writes are not throttled: no member was seen to lag.',
        evidence,
      };
    return {
      status: 'info',
      say: `${say}, at next to no cost to the clients here.`,
      evidence,
      advice: 'Look at the members that lag: rs.printSecondaryReplicationInfo()',
    };
  },
});
