'use strict';

const { KiB, bytes, count } = require('../../base/pure/units');
const { defineHostRule } = require('../define-host-rule');
const { writeFile, NAMES_CHANGE } = require('../fixes');

// The kernel's default. The manual asks for 8 to 32 sectors of 512 bytes; IBM-Z found no effect of
// it.
const HARMLESS_BYTES = 128 * KiB;
const ASKED_BYTES = 16 * KiB;
// A page of WiredTiger's leaves is 32 KiB at most on disk, and mostly less: reads of more than two
// of them bring what was not asked for; ours.
const LARGE_READ_BYTES = 64 * KiB;
// Fewer reads than that do not matter; ours.
const MIN_READS_PER_SEC = 50;

module.exports = defineHostRule({
  id: 'read-ahead',
  area: 'host',
  title: 'How much the kernel reads in advance',
  why:
    'MongoDB reads here and there. What the kernel reads in advance is then thrown away: it ' +
    "takes the disk's time, and room in memory.",
  needs: ['disk.name', 'disk.readAheadBytes'],
  wants: ['disk.readsPerSec', 'disk.readBytesPerSec'],
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
    'disk.readAheadBytes': ahead,
    'disk.readsPerSec': reads = 0,
    'disk.readBytesPerSec': read = 0,
  }) {
    const evidence = { 'disk.name': name, 'disk.readAheadBytes': ahead };
    const say = `The kernel reads up to ${bytes(ahead)} in advance on ${name}`;
    if (ahead <= HARMLESS_BYTES) return { status: 'ok', say: `${say}.`, evidence };
    if (reads < MIN_READS_PER_SEC || read / reads < LARGE_READ_BYTES)
      return {
        status: 'info',
        say: `${say}, more than its default; the reads of this time show no harm.`,
        evidence,
      };
    return {
      status: 'warning',
      evidence,
      advice: `Set it to ${bytes(ASKED_BYTES)}, for good by a udev rule.`,
      say:
        `${say}: ${count(reads)} reads a second bring ${bytes(read / reads)} each, where a ` +
        'page has 32 KiB at most.',
      fixes: [
        {
          ...writeFile(`/sys/block/${name}/queue/read_ahead_kb`, ASKED_BYTES / KiB, ahead / KiB),
          note: NAMES_CHANGE,
        },
      ],
    };
  },
});
