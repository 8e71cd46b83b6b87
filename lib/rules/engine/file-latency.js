'use strict';

const { percent } = require('../../base/pure/units');
const { defineRule } = require('../rule');
const { whole, many } = require('../../signals/words');

// WiredTiger counts calls into the file system by what they took; from this class on a disk is in
// trouble.
const SLOW_MS = 50;
const OFTEN_RATIO = 0.01;
// One slow call in a hundred of few is chance; heuristic.
const MIN_SLOW = 10;
const ADVICE =
  'Look at the disk: its limits (IOPS, MB/s), what else uses it, and when: many cloud disks ' +
  'slow down once their credits are used.';
const OF_WRITES =
  "Writes that come in one burst each half minute are the kernel's: lower " +
  'vm.dirty_background_bytes and vm.dirty_bytes.';

module.exports = defineRule({
  id: 'file-latency',
  area: 'disk',
  title: 'Slow file system calls',
  why:
    "WiredTiger measures each read and write of a file, the operating system's cache included, " +
    'and keeps count by classes. So the disk shows from afar, and slow calls that a mean would hide.',
  needs: ['fileSystem.writes', 'fileSystem.slowWrites'],
  wants: ['fileSystem.reads', 'fileSystem.slowReads'],
  thresholds: { oftenRatio: OFTEN_RATIO },
  threshold:
    `More than ${whole(OFTEN_RATIO)} of the reads or of the writes took ${SLOW_MS} ms or more, ` +
    `and at least ${MIN_SLOW} of them: warning.`,
  source:
    'WiredTiger, latency histograms of the section "perf", by label (8.0 shifted their ' +
    'numbers by one); the share is ours',
  advice: ADVICE,
  whenNot:
    'No setting of WiredTiger makes a disk faster. On a machine that slept, or was paused, ' +
    'the calls under way then count as slow.',
  speaksFor: ['disk'],
  check(
    {
      'fileSystem.writes': writes,
      'fileSystem.slowWrites': slowWrites,
      'fileSystem.reads': reads = 0,
      'fileSystem.slowReads': slowReads = 0,
    },
    { oftenRatio },
  ) {
    const evidence = {
      'fileSystem.writes': writes,
      'fileSystem.slowWrites': slowWrites,
      'fileSystem.reads': reads,
      'fileSystem.slowReads': slowReads,
    };
    const values = {
      writes,
      slowWrites,
      slowWriteRatio: ratioOf(slowWrites, writes),
      reads,
      slowReads,
      slowReadRatio: ratioOf(slowReads, reads),
    };
    const { slowWriteRatio, slowReadRatio } = values;
    const areWritesSlow = slowWrites >= MIN_SLOW && slowWriteRatio > oftenRatio;
    const areReadsSlow = slowReads >= MIN_SLOW && slowReadRatio > oftenRatio;
    if (areReadsSlow && !(areWritesSlow && slowWriteRatio >= slowReadRatio)) {
      const code = areWritesSlow ? 'slow-reads-and-writes' : 'slow-reads';
      return { status: 'warning', code, values, evidence };
    }
    return areWritesSlow
      ? { status: 'warning', code: 'slow-writes', values, evidence }
      : { status: 'ok', code: 'fine', values, evidence };
  },
  messages: {
    fine: ({ writes, slowWrites, reads, slowReads }) =>
      `${many(slowWrites, 'write')} of ${many(writes, 'call')} and ` +
      `${many(slowReads, 'read')} of ${many(reads, 'call')} took ${SLOW_MS} ms or more.`,
    'slow-writes': ({ writes, slowWrites, slowWriteRatio }) =>
      slow(many(slowWrites, 'write'), writes, slowWriteRatio),
    'slow-reads': ({ reads, slowReads, slowReadRatio }) =>
      slow(many(slowReads, 'read'), reads, slowReadRatio),
    'slow-reads-and-writes': ({ reads, slowReads, slowReadRatio }) =>
      slow(many(slowReads, 'read'), reads, slowReadRatio),
  },
  adviceFor: {
    'slow-writes': () => `${ADVICE} ${OF_WRITES}`,
    'slow-reads-and-writes': () => `${ADVICE} ${OF_WRITES}`,
  },
});

/**
 * Calls are counted at other moments than their classes: few of them may seem to be more slow ones
 * than there are.
 * @param {number} slowCalls
 * @param {number} calls
 */
const ratioOf = (slowCalls, calls) =>
  slowCalls === 0 ? 0 : slowCalls / Math.max(slowCalls, calls);

/** The worse kind of call. @param {string} what @param {number} calls @param {number} ratio */
const slow = (what, calls, ratio) =>
  `${what} of ${many(calls, 'call')} into the file system (${percent(ratio)}) took ${SLOW_MS} ` +
  'ms or more.';
