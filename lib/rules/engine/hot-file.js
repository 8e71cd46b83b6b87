'use strict';

const { count, percent } = require('../../base/pure/units');
const { defineRule } = require('../define-rule');
const { many } = require('../../signals/words');
const { isEvictionSevere } = require('../../signals/clients');

// Share of the dirty pages met that eviction had to leave to the checkpoint; ours.
const MOSTLY_RATIO = 0.5;
// Fewer a second do not matter; ours.
const MIN_PER_SEC = 100;
// From here on more collections cost more than they help (rule data-handles).
const MANY_FILES = 10_000;

module.exports = defineRule({
  id: 'hot-file',
  area: 'checkpoint',
  title: 'Whether checkpoints keep eviction from the hot file',
  why:
    'A checkpoint goes through the files one at a time, and eviction leaves alone the dirty ' +
    'pages of the file it is at. Where nearly all writes go to one collection, that is nearly ' +
    'all that could be evicted, for as long as the checkpoint takes.',
  needs: ['eviction.skippedInCheckpointPerSec', 'checkpoint.runningShare'],
  wants: [
    'eviction.modifiedPagesPerSec',
    'checkpoint.blockedPagesPerSec',
    'files.open',
    'clients.waitingForCache',
    'clients.evicting',
    'clients.busy',
  ],
  limits: { minPerSec: MIN_PER_SEC },
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
      'eviction.skippedInCheckpointPerSec': skipped,
      'eviction.modifiedPagesPerSec': written = 0,
      'checkpoint.runningShare': running,
      'files.open': files,
    } = metrics;
    const evidence = {
      'eviction.skippedInCheckpointPerSec': skipped,
      'eviction.modifiedPagesPerSec': written,
      'checkpoint.runningShare': running,
      'checkpoint.blockedPagesPerSec': metrics['checkpoint.blockedPagesPerSec'] ?? null,
      'files.open': files ?? null,
    };
    const say =
      `Eviction skipped ${many(skipped, 'dirty page')} a second for a checkpoint, which ran ` +
      `${percent(running)} of the time, and wrote ${many(written, 'page')}`;
    if (skipped < minPerSec || skipped < MOSTLY_RATIO * (skipped + written))
      return { status: 'ok', say: `${say}.`, evidence };
    const advice =
      (files ?? 0) > MANY_FILES
        ? {
            advice:
              `Make checkpoints shorter: see checkpoint-duration. There are ${count(files)} ` +
              'files open, too many to split data over more.',
          }
        : {};
    if (isEvictionSevere(metrics))
      return { status: 'warning', say: `${say}; clients evict meanwhile.`, evidence, ...advice };
    return { status: 'info', say: `${say}, at no cost to the clients.`, evidence };
  },
});
