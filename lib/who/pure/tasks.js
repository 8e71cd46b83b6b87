'use strict';

/**
 * Work that no application asked for just now: tasks of the server, and programs that read everything.
 * By the name of the thread (`ctx` of the log, `desc` of $currentOp; seen on 4.4 to 6.0) or of the
 * application.
 */
const THREADS = Object.freeze(
  /** @type {const} */ ([
    [/^TTLMonitor/, 'ttl'],
    [/^IndexBuildsCoordinator/, 'index build'],
    [/^(range-deleter|Collection-Range-Deleter|RangeDeleter)/i, 'range deleter'],
    [/^(migrateThread|moveChunk|MoveChunk|batchApplier|sessionMigration)/i, 'migration'],
    [/^(ReplWriterWorker|OplogApplier|repl-writer)/, 'replication'],
    [/^(initialSync|CollectionCloner|InitialSyncInserters)/i, 'initial sync'],
    [/^LogicalSessionCache/, 'sessions'],
  ]),
);
const PROGRAMS = /^(mongodump|mongoexport|mongorestore|mongoimport|pbm-agent)\b/i;

/** Commands that are work of their own, whoever sends them. */
const BY_COMMAND = Object.freeze(
  /** @type {Record<string, string>} */ ({
    compact: 'compact',
    validate: 'validate',
    createIndexes: 'index build',
    _recvChunkStart: 'migration',
    moveChunk: 'migration',
    moveRange: 'migration',
  }),
);

/**
 * @param {{ thread: string, app: string | null, kind: string }} operation
 * @returns {string | null} null: an operation of an application
 */
function taskOf({ thread, app, kind }) {
  const [, task] = THREADS.find(([pattern]) => pattern.test(thread)) ?? [];
  if (task !== undefined) return task;
  const program = PROGRAMS.exec(app ?? '')?.[1];
  if (program) return program.toLowerCase();
  return Object.hasOwn(BY_COMMAND, kind) ? BY_COMMAND[kind] : null;
}

/**
 * Whether it waits for a builder of indexes, which is another thread and is seen by itself.
 * @param {any} command @param {string} thread
 */
const waitsForBuilder = (command, thread) =>
  command?.createIndexes !== undefined && !thread.startsWith('IndexBuilds');

module.exports = { taskOf, waitsForBuilder };
