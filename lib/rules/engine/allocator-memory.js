'use strict';

const { bytes, percent, shortPercent, GiB } = require('../../base/pure/units');
const { defineRule } = require('../rule');
const { sources, parameter, serverStatus } = require('../sources');

// Share of the process from which it is worth a look; heuristic.
const MUCH_RATIO = 0.2;
// Less memory is not worth a change; heuristic.
const MIN_BYTES = GiB;

module.exports = defineRule({
  id: 'allocator-memory',
  area: 'memory',
  title: 'Much memory free in the allocator',
  why:
    'The allocator keeps what mongod has freed and gives little of it back to the operating system. ' +
    'It counts as used, so a host may swap or a container be killed while that memory is free.',
  needs: ['process.freeHeapBytes', 'process.residentBytes'],
  evidence: ['process.freeHeapBytes', 'process.residentBytes'],
  thresholds: { muchRatio: MUCH_RATIO },
  threshold: `Information: ${shortPercent(MUCH_RATIO)} of the resident memory, and at least ${bytes(MIN_BYTES)}.`,
  source: sources(
    serverStatus('tcmalloc.tcmalloc_derived.total_free_bytes'),
    parameter('tcmallocReleaseRate'),
    'the thresholds are heuristics',
  ),
  advice: 'Nothing, while memory is available.',
  whenNot:
    'After a burst, a smaller cache or a large sort this is normal: mongod uses that memory first ' +
    'before the process grows.',
  check(
    { 'process.freeHeapBytes': freeBytes, 'process.residentBytes': residentBytes },
    { muchRatio },
  ) {
    const ratio = residentBytes > 0 ? freeBytes / residentBytes : 0;
    const values = { freeBytes, ratio };
    return ratio >= muchRatio && freeBytes >= MIN_BYTES
      ? { status: 'info', code: 'much', values }
      : { status: 'ok', code: 'fine', values };
  },
  messages: { fine: (values) => `${free(values)}.`, much: (values) => `${free(values)}.` },
  adviceFor: {
    much: () =>
      'Only if the host runs short of memory: db.adminCommand({ setParameter: 1, tcmallocReleaseRate: ' +
      '10 }) returns it faster, at the cost of some CPU (default of 8.0: 0).',
  },
});

/** @param {{ freeBytes: number, ratio: number }} values */
const free = ({ freeBytes, ratio }) =>
  `${bytes(freeBytes)} are free in the allocator (${percent(ratio)} of the resident memory)`;
