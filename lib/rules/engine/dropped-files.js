'use strict';

const { count, many } = require('../../base/pure/units');
const { defineRule } = require('../rule');
const { parameter, serverStatus, sources, ticket } = require('../sources');

// Files (heuristic): a few wait on every server; a job that drops temporary collections can leave
// hundreds for the 5 minutes of the snapshot history.
const NOTED_FILES = 1000;
// As many handles as the rule data-handles calls many: checkpoints visit each of them.
const MANY_FILES = 10_000;

module.exports = defineRule({
  id: 'dropped-files',
  area: 'disk',
  title: 'Dropped collections still have their files',
  why:
    'The file of a dropped collection or index is deleted once no reader, snapshot or backup ' +
    'needs it. Until then it uses disk space and a handle. The server tries again and again to ' +
    'delete it, under locks that creating and dropping collections need too.',
  needs: ['drops.pendingFiles'],
  evidence: ['drops.pendingFiles'],
  thresholds: { notedFiles: NOTED_FILES, manyFiles: MANY_FILES },
  threshold: `Information: ${count(NOTED_FILES)} files. Warning: ${count(MANY_FILES)}.`,
  source: sources(
    serverStatus('storageEngine.dropPendingIdents'),
    parameter('minSnapshotHistoryWindowInSeconds'),
    ticket('WT-15225', 'a drop is refused again and again (fixed in 8.0.16 and 8.2.1)'),
    'the numbers are heuristics',
  ),
  advice:
    'Find what holds the files: an old snapshot (the rules pinned-ids and pinned-timestamps name ' +
    'it) or an open backup cursor. Do not drop and create a collection again and again: empty it ' +
    'with deleteMany, and keep it. Before 8.0.16 and 8.2.1 WT-15225 can hold files without such a ' +
    'cause: upgrade.',
  adviceFor: {
    noted: () =>
      'Ask again after 5 minutes (minSnapshotHistoryWindowInSeconds): the number must have fallen. ' +
      'If it has not, find the old snapshot or the open backup cursor that holds them.',
  },
  whenNot: 'While a backup is running, and within minutes after dropping a large database.',
  check({ 'drops.pendingFiles': files }, { notedFiles, manyFiles }) {
    const values = { files };
    if (files >= manyFiles) return { status: 'warning', code: 'many', values };
    if (files >= notedFiles) return { status: 'info', code: 'noted', values };
    return { status: 'ok', code: 'fine', values };
  },
  messages: {
    fine: (values) => waiting(values),
    noted: (values) => waiting(values),
    many: (values) => waiting(values),
  },
});

/** The sentence of all three. @param {{ files: number }} values */
const waiting = ({ files }) =>
  `Waiting to be deleted: ${many(files, 'file')} of dropped collections and indexes.`;
