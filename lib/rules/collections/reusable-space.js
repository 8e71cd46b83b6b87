'use strict';

const { GiB, MiB, bytes, many, percent, shortPercent } = require('../../base/pure/units');
const { visible } = require('../../base/pure/printable');
const { defineCollectionRule } = require('../rule');
const { nameOf } = require('../collection-values');
const { sources, manual, wiredTigerSource } = require('../sources');

/** @import { FileSpace } from '../types' */

// Share of a file from which WiredTiger moves its last fifth to the front.
const MIN_RATIO = 0.2;
// Less than this on disk is not worth the reads and writes of a compact (heuristic).
const MIN_BYTES = 100 * MiB;
// From here a copy, a backup or a resync of the file is half air (heuristic; MongoDB's own health
// check reports the same share).
const LARGE_RATIO = 0.5;
const LARGE_BYTES = GiB;
/** Files that the sentence names. */
const NAMED = 3;

module.exports = defineCollectionRule({
  id: 'reusable-space',
  title: 'Files with free space inside that compact can return',
  why:
    'Deleted documents leave free space inside the file. Later inserts use it; the disk gets it ' +
    'back only by compact or a resync.',
  needs: ['files'],
  threshold:
    `Information: ${shortPercent(MIN_RATIO)} of a file and ${bytes(MIN_BYTES)} are free inside. Warning: ` +
    `${shortPercent(LARGE_RATIO)} of a file and ${bytes(LARGE_BYTES)}.`,
  source: sources(
    wiredTigerSource(
      'compact moves blocks where 20% of a file is free',
      'src/block/block_compact.c',
    ),
    manual('compact', 'manual/reference/command/compact/'),
    'the bytes are a heuristic',
  ),
  advice:
    'Where the data will not grow back, run compact on one secondary after another, at a quiet hour: ' +
    'db.runCommand({ compact: "<collection>" }). It reads and writes much of the file.',
  whenNot:
    'Not where as much will be inserted again: the space is used first. Not for speed: free space ' +
    'in a file costs no cache.',
  check({ files }) {
    const worth = files
      .filter((file) => file.reusableBytes >= MIN_BYTES && ratioOf(file) >= MIN_RATIO)
      .toSorted((a, b) => b.reusableBytes - a.reusableBytes);
    const largest = files.reduce((max, file) => Math.max(max, file.reusableBytes), 0);
    const values = {
      reusableBytes: worth.reduce((sum, file) => sum + file.reusableBytes, 0),
      largestBytes: largest,
      files: worth.map(({ ns, index, storageBytes, reusableBytes }) => ({
        ns,
        index,
        storageBytes,
        reusableBytes,
      })),
    };
    if (worth.length === 0) return { status: 'ok', code: 'fine', values };
    const isLarge = worth.some(
      (file) => file.reusableBytes >= LARGE_BYTES && ratioOf(file) >= LARGE_RATIO,
    );
    return isLarge
      ? { status: 'warning', code: 'large', values }
      : { status: 'info', code: 'worth-it', values };
  },
  messages: {
    fine: ({ largestBytes }) =>
      `No file has enough free space inside for a compact (max ${bytes(largestBytes)}).`,
    'worth-it': (values) => freeIn(values),
    large: (values) => freeIn(values),
  },
});

/** @param {FileSpace} file */
const ratioOf = ({ reusableBytes, storageBytes }) =>
  storageBytes > 0 ? reusableBytes / storageBytes : 0;

/** @param {{ reusableBytes: number, files: FileSpace[] }} values */
function freeIn({ reusableBytes, files }) {
  const named = files
    .slice(0, NAMED)
    .map(
      (file) =>
        `${visible(nameOf(file))} ${bytes(file.reusableBytes)} (${percent(ratioOf(file))} of its file)`,
    );
  const more = files.length > NAMED ? ` and ${files.length - NAMED} more` : '';
  return (
    `compact can return ${bytes(reusableBytes)} in ${many(files.length, 'file')}: ` +
    `${named.join(', ')}${more}.`
  ).replace(/^c/, 'C');
}
