'use strict';

/** @import { ActiveOperation, LoggedOperation } from '../../lib/who/types' */

const shape = Object.freeze({ kind: 'find', text: 'find {}', fields: null });

/** An operation as the log has it. @param {Partial<LoggedOperation>} [over] @returns {LoggedOperation} */
const logged = (over) => ({
  shape,
  ns: 'd.c',
  app: null,
  task: null,
  thread: 'conn1',
  isWrapper: false,
  endMs: 5000,
  ms: 100,
  readMs: 0,
  cacheMs: 0,
  majorityMs: 0,
  queuedMs: 0,
  isAccounted: true,
  readBytes: 0,
  examined: null,
  returned: null,
  plan: null,
  usedDisk: false,
  writeConflicts: 0,
  ...over,
});

/** An operation in the server. @param {Partial<ActiveOperation>} [over] @returns {ActiveOperation} */
const active = (over) => ({
  shape,
  ns: 'd.c',
  app: null,
  task: null,
  opid: '1',
  plan: null,
  isWaiting: false,
  progressRatio: null,
  writeConflicts: 0,
  ...over,
});

module.exports = { logged, active };
