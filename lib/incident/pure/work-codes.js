'use strict';

const { count, duration, many, percent } = require('../../base/pure/units');
const { isKnown, num, name, secs, maybe } = require('./code-words');

/** @import { Code } from './event-codes' */

/** A configuration of WiredTiger has no blanks at which a line could end. @param {unknown} value */
const setting = (value) => name(value, 'empty').replace(/,(?=\S)/g, ', ');

/**
 * Events of the work that a server does: settings, builds, backups, cache, load.
 * @type {Readonly<Record<string, Code>>}
 */
const WORK_CODES = Object.freeze({
  'parameter-set': {
    kind: 'setting',
    role: 'trigger',
    weight: 3,
    stage: 0,
    say: (v) => `${name(v.parameter)} was set from ${setting(v.from)} to ${setting(v.to)}.`,
  },
  'profiler-set': {
    kind: 'setting',
    role: 'context',
    weight: 0,
    stage: 0,
    say: (v) => `The profiler was set to level ${name(v.level)}, slowms ${name(v.slowMs)}.`,
  },
  'tune-changed': {
    kind: 'setting',
    role: 'trigger',
    weight: 3,
    stage: 0,
    say: (v) => `tune changed ${name(v.settings)}.`,
  },
  'index-build': {
    kind: 'index',
    role: 'trigger',
    weight: 2,
    stage: 0,
    say: (v) =>
      `An index build on ${name(v.ns)} (${name(v.index)}) ` +
      (isKnown(v.durationMs)
        ? `${v.failed ? 'failed' : 'ended'} after ${duration(num(v.durationMs))}.`
        : 'began and did not end in this log.'),
  },
  'fsync-locked': {
    kind: 'backup',
    role: 'trigger',
    weight: 4,
    stage: 0,
    say: (v) =>
      'A client locked the server against writes with fsync' +
      (isKnown(v.durationMs)
        ? ` for ${duration(num(v.durationMs))}.`
        : ', and this log has no unlock.'),
  },
  'dump-client': {
    kind: 'backup',
    role: 'trigger',
    weight: 2,
    stage: 0,
    say: (v) =>
      `${name(v.application)} was connected` +
      (isKnown(v.durationMs) ? ` for ${duration(num(v.durationMs))}.` : '.'),
  },
  'ttl-set': {
    kind: 'ttl',
    role: 'trigger',
    weight: 3,
    stage: 0,
    say: (v) =>
      `A client set the TTL of ${name(v.ns)} (${name(v.index)}) to ${secs(v.afterSeconds)}.`,
  },
  'ttl-deleted': {
    kind: 'ttl',
    role: 'trigger',
    weight: 2,
    stage: 0,
    say: (v) =>
      `The TTL monitor deleted ${many(num(v.deleted), 'document')} of ${name(v.ns)} in ` +
      `${duration(num(v.durationMs))}.`,
  },
  'ttl-burst': {
    kind: 'ttl',
    role: 'trigger',
    weight: 2,
    stage: 0,
    say: (v) => `The TTL monitor deleted up to ${count(num(v.perSec))} documents a second.`,
  },
  'checkpoint-long': {
    kind: 'checkpoint',
    role: 'both',
    weight: 1,
    stage: 1,
    say: (v) => `A checkpoint took ${secs(v.seconds)}.`,
  },
  'cache-full': {
    kind: 'cache',
    role: 'both',
    weight: 1,
    stage: 1,
    say: (v) =>
      `The cache was up to ${percent(num(v.ratio))} full (trigger ${percent(num(v.triggerRatio))}).`,
  },
  'dirty-high': {
    kind: 'cache',
    role: 'both',
    weight: 1,
    stage: 1,
    say: (v) =>
      `Dirty data was up to ${percent(num(v.ratio))} of the cache (trigger ${percent(num(v.triggerRatio))}).`,
  },
  'clients-blocked': {
    kind: 'cache',
    role: 'symptom',
    weight: 3,
    stage: 2,
    say: (v) =>
      `Up to ${many(num(v.threads), 'application thread')} ${num(v.threads) === 1 ? 'was' : 'were'} ` +
      `blocked by the cache, tickets or locks (usually ${count(num(v.usual))}).`,
  },
  'latency-up': {
    kind: 'load',
    role: 'symptom',
    weight: 2,
    stage: 3,
    say: (v) =>
      `Operations took up to ${duration(num(v.latencyMs))} (mean of a sample; usually ` +
      `${duration(num(v.usualMs))}).`,
  },
  'load-up': {
    kind: 'load',
    role: 'trigger',
    weight: 1,
    stage: 0,
    say: (v) => `Operations rose to ${count(num(v.perSec))}/s (usually ${count(num(v.usual))}/s).`,
  },
  'load-down': {
    kind: 'load',
    role: 'symptom',
    weight: 1,
    stage: 5,
    say: (v) => `Operations fell to ${count(num(v.perSec))}/s (usually ${count(num(v.usual))}/s).`,
  },
  'connections-up': {
    kind: 'load',
    role: 'both',
    weight: 2,
    stage: 1,
    say: (v) =>
      `Connections rose to ${count(num(v.connections))} (usually ${count(num(v.usual))})` +
      `${isKnown(v.perSec) ? `, up to ${count(num(v.perSec))} new ones a second` : ''}.`,
  },
  'slow-burst': {
    kind: 'slow',
    role: 'symptom',
    weight: 1,
    stage: 4,
    say: (v) =>
      `${many(num(v.operations), 'slow operation')}, most of them ${name(v.command)} on ` +
      `${name(v.ns)}${maybe(', plan ', v.plan)}; the longest took ${duration(num(v.maxMs))}.`,
  },
  'transaction-long': {
    kind: 'transaction',
    role: 'trigger',
    weight: 3,
    stage: 0,
    say: (v) =>
      `A transaction${maybe(' of ', v.application)} was open for ${duration(num(v.durationMs))} ` +
      `and ${name(v.ended)}.`,
  },
  'history-pinned': {
    kind: 'transaction',
    role: 'both',
    weight: 1,
    stage: 1,
    say: (v) =>
      `An old snapshot kept history in the cache for ${secs(v.seconds)} ` +
      `(${many(num(v.transactions), 'open transaction')}).`,
  },
});

module.exports = { WORK_CODES };
