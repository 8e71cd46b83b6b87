'use strict';

const { duration } = require('../../base/pure/units');
const { isKnown, num, name, secs, maybe } = require('./code-words');

/** @import { Code } from './event-codes' */

/**
 * Events of the process, of its log and of its replica set.
 * @type {Readonly<Record<string, Code>>}
 */
const PROCESS_CODES = Object.freeze({
  'process-started': {
    kind: 'process',
    role: 'context',
    weight: 0,
    stage: 2,
    say: (v) => `mongod started${maybe(', process ', v.pid)}${maybe(', MongoDB ', v.version)}.`,
  },
  'process-ready': {
    kind: 'process',
    role: 'context',
    weight: 0,
    stage: 3,
    say: () => 'mongod accepts connections again.',
  },
  'process-unclean-start': {
    kind: 'process',
    role: 'symptom',
    weight: 3,
    stage: 2,
    say: () => 'mongod found that its last run had not ended cleanly, and recovered its data.',
  },
  'process-recovered': {
    kind: 'process',
    role: 'context',
    weight: 0,
    stage: 2,
    say: (v) => `WiredTiger opened its data in ${duration(num(v.durationMs))}.`,
  },
  'recovery-long': {
    kind: 'process',
    role: 'symptom',
    weight: 2,
    stage: 3,
    say: (v) =>
      `WiredTiger took ${duration(num(v.durationMs))} to open and recover its data; clients waited for it.`,
  },
  'process-exited': {
    kind: 'process',
    role: 'context',
    weight: 0,
    stage: 2,
    say: (v) => `mongod exited with code ${name(v.exitCode)}.`,
  },
  'process-signal': {
    kind: 'process',
    role: 'trigger',
    weight: 3,
    stage: 0,
    say: (v) =>
      `mongod received signal ${name(v.signal)}${maybe(' from process ', v.byPid)}` +
      `${maybe(' of user id ', v.byUid)}.`,
  },
  'process-shutdown-command': {
    kind: 'process',
    role: 'trigger',
    weight: 3,
    stage: 0,
    say: () => 'A client sent the command shutdown.',
  },
  'process-died': {
    kind: 'process',
    role: 'both',
    weight: 6,
    stage: 1,
    say: (v) =>
      'mongod ended without a shutdown: its log stops in the middle' +
      `${isKnown(v.downSeconds) ? `, and it was down for at most ${secs(v.downSeconds)}` : ''}.`,
  },
  'process-restarted': {
    kind: 'process',
    role: 'both',
    weight: 4,
    stage: 1,
    say: (v) => `mongod restarted; it took no samples for ${secs(v.downSeconds)}.`,
  },
  'process-fatal': {
    kind: 'process',
    role: 'both',
    weight: 5,
    stage: 1,
    say: (v) =>
      `mongod aborted itself${maybe(', fatal assertion ', v.assertion)}${maybe(': ', v.message)}.`,
  },
  'process-start-failed': {
    kind: 'process',
    role: 'both',
    weight: 4,
    stage: 1,
    say: (v) => `mongod could not start${maybe(': ', v.error)}.`,
  },
  'member-down': {
    kind: 'election',
    role: 'both',
    weight: 2,
    stage: 2,
    say: (v) => `Member ${name(v.member)} no longer answered${maybe(': ', v.reason)}.`,
  },
  'member-state': {
    kind: 'election',
    role: 'context',
    weight: 0,
    stage: 3,
    say: (v) => `Member ${name(v.member)} became ${name(v.state)}.`,
  },
  'state-changed': {
    kind: 'election',
    role: 'context',
    weight: 0,
    stage: 3,
    say: (v) => `This member changed from ${name(v.from)} to ${name(v.to)}.`,
  },
  'election-started': {
    kind: 'election',
    role: 'symptom',
    weight: 3,
    stage: 2,
    say: (v) =>
      v.reason === 'no-primary'
        ? `An election began: no primary was seen for ${duration(num(v.timeoutMs))}.`
        : `An election began: ${name(v.reason)}.`,
  },
  'election-won': {
    kind: 'election',
    role: 'context',
    weight: 0,
    stage: 3,
    say: (v) => `This member was elected primary, term ${name(v.term)}.`,
  },
  'stepped-down': {
    kind: 'election',
    role: 'symptom',
    weight: 2,
    stage: 3,
    say: (v) => `The primary stepped down: ${name(v.reason)}.`,
  },
  'step-down-command': {
    kind: 'election',
    role: 'trigger',
    weight: 3,
    stage: 0,
    say: () => 'A client sent the command replSetStepDown.',
  },
  'majority-lag': {
    kind: 'replication',
    role: 'both',
    weight: 3,
    stage: 1,
    say: (v) => `The majority commit point lagged by up to ${secs(v.seconds)}.`,
  },
  'flow-control': {
    kind: 'replication',
    role: 'symptom',
    weight: 1,
    stage: 2,
    say: () => 'Flow control slowed down writes because the majority lagged.',
  },
  'clock-jump': {
    kind: 'clock',
    role: 'trigger',
    weight: 3,
    stage: 0,
    say: (v) => `The clock of the machine was set back by ${secs(v.seconds)}.`,
  },
  'log-rotated': {
    kind: 'log',
    role: 'context',
    weight: 0,
    stage: 0,
    say: () => 'The log was rotated.',
  },
});

module.exports = { PROCESS_CODES };
