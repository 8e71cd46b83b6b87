'use strict';

const { KiB, bytes, count } = require('../../base/pure/units');
const { defineHostRule } = require('../rule');
const { writeFile, NAMES_CHANGE } = require('../fixes');
const { sources, productionNotes, S390X } = require('../sources');

// The kernel's default. The manual asks for 8 to 32 sectors of 512 bytes; one s390x test found no
// effect of it.
const HARMLESS_BYTES = 128 * KiB;
const ASKED_BYTES = 16 * KiB;
// A page of WiredTiger's leaves is 32 KiB at most on disk, and mostly less: reads of more than two
// of them bring what was not asked for; heuristic.
const LARGE_READ_BYTES = 64 * KiB;
// Fewer reads than that do not matter; heuristic.
const MIN_READS_PER_SEC = 50;

module.exports = defineHostRule({
  id: 'host-read-ahead',
  title: 'Read-ahead too large for random reads',
  why: 'MongoDB reads randomly. Read-ahead data is then discarded, but costs disk time and RAM.',
  needs: ['disk.name', 'disk.readAheadBytes'],
  wants: ['disk.readsPerSec', 'disk.readBytesPerSec'],
  evidence: ['disk.name', 'disk.readAheadBytes'],
  threshold:
    `Information: above ${bytes(HARMLESS_BYTES)}. Warning: also ${MIN_READS_PER_SEC} reads/s ` +
    `of ${bytes(LARGE_READ_BYTES)} or more.`,
  source: sources(
    productionNotes('read-ahead (8 to 32 sectors, 4 to 16 KiB)'),
    S390X + ': no effect',
    'the thresholds are heuristics',
  ),
  advice: `Set read-ahead to ${bytes(ASKED_BYTES)}.`,
  whenNot:
    'Not on a server that mostly scans whole collections, nor during an initial sync, backup ' +
    'or index build.',
  check({
    'disk.name': name,
    'disk.readAheadBytes': aheadBytes,
    'disk.readsPerSec': readsPerSec = 0,
    'disk.readBytesPerSec': bytesPerSec = 0,
  }) {
    const bytesPerRead = readsPerSec === 0 ? null : bytesPerSec / readsPerSec;
    const values = { name, aheadBytes, readsPerSec, bytesPerRead };
    if (aheadBytes <= HARMLESS_BYTES) return { status: 'ok', code: 'fine', values };
    if (readsPerSec < MIN_READS_PER_SEC || (bytesPerRead ?? 0) < LARGE_READ_BYTES)
      return { status: 'info', code: 'large', values };
    const file = `/sys/block/${name}/queue/read_ahead_kb`;
    const fix = writeFile(file, ASKED_BYTES / KiB, aheadBytes / KiB);
    const fixes = [{ ...fix, note: NAMES_CHANGE }];
    return { status: 'warning', code: 'large-reads', values, fixes };
  },
  messages: {
    fine: (values) => `${ahead(values)}.`,
    large: (values) => `${ahead(values)}, more than the default; current reads show no harm.`,
    'large-reads': (values) =>
      `${ahead(values)}: ${count(values.readsPerSec)} reads/s of ${bytes(values.bytesPerRead)} ` +
      'each, while a page has at most 32 KiB.',
  },
  adviceFor: {
    'large-reads': () => `Set read-ahead to ${bytes(ASKED_BYTES)}; use a udev rule to persist it.`,
  },
});

/** @param {{ name: string, aheadBytes: number }} values */
const ahead = ({ name, aheadBytes }) => `Read-ahead of ${name} is ${bytes(aheadBytes)}`;
