'use strict';

const { mapServerError, isRefusal, refusalOf } = require('../base/server-errors');
const { mapConcurrent } = require('../base/timing');
const { readProfile } = require('./pure/slow-log');

/**
 * @import { Context } from '../base/types'
 * @import { LoggedOperation } from './types'
 */

/** Databases that are asked, and documents that are read of each, the newest. */
const MAX_DATABASES = 50;
const MAX_DOCUMENTS = 5000;
const ALL_OPERATIONS = 2;

/**
 * What the profiler wrote, where it is on for all operations; at level 1 the log has the same. The
 * profiler is never switched.
 * @param {Context} ctx
 * @param {number} fromMs
 * @returns {Promise<{ operations: LoggedOperation[], databases: Set<string>, notes: string[] }>}
 *   `databases`: whose operations are all here
 */
async function collectProfile(ctx, fromMs) {
  /** @type {LoggedOperation[]} */ const operations = [];
  const databases = new Set();
  /** @type {string[]} */ const notes = [];
  try {
    const { databases: all } = await ctx.port.adminCommand({ listDatabases: 1, nameOnly: true });
    const names = all
      .map((/** @type {any} */ { name }) => name)
      .filter((/** @type {string} */ name) => name !== 'local' && name !== 'config')
      .slice(0, MAX_DATABASES);
    await mapConcurrent(
      names,
      async (name) => {
        const found = await profileOf(ctx, name, fromMs);
        if (found === null) return;
        if (found.length === MAX_DOCUMENTS)
          notes.push(
            `Only the last ${MAX_DOCUMENTS} operations of the profiler of ${name} were read.`,
          );
        else databases.add(name);
        operations.push(...found);
      },
      { signal: ctx.signal },
    );
  } catch (error) {
    const mapped = mapServerError(error, 'profile', ctx.signal);
    if (!isRefusal(mapped) && !ctx.signal.aborted) throw mapped;
  }
  return { operations, databases, notes };
}

/**
 * @param {Context} ctx
 * @param {string} database
 * @param {number} fromMs
 * @returns {Promise<LoggedOperation[] | null>} null: it is off, or may not be read
 */
async function profileOf({ port, signal }, database, fromMs) {
  try {
    const { was } = await port.command(database, { profile: -1 });
    if (was !== ALL_OPERATIONS) return null;
    const { cursor } = await port.command(database, {
      find: 'system.profile',
      filter: { ts: { $gte: new Date(fromMs) } },
      sort: { $natural: -1 },
      limit: MAX_DOCUMENTS,
      batchSize: MAX_DOCUMENTS,
      maxTimeMS: 5000,
    });
    return cursor.firstBatch.flatMap((/** @type {any} */ doc) => readProfile(doc) ?? []);
  } catch (error) {
    refusalOf(error, 'profile', signal);
    return null;
  }
}

module.exports = { collectProfile };
