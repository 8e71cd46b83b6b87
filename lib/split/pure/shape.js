'use strict';

/**
 * @import { Facts } from '../../server/pure/facts'
 * @import { SeenView } from './dependents'
 */

/**
 * The values of a split: what was seen, and the plan made of it. JSON holds all of a plan.
 *
 * @typedef {{ what: string, say: string }} Remark `what`: a word for programs, such as `capped`;
 *   `say`: a sentence
 * @typedef {'online' | 'offline'} Mode offline: writes to a collection are refused for as long as
 *   it is copied
 * @typedef {{
 *   ns: string, into: string, uuid: string | null, bytes: number | null, documents: number | null,
 *   indexBytes: number | null, writtenBytesPerSec: number | null, method: 'out' | 'ranges',
 *   why: string,
 *   estimateSeconds: { copy: number | null, indexes: number | null, total: number | null },
 *   diskBytes: number | null, blockers: Remark[], warnings: Remark[],
 * }} Move `ns`, `into`: namespaces; `bytes`: of the documents, not compressed;
 *   `writtenBytesPerSec`: to its files, indexes too
 * @typedef {{
 *   ns: string, holds: string, documents: number | null, bytes: number | null, ratio: number,
 *   writtenBytesPerSec: number | null
 * }} Part
 *   of one collection; `ratio`: of its documents; `holds`: which
 * @typedef {{ database: string, before: number, after: number }} Load bytes written a second
 * @typedef {{
 *   id: string, at: Date, host: string | null, version: string | null, from: string,
 *   into: string[], worthIt: 'yes' | 'no' | 'unknown', because: string, mode: Mode, moves: Move[],
 *   stays: { ns: string, because: string }[], loads: Load[], balancedBy: 'written' | 'bytes',
 *   by: By | null, parts: Part[], route: string | null, views: { ns: string, into: string }[],
 *   blockers: Remark[], warnings: Remark[], unknown: string[], seconds: number,
 *   estimateSeconds: number | null, diskBytes: number | null,
 * }} SplitPlan `views`: those that can be made again where all they read is moved; `route`: a
 *   function that an application asks for the part
 * @typedef {{ kind: 'hash' | 'range', field: string, parts: number }} By
 *
 * @typedef {{ key: string, shown: string, bytes: number, bornMs: number | null, missing: boolean }}
 *   Drawn one document of a sample: `key`:
 *   text of the field's value; `shown`: the value as mongosh reads it; `bornMs`: when it was
 *   inserted, as its _id tells
 * @typedef {{ documents: number | null, drawn: Drawn[] }} Sample in the order of the field's values
 *
 * @typedef {Record<string, any>} IndexSpec as listIndexes tells it
 * @typedef {{
 *   ns: string, database: string, name: string, type: string, uuid: string | null,
 *   options: Record<string, any> | null, indexes: IndexSpec[] | null, documents: number | null,
 *   bytes: number | null, storageBytes: number | null, indexBytes: number | null,
 *   building: string[] | null, capped: boolean | null, sharded: boolean | null,
 *   writtenBytesPerSec: number | null,
 * }} SeenCollection `options`, `indexes` null: this user may not see them; `building`: names of
 *   indexes under construction
 *
 * @typedef {{
 *   resource: { db?: string, collection?: string, cluster?: boolean, anyResource?: boolean },
 *   actions: string[]
 * }} Privilege
 * @typedef {{ role: string, db: string }} RoleName
 * @typedef {{ name: string, roles: RoleName[] }} User
 * @typedef {{ role: string, db: string, privileges: Privilege[], roles: RoleName[] }} CustomRole
 * @typedef {{ database: string | null, collection: string | null }} Stream null: of all of them
 * @typedef {{
 *   host: string | null, version: string | null,
 *   role: Facts['role'],
 *   compatibility: string | null, shardServer: boolean | null, directoryPerDB: boolean | null,
 *   handles: number | null, freeBytes: number | null, freeOn?: string | null,
 *   unseenDisks?: string[],
 *   oplog: { maxBytes: number | null, bytesPerSec: number | null, seconds: number } | null,
 *   writesPerSec: number | null, writesBlocked: boolean | null, committedReads: boolean | null,
 *   databases: string[] | null, taken: Record<string, string[] | null>,
 *   views?: Record<string, SeenView[] | null>, users: User[] | null,
 *   roles: CustomRole[] | null, streams: Stream[] | null,
 *   transactions: { open: number, longestSeconds: number } | null,
 *   privileges: Privilege[] | 'all' | null,
 * }} Surroundings what is null is not known; `taken`: names in the target databases,
 *   `views`: views there; `oplog`: null on a standalone, too;
 *   `writesPerSec`: of clients, to any collection; `freeOn`: the member whose disk has least room;
 *   `unseenDisks`: members whose disks are not known
 */

/**
 * Handles: from here on what walks all of them takes its time (WT-5479 and SERVER-31704: stalls
 * were seen with 210,000). The rule data-handles judges by the same number.
 */
const MANY_HANDLES = 10_000;
/**
 * Share of what is written to a database. One collection with more than half of it is what any
 * balance ends at; heuristic.
 */
const HOT_RATIO = 0.5;

/**
 * JavaScript puts field names that are whole numbers first, whatever their order was: an index
 * would be made with another key.
 * @param {object} key of an index
 */
function losesOrder(key) {
  const fields = Object.keys(key);
  return fields.length > 1 && fields.some((field) => String(Number(field) >>> 0) === field);
}

module.exports = { MANY_HANDLES, HOT_RATIO, losesOrder };
