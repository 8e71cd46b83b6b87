'use strict';

const { count, percent, shortPercent } = require('../../base/pure/units');
const { defineRule } = require('../rule');
const { sources, serverStatus } = require('../sources');

// WiredTiger counts calls into the file system by what they took; from this class on a disk is in
// trouble.
const SLOW_MS = 50;
const OFTEN_RATIO = 0.01;
// One slow call in a hundred of few is chance; heuristic.
const MIN_SLOW = 10;
const ADVICE =
  'Check the disk: its limits (IOPS, MB/s), and what else uses it. Many cloud disks slow down ' +
  'once their burst credits are used.';
const OF_WRITES =
  'If writes come in one burst every 30 s, it is kernel writeback: lower ' +
  'vm.dirty_background_bytes and vm.dirty_bytes.';

module.exports = defineRule({
  id: 'file-latency',
  area: 'disk',
  title: 'Slow file system calls',
  why:
    "WiredTiger measures every read and write of a file, including the operating system's page " +
    'cache, and counts them by duration. This shows slow calls that a mean would hide.',
  needs: ['fileSystem.writes', 'fileSystem.slowWrites'],
  wants: ['fileSystem.reads', 'fileSystem.slowReads'],
  thresholds: { oftenRatio: OFTEN_RATIO },
  threshold:
    `Warning: more than ${shortPercent(OFTEN_RATIO)} of the reads or writes took ${SLOW_MS} ms or ` +
    `more, and at least ${MIN_SLOW} of them.`,
  source: sources(
    serverStatus('wiredTiger.perf (latency histograms, by label)'),
    'the share is a heuristic',
  ),
  advice: ADVICE,
  whenNot:
    'No WiredTiger setting makes a disk faster. On a machine that was suspended, calls in ' +
    'progress at that moment count as slow.',
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
      `${count(slowWrites)} of ${count(writes)} writes and ${count(slowReads)} of ` +
      `${count(reads)} reads took ${SLOW_MS} ms or more.`,
    'slow-writes': ({ writes, slowWrites, slowWriteRatio }) =>
      slow('writes', slowWrites, writes, slowWriteRatio),
    'slow-reads': ({ reads, slowReads, slowReadRatio }) =>
      slow('reads', slowReads, reads, slowReadRatio),
    'slow-reads-and-writes': ({ reads, slowReads, slowReadRatio }) =>
      slow('reads', slowReads, reads, slowReadRatio),
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

/**
 * The worse kind of call.
 * @param {'reads' | 'writes'} what @param {number} slowCalls @param {number} calls
 * @param {number} ratio
 */
const slow = (what, slowCalls, calls, ratio) =>
  `${count(slowCalls)} of ${count(calls)} file ${what} (${percent(ratio)}) took ${SLOW_MS} ms ` +
  'or more.';
