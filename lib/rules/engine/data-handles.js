'use strict';

const { count } = require('../../base/pure/units');
const { defineRule } = require('../rule');
const { many } = require('../../signals/words');
const { MIN_THREADS } = require('../../signals/clients');

// From here on what walks all of them takes its time; stalls were seen with 210,000 (WT-5479).
const MANY = 10_000;
const VERY_MANY = 100_000;

module.exports = defineRule({
  id: 'data-handles',
  area: 'concurrency',
  title: 'Many collections and indexes open',
  why:
    'Each collection and index in use is a file and one or more handles. Checkpoints, the ' +
    'sweep of idle handles, and every start walk all of them under locks, so that very many ' +
    'cost everybody a little and whoever creates or drops one a lot.',
  needs: ['handles.active'],
  wants: ['files.open', 'clients.handleWaitThreads'],
  evidence: ['handles.active', 'files.open', 'clients.handleWaitThreads'],
  thresholds: { manyHandles: MANY, veryManyHandles: VERY_MANY },
  threshold:
    `More than ${count(MANY)}: information. More than ${count(VERY_MANY)}, or clients that ` +
    `lose ${MIN_THREADS} threads waiting for the locks on them, however many they are: ` +
    'warning.',
  source: 'WT-5479, SERVER-31704; experience of MongoDB support',
  advice:
    'Have fewer collections and indexes: drop what nobody uses ($indexStats), join small ' +
    'collections into one. wiredTigerFileHandleCloseIdleTime (at start) closes idle files ' +
    'sooner; the limit on open files of the process (ulimit -n, which no server status ' +
    'shows) must stay well above the number of files.',
  whenNot:
    'Do not split data over more collections here. Handles of collections that nobody uses ' +
    'are closed after some minutes by themselves.',
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
      `${number(values)}; waiting for the locks on them costs the clients ` +
      `${many(values.waitingThreads, 'thread')}.`,
  },
});

/** How many there are. @param {{ handles: number, files: number | null }} values */
const number = ({ handles, files }) =>
  `${many(handles, 'handle')} of collections and indexes ${handles === 1 ? 'is' : 'are'} ` +
  `active${files === null ? '' : `, with ${many(files, 'file')} open`}`;
