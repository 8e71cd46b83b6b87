'use strict';

const { count, percent, many, shortPercent } = require('../../base/pure/units');
const { defineRule } = require('../rule');
const { MIN_QUEUED } = require('../../signals/clients');
const { GATE_CALL } = require('../../signals/holders');
const { sources, serverStatus } = require('../sources');

// Share of the samples in which no ticket was left; a single one is a coincidence. Heuristic.
const EMPTY_SHARE = 0.5;

const ADVICE =
  'Find out why operations with tickets are slow: page-reads, cache-wait, the disk, or locks ' +
  '(db.currentOp({ waitingForLock: true })).';

module.exports = defineRule({
  id: 'tickets',
  area: 'concurrency',
  title: 'Operations queued for tickets or locks',
  why:
    'An operation needs a ticket to enter the storage engine. When none is left, operations ' +
    'queue. Servers from 7.0 on use few tickets deliberately (throughput probing), so only the ' +
    'queue counts.',
  needs: ['clients.queued'],
  wants: [
    'clients.queuedMax',
    'clients.lowPriorityQueued',
    'server.versionNumber',
    'tickets.readTotal',
    'tickets.writeTotal',
    'tickets.readEmptyShare',
    'tickets.writeEmptyShare',
    'tickets.probing',
    'tickets.prioritizing',
  ],
  thresholds: { minQueued: MIN_QUEUED, emptyShare: EMPTY_SHARE },
  threshold:
    `Healthy: fewer than ${MIN_QUEUED} operation queued on average, whatever the number of ` +
    'tickets. Warning: from there. Critical: the number of tickets is fixed, and none was left ' +
    `in ${shortPercent(EMPTY_SHARE)} of the samples. Operations of low priority (from 8.3 on) queue ` +
    'deliberately: never critical.',
  source: sources(
    serverStatus('queues.execution, wiredTiger.concurrentTransactions'),
    'mongod source, execution control (https://github.com/mongodb/mongo/blob/master/src/mongo/db/admission/README.md)',
    'the thresholds are heuristics',
  ),
  advice: ADVICE,
  whenNot:
    'Do not raise the number of tickets on a slow disk or busy CPUs: more operations at once ' +
    'make each slower. Where CPUs, disk and cache are idle, the probing may have stopped too low: ' +
    'tune.advise() then names ticket-pools as the cause. A number of tickets set at start disables ' +
    'throughput probing; at run time, 7.0 to 8.2 refuse it while they probe.',
  speaksFor: ['concurrency'],
  check(metrics, { minQueued, emptyShare }) {
    const {
      'clients.queued': queued,
      'clients.queuedMax': queuedMax = null,
      'clients.lowPriorityQueued': lowPriority = 0,
      'server.versionNumber': version = null,
      'tickets.probing': probing = 0,
      'tickets.prioritizing': gate = null,
    } = metrics;
    const values = {
      queued,
      queuedMax,
      lowPriorityQueued: lowPriority,
      noTicketShare: noTicketShare(metrics),
      parameters: parametersOf(version),
      isGateOff: gate === 0,
    };
    const evidence = {
      'clients.queued': queued,
      'clients.queuedMax': queuedMax,
      emptyShare: values.noTicketShare,
      probing: probing > 0,
    };
    if (queued < minQueued) return { status: 'ok', code: 'fine', values, evidence };
    if (queued - lowPriority < minQueued)
      return { status: 'warning', code: 'low-priority-queued', values, evidence };
    return probing > 0 || values.noTicketShare < emptyShare
      ? { status: 'warning', code: 'queued', values, evidence }
      : { status: 'critical', code: 'no-ticket-left', values, evidence };
  },
  messages: {
    fine: ({ queued }) => `${many(queued, 'operation')} queued for tickets and locks on average.`,
    queued: (values) => `${queue(values)}.`,
    'no-ticket-left': (values) =>
      `${queue(values)}; no ticket was left in ${percent(values.noTicketShare)} of the samples.`,
    'low-priority-queued': (values) =>
      `${queue(values)}, of them ${count(values.lowPriorityQueued)} in the pool of low priority.`,
  },
  adviceFor: {
    'low-priority-queued': () =>
      'The server delays long operations in favour of short ones (deprioritization). Find them: ' +
      'db.currentOp({ secs_running: { $gte: 1 } }). They often lack an index.',
    queued: ({ isGateOff }) => `${ADVICE}${aboutGate(isGateOff)}`,
    'no-ticket-left': ({ parameters, isGateOff }) =>
      `${ADVICE} Check whether ${parameters} was set.${aboutGate(isGateOff)}`,
  },
});

/** @param {boolean} isGateOff */
const aboutGate = (isGateOff) =>
  isGateOff ? ` If short operations wait behind long ones: ${GATE_CALL}` : '';

/**
 * Finds the share of the pool that was empty more often.
 * @param {Partial<Record<'tickets.readEmptyShare' | 'tickets.writeEmptyShare', number>>} metrics
 */
const noTicketShare = ({
  'tickets.readEmptyShare': read = 0,
  'tickets.writeEmptyShare': write = 0,
}) => Math.max(read, write);

/** Releases as numbers, see versionNumber. */
const SINCE_7 = 70_000;
const SINCE_8_3 = 80_300;

/** Names the parameters that set the number of tickets. @param {number | null} version */
function parametersOf(version) {
  if (version === null) return 'the number of tickets';
  if (version >= SINCE_8_3)
    return 'executionControlConcurrentReadTransactions or …WriteTransactions';
  return version >= SINCE_7
    ? 'storageEngineConcurrentReadTransactions or …WriteTransactions'
    : 'wiredTigerConcurrentReadTransactions or …WriteTransactions';
}

/** @param {{ queued: number, queuedMax: number | null }} values */
const queue = ({ queued, queuedMax }) =>
  `${many(queued, 'operation')} queued for tickets and locks on average` +
  `${queuedMax === null ? '' : ` (max ${count(queuedMax)})`}`;
