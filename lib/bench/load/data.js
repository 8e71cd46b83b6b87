'use strict';

/** Names in the database of the benchmark. */
const DATABASE = 'tune_bench';
/**
 * Its one document says that tune made the database, and what is in it: nothing is ever written to,
 * or dropped from, one without it.
 */
const ABOUT = 'about';
const ABOUT_ID = 'mongosh-tune';
/** One document for each piece of the data that is in. */
const LOADED = 'loaded';
/** Records of one piece: large enough that noting it costs little, small enough for one message. */
const PER_PIECE = 1000;
/**
 * The numbers of the records that one run may insert; the next run begins behind them, so that no
 * key comes twice.
 */
const INSERTS_PER_RUN = 1e9;

/** @param {number} records @returns {number[]} the pieces that they make */
const piecesOf = (records) => Array.from({ length: Math.ceil(records / PER_PIECE) }, (_, i) => i);

/**
 * @param {number} records
 * @param {readonly number[]} loaded pieces
 * @returns {number[]} those that are missing
 */
function missingPieces(records, loaded) {
  const there = new Set(loaded);
  return piecesOf(records).filter((piece) => !there.has(piece));
}

/**
 * @param {number} records
 * @param {number} run from 0
 * @returns {number} first number of what this run inserts
 */
const insertFrom = (records, run) => records + run * INSERTS_PER_RUN;

/**
 * @template T
 * @param {readonly T[]} list
 * @param {number} parts
 * @returns {T[][]} each gets every so-manieth
 */
const dealt = (list, parts) =>
  Array.from({ length: parts }, (_, part) => list.filter((_one, i) => i % parts === part));

module.exports = {
  DATABASE,
  ABOUT,
  ABOUT_ID,
  LOADED,
  PER_PIECE,
  missingPieces,
  insertFrom,
  dealt,
  INSERTS_PER_RUN,
};
