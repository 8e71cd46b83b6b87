'use strict';

/**
 * Names the collections of an unfinished split.
 *
 * @typedef {{
 *   ns: string, database: string, collection: string, targetDatabase: string, stagingName: string,
 *   renamedTo: string
 * }} SplitNames `stagingName`: the copy's name in the target database; `renamedTo`: the source's
 *   name after the cut, in its own database
 */

/**
 * Bytes of UTF-8, with the database and the point, since 4.4; a server that was upgraded from 4.2
 * allows 120 until its feature compatibility version is upgraded, too.
 */
const LONGEST_NAMESPACE = 255;
const LONGEST_NAMESPACE_42 = 120;
/** Bytes of UTF-8: a database name of 64 is refused (seen on 6.0). */
const LONGEST_DATABASE = 63;
/**
 * Characters that no name of a database may hold (manual, Naming Restrictions, those of Windows
 * too: a dump may be restored there).
 */
const FORBIDDEN_IN_DATABASE = /[/\\. "$*<>:|?\0]/;

/**
 * @param {{ ns: string, into: string, id: string }} move `into`: a namespace
 * @returns {SplitNames}
 */
function namesOf({ ns, into, id }) {
  const [database, collection] = partsOf(ns);
  return {
    ns,
    database,
    collection,
    targetDatabase: partsOf(into)[0],
    stagingName: makeStagingName(collection, id),
    renamedTo: renamedName(collection, id),
  };
}

/**
 * @param {string} collection
 * @param {string} id of the plan
 * @param {number} [renamed] the number of its renames
 */
const makeStagingName = (collection, id, renamed = 0) => `${collection}__tune_${id}${nth(renamed)}`;
/**
 * @param {string} collection
 * @param {string} id of the plan
 * @param {number} [renamed] the number of its renames
 */
const renamedName = (collection, id, renamed = 0) => `${collection}__aside_${id}${nth(renamed)}`;
/** @param {number} renamed */
const nth = (renamed) => (renamed === 0 ? '' : `_${renamed}`);

/**
 * Returns the id that means this collection and no other of its plan.
 * @param {{ _id: string, planId: string, alone?: boolean }} split
 */
const ownId = ({ _id, planId, alone = false }) => (alone ? planId : _id);

/**
 * Returns the collection in which a time series has its documents; under its name is a view.
 * @param {string} collection
 */
const bucketsOf = (collection) => `system.buckets.${collection}`;

/** Matches the end of a collection's name, with the id of a plan as tune.split.plan() makes it. */
const OF_A_SPLIT = /__(?:tune|aside)_\d{14}-[0-9a-f]{6}(?:_\d+)?$/;
/**
 * @param {string} collection
 * @returns {boolean} whether a split made it: a copy, or the old data
 */
const isOfSplit = (collection) => OF_A_SPLIT.test(collection);

/**
 * @param {string} ns
 * @returns {[string, string]} database and collection, separated at the first point
 */
function partsOf(ns) {
  const point = ns.indexOf('.');
  return [ns.slice(0, point), ns.slice(point + 1)];
}

/**
 * Makes a pipeline for a view that refuses: reads of it fail with error 241, whose message holds
 * the sentence (the number is computed before anything is read, so also where the base is empty),
 * and writes to a view fail with 166.
 * @param {string} sentence
 * @returns {object[]}
 */
const refusal = (sentence) => [{ $match: { $expr: { $toInt: sentence } } }];

/**
 * Makes a pipeline for a view that answers reads with what its base holds: it only carries the
 * sentence. Writes are refused as by any view.
 * @param {string} sentence
 * @returns {object[]}
 */
const remark = (sentence) => [{ $match: { $comment: sentence } }];

/** @param {any} pipeline the pipeline of a view @returns {boolean} whether it is one of these */
function isOurPipeline(pipeline) {
  const { $expr, $comment } = pipeline?.[0]?.$match ?? {};
  const sentence = $expr?.$toInt ?? $comment;
  return typeof sentence === 'string' && sentence.includes('mongosh-tune');
}

/** @param {string} ns @param {string} into @returns {string} */
const movedSentence = (ns, into) => `${ns} was moved to ${into} by mongosh-tune`;
/** @param {string} into @param {string} ns @returns {string} */
const notYetSentence = (into, ns) =>
  `${into} is not there yet: ${ns} is being moved to it by mongosh-tune`;
/** @param {string} ns @param {string} into @returns {string} */
const frozenSentence = (ns, into) => `${ns} as it was when mongosh-tune moved it to ${into}`;

/** @param {string} text @returns {number} bytes of UTF-8 */
const bytesOf = (text) =>
  [...text].reduce((sum, char) => sum + utf8Length(/** @type {number} */ (char.codePointAt(0))), 0);
/**
 * Returns how many bytes of UTF-8 a character takes.
 * @param {number} code
 * @returns {number}
 */
function utf8Length(code) {
  if (code < 0x80) return 1;
  if (code < 0x800) return 2;
  return code < 0x10000 ? 3 : 4;
}

module.exports = {
  bucketsOf,
  namesOf,
  ownId,
  makeStagingName,
  renamedName,
  isOfSplit,
  partsOf,
  refusal,
  remark,
  isOurPipeline,
  movedSentence,
  notYetSentence,
  frozenSentence,
  bytesOf,
  LONGEST_NAMESPACE,
  LONGEST_NAMESPACE_42,
  LONGEST_DATABASE,
  FORBIDDEN_IN_DATABASE,
};
