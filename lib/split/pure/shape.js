'use strict';

/**
 * @import { SeenView } from './dependents'
 * @import { Facts } from '../../server/pure/types'
 */

/**
 * The values of a split: what was seen, and the plan made of it. JSON holds all of a plan.
 *
 * @typedef {{ what: string, say: string }} Remark `what`: a word for programs, such as `capped`;
 *   `say`: a sentence
 * @typedef {'online' | 'offline'} Mode offline: writes to a collection are refused for as long as
 *   it is copied
 * @typedef {{
 *   ns: string, holds: string, documents: number | null, bytes: number | null, ratio: number,
 *   writtenBytesPerSec: number | null
 * }} Part
 *   of one collection; `ratio`: of its documents; `holds`: which
 * @typedef {{ database: string, before: number, after: number }} Load bytes written a second
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
 *   resource: { db?: string, collection?: string, cluster?: boolean, anyResource?: boolean },
 *   actions: string[]
 * }} Privilege
 * @typedef {{ role: string, db: string }} RoleName
 * @typedef {{ name: string, roles: RoleName[] }} User
 * @typedef {{ role: string, db: string, privileges: Privilege[], roles: RoleName[] }} CustomRole
 * @typedef {{ database: string | null, collection: string | null }} Stream null: of all of them
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
