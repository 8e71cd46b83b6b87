'use strict';

const { count, many } = require('../../base/pure/units');
const { defineRule } = require('../rule');
const { MIN_THREADS } = require('../../signals/clients');
const { sources, ticket } = require('../sources');

// From here on a walk over all handles takes time; stalls were seen with 210,000 (WT-5479).
const MANY = 10_000;
const VERY_MANY = 100_000;

module.exports = defineRule({
  id: 'data-handles',
  area: 'concurrency',
  title: 'Many collections and indexes open',
  why:
    'Each collection and index in use has a file and one or more handles. Checkpoints, the ' +
    'sweep of idle handles and every start-up visit all of them under locks. With very many, ' +
    'creating or dropping a collection becomes slow.',
  needs: ['handles.active'],
  wants: ['files.open', 'clients.handleWaitThreads'],
  evidence: ['handles.active', 'files.open', 'clients.handleWaitThreads'],
  thresholds: { manyHandles: MANY, veryManyHandles: VERY_MANY },
  threshold:
    `Information: more than ${count(MANY)} handles. Warning: more than ${count(VERY_MANY)}, or ` +
    `${MIN_THREADS} application threads waiting for handle locks at any number.`,
  source: sources(
    ticket('WT-5479', 'stalls with 210,000 handles'),
    ticket('SERVER-31704', 'many collections'),
    '10,000 is a heuristic',
  ),
  advice:
    'Reduce the number of collections and indexes: drop unused ones ($indexStats), merge small ' +
    'collections. wiredTigerFileHandleCloseIdleTime (start-up only) closes idle files sooner. ' +
    'Keep the open-files limit (ulimit -n) well above the number of files.',
  whenNot:
    'Do not split data over more collections on this server. Handles of unused collections ' +
    'close by themselves after some minutes.',
  check(
    {
      'handles.active': handles,
      'files.open': files = null,
      'clients.handleWaitThreads': waitingThreads = null,
    },
    { manyHandles, veryManyHandles },
  ) {
    const values = { handles, files, waitingThreads };
    if (waitingThreads !== null && waitingThreads >= MIN_THREADS)
      return { status: 'warning', code: 'clients-wait', values };
    if (handles > veryManyHandles) return { status: 'warning', code: 'very-many', values };
    if (handles > manyHandles) return { status: 'info', code: 'many', values };
    return { status: 'ok', code: 'fine', values };
  },
  messages: {
    fine: (values) => `${number(values)}.`,
    many: (values) => `${number(values)}.`,
    'very-many': (values) => `${number(values)}.`,
    'clients-wait': (values) =>
      `${number(values)}; ${many(values.waitingThreads, 'application thread')} waiting for their ` +
      'locks on average.',
  },
});

/** @param {{ handles: number, files: number | null }} values */
const number = ({ handles, files }) =>
  `${many(handles, 'collection and index handle')} active` +
  `${files === null ? '' : `, ${many(files, 'file')} open`}`;
