'use strict';

const { KiB, bytes, count } = require('../../base/pure/units');
const { defineHostRule } = require('../rule');
const { writeFile, NAMES_CHANGE } = require('../fixes');

// The kernel's default. The manual asks for 8 to 32 sectors of 512 bytes; IBM-Z found no effect of
// it.
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
  why:
    'MongoDB reads here and there. What the kernel reads in advance is then thrown away: it ' +
    "takes the disk's time, and room in memory.",
  needs: ['disk.name', 'disk.readAheadBytes'],
  wants: ['disk.readsPerSec', 'disk.readBytesPerSec'],
  evidence: ['disk.name', 'disk.readAheadBytes'],
  threshold:
    `Above ${bytes(HARMLESS_BYTES)}: information; with ${MIN_READS_PER_SEC} reads a second ` +
    `of ${bytes(LARGE_READ_BYTES)} or more: warning.`,
  source:
    'MongoDB production notes (8 to 32 sectors, 4 to 16 KiB); IBM-Z (no effect seen, so the ' +
    'default is left alone)',
  advice: `Set it to ${bytes(ASKED_BYTES)}.`,
  whenNot:
    'On a server that mostly scans whole collections, or while it does: an initial sync, a ' +
    'backup, an index build.',
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
    large: (values) =>
      `${ahead(values)}, more than its default; the reads of this time show no harm.`,
    'large-reads': (values) =>
      `${ahead(values)}: ${count(values.readsPerSec)} reads a second bring ` +
      `${bytes(values.bytesPerRead)} each, where a page has 32 KiB at most.`,
  },
  adviceFor: { 'large-reads': () => `Set it to ${bytes(ASKED_BYTES)}, for good by a udev rule.` },
});

/** What is read in advance. @param {{ name: string, aheadBytes: number }} values */
const ahead = ({ name, aheadBytes }) =>
  `The kernel reads up to ${bytes(aheadBytes)} in advance on ${name}`;
