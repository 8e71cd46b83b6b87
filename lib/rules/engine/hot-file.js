'use strict';

const { count, percent, many } = require('../../base/pure/units');
const { defineRule } = require('../rule');
const { isEvictionSevere } = require('../../signals/clients');
const { sources, ticket, wiredTiger, S390X } = require('../sources');

// Share of the dirty pages met that eviction had to leave to the checkpoint; heuristic.
const MOSTLY_RATIO = 0.5;
// Fewer a second do not matter; heuristic.
const MIN_PER_SEC = 100;
// From here on more collections cost more than they help (rule data-handles).
const MANY_FILES = 10_000;

module.exports = defineRule({
  id: 'hot-file',
  area: 'checkpoint',
  title: 'Eviction skipping a hot file during checkpoints',
  why:
    'A checkpoint writes one file at a time, and eviction skips dirty pages of that file. If ' +
    'most writes go to one collection, most dirty pages cannot be evicted during a checkpoint.',
  needs: ['eviction.skippedInCheckpointPerSec', 'checkpoint.runningShare'],
  wants: [
    'eviction.modifiedPagesPerSec',
    'checkpoint.blockedPagesPerSec',
    'files.open',
    'clients.waitingThreads',
    'clients.evictingThreads',
    'clients.busyThreads',
  ],
  thresholds: { minPerSec: MIN_PER_SEC },
  threshold:
    `Information: at least ${MIN_PER_SEC} dirty pages/s skipped, and at least as many as ` +
    'eviction wrote. Warning: application threads spend a tenth of their time waiting for cache space as ' +
    'well. The number of files does not matter.',
  source: sources(
    wiredTiger('eviction', 'arch-eviction'),
    ticket('WT-12798', 'long checkpoints'),
    ticket('WT-18765', 'eviction during checkpoints'),
    S390X + ': two databases halved the lock activity during checkpoints',
  ),
  advice:
    'Spread the writes over more collections, in this database or another: each collection and ' +
    'index is a file. Shorter checkpoints help as well: see checkpoint-duration.',
  whenNot:
    'Not with thousands of collections already (data-handles). Collections matter, not ' +
    'databases: WiredTiger does not know databases.',
  speaksFor: ['checkpoint'],
  check(metrics, { minPerSec }) {
    const {
      'eviction.skippedInCheckpointPerSec': skippedPerSec,
      'eviction.modifiedPagesPerSec': writtenPerSec = 0,
      'checkpoint.runningShare': runningShare,
      'files.open': files = null,
    } = metrics;
    const evidence = {
      'eviction.skippedInCheckpointPerSec': skippedPerSec,
      'eviction.modifiedPagesPerSec': writtenPerSec,
      'checkpoint.runningShare': runningShare,
      'checkpoint.blockedPagesPerSec': metrics['checkpoint.blockedPagesPerSec'] ?? null,
      'files.open': files,
    };
    const values = { skippedPerSec, writtenPerSec, runningShare, files };
    if (skippedPerSec < minPerSec || skippedPerSec < MOSTLY_RATIO * (skippedPerSec + writtenPerSec))
      return { status: 'ok', code: 'fine', values, evidence };
    if (!isEvictionSevere(metrics))
      return { status: 'info', code: 'skipped-at-no-cost', values, evidence };
    const code = (files ?? 0) > MANY_FILES ? 'skipped-with-many-files' : 'skipped';
    return { status: 'warning', code, values, evidence };
  },
  messages: {
    fine: (values) => `${pages(values)}.`,
    'skipped-at-no-cost': (values) => `${pages(values)}. Application threads do not wait.`,
    skipped: (values) => `${pages(values)}. Application threads evict meanwhile.`,
    'skipped-with-many-files': (values) => `${pages(values)}. Application threads evict meanwhile.`,
  },
  adviceFor: {
    'skipped-with-many-files': ({ files }) =>
      `Shorten checkpoints: see checkpoint-duration. With ${count(files)} files open, do not ` +
      'split data over more collections.',
  },
});

/**
 * Pages that eviction left to the checkpoint, beside those that it wrote.
 * @param {{ skippedPerSec: number, writtenPerSec: number, runningShare: number }} values
 */
const pages = ({ skippedPerSec, writtenPerSec, runningShare }) =>
  `Eviction skipped ${many(skippedPerSec, 'dirty page')}/s and wrote ` +
  `${count(writtenPerSec)}/s; checkpoints ran ${percent(runningShare)} of the time`;
