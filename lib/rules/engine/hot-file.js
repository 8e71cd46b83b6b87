'use strict';

const { count, percent } = require('../../base/pure/units');
const { defineRule } = require('../rule');
const { many } = require('../../signals/words');
const { isEvictionSevere } = require('../../signals/clients');

// Share of the dirty pages met that eviction had to leave to the checkpoint; heuristic.
const MOSTLY_RATIO = 0.5;
// Fewer a second do not matter; heuristic.
const MIN_PER_SEC = 100;
// From here on more collections cost more than they help (rule data-handles).
const MANY_FILES = 10_000;

module.exports = defineRule({
  id: 'hot-file',
  area: 'checkpoint',
  title: 'Eviction kept from a hot file by checkpoints',
  why:
    'A checkpoint goes through the files one at a time, and eviction leaves alone the dirty ' +
    'pages of the file it is at. Where nearly all writes go to one collection, that is nearly ' +
    'all that could be evicted, for as long as the checkpoint takes.',
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
    `At least ${MIN_PER_SEC} dirty pages a second skipped for a checkpoint, and at least as ` +
    'many as were written by eviction: information. When clients lose a tenth of their time to ' +
    'eviction: warning. The number of files does not matter: where writes are spread, most ' +
    'dirty pages that eviction meets belong to files that the checkpoint is not at.',
  source:
    'WiredTiger, src/evict (dirty pages of a file in checkpoint are not queued), WT-12798, ' +
    'WT-18765; IBM-Z step 4 (two databases halved the lock activity while a checkpoint ran)',
  advice:
    'Spread the writes over more collections, in the same database or another: each ' +
    'collection and index is a file of its own. Shorter checkpoints help as well: see ' +
    'checkpoint-duration.',
  whenNot:
    'Not when there are thousands of collections already (data-handles). Databases by ' +
    'themselves mean nothing to WiredTiger: more collections do the same.',
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
    'skipped-at-no-cost': (values) => `${pages(values)}, at no cost to the clients.`,
    skipped: (values) => `${pages(values)}; application threads evict meanwhile.`,
    'skipped-with-many-files': (values) => `${pages(values)}; application threads evict meanwhile.`,
  },
  adviceFor: {
    'skipped-with-many-files': ({ files }) =>
      `Make checkpoints shorter: see checkpoint-duration. There are ${count(files)} files open, ` +
      'too many to split data over more.',
  },
});

/**
 * Pages that eviction left to the checkpoint, beside those that it wrote.
 * @param {{ skippedPerSec: number, writtenPerSec: number, runningShare: number }} values
 */
const pages = ({ skippedPerSec, writtenPerSec, runningShare }) =>
  `Eviction skipped ${many(skippedPerSec, 'dirty page')} a second for a checkpoint, which ran ` +
  `${percent(runningShare)} of the time, and wrote ${many(writtenPerSec, 'page')}`;
