'use strict';

const { mapConcurrent } = require('../base/timing');
const { mapServerError, refusalOf } = require('../base/server-errors');
const { BUCKETS } = require('./pure/collections');

/**
 * @import { Port } from '../base/context'
 * @import { Context } from '../base/types'
 */

/**
 * More than one answer can hold (16 MB, some 100,000 names), so that no cursor has to be followed.
 */
const ONE_BATCH = 1_000_000;

/**
 * A collection that stores something. `options` only where asked for and permitted.
 * @typedef {{
 *   database: string, name: string, ns: string, type: string, options: Record<string, any> | null
 * }} Namespace
 */

/**
 * Every collection that this user may see, without views; of a time series the collection of its
 * buckets, if it has one.
 * @param {Context} ctx
 * @param {{ options?: boolean }} [want] `options`: with what each was created with, which needs a
 *   privilege more (listCollections)
 * @returns {Promise<{ namespaces: Namespace[], notes: string[] }>}
 */
async function collectNamespaces({ port, signal }, { options = false } = {}) {
  const { databases } = await port
    .adminCommand({ listDatabases: 1, nameOnly: true })
    .catch((error) => {
      throw mapServerError(error, 'listDatabases', signal);
    });
  const names = databases.map((/** @type {any} */ { name }) => name).sort();
  /** @type {Namespace[]} */ const namespaces = [];
  /** @type {string[]} */ const notes = [];
  await mapConcurrent(
    names,
    async (database) => {
      try {
        const { cursor } = await listCollections(port, database, options);
        namespaces.push(...stored(database, cursor.firstBatch));
        if (Number(cursor.id) !== 0)
          notes.push(
            `${database} has more collections than one answer contains: only ` +
              `${cursor.firstBatch.length} were checked.`,
          );
      } catch (error) {
        const mapped = refusalOf(error, 'listCollections', signal);
        notes.push(`${database} was skipped: ${mapped.message}`);
      }
    },
    { signal },
  );
  return { namespaces: namespaces.sort((a, b) => (a.ns < b.ns ? -1 : 1)), notes };
}

/**
 * @param {Port} port @param {string} database
 * @param {boolean} [options] with what each was created with, where this user may see that
 * @returns {Promise<any>} the answer to listCollections, whole
 */
async function listCollections(port, database, options = true) {
  const cursor = { batchSize: ONE_BATCH };
  // The role clusterMonitor may not list collections, but ask which of them it may examine.
  const names = () =>
    port.command(database, {
      listCollections: 1,
      nameOnly: true,
      authorizedCollections: true,
      cursor,
    });
  return options ? port.command(database, { listCollections: 1, cursor }).catch(names) : names();
}

/** @param {string} database @param {any[]} listed @returns {Namespace[]} */
function stored(database, listed) {
  const all = new Set(listed.map(({ name }) => name));
  return listed
    .filter(
      ({ name, type }) => type !== 'view' && !(type === 'timeseries' && all.has(BUCKETS + name)),
    )
    .map(({ name, type = 'collection', options = null }) => ({
      database,
      name,
      ns: `${database}.${name}`,
      type,
      options,
    }));
}

module.exports = { collectNamespaces, listCollections };
