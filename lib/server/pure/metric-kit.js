'use strict';

const { delta, rate, last } = require('./window');
const { toRatio } = require('../../config/setting-table');
const { MICROS_PER_SECOND, MICROS_PER_MS } = require('../../base/pure/units');

/**
 * @import { SettingName } from '../../base/types'
 * @import { Counter } from './counters'
 * @import { Window } from './window'
 * @import { Facts } from './types'
 */

/**
 * The parts that metrics are made of. A metric is a function of a window and the facts: it returns
 * one number, or nothing where its inputs are not known.
 * @typedef {(window: Window, facts: Facts) => number | null | undefined} Read
 */

const COMPLETED = /** @type {const} */ ([
  'ops.inserts',
  'ops.queries',
  'ops.updates',
  'ops.deletes',
  'ops.getmores',
  'ops.aggregates',
]);

/**
 * @param {number | null | undefined} a
 * @param {number | null | undefined} b
 * @returns {number | undefined} a ÷ b, where that says anything
 */
const ratio = (a, b) => (a === undefined || a === null || !b ? undefined : a / b);

/**
 * @param {(number | undefined)[]} terms
 * @returns {number | undefined} sum of what is known; unknown when nothing is
 */
const sum = (...terms) =>
  terms.reduce((total, term) => (term === undefined ? total : (total ?? 0) + term), undefined);

/** @param {Counter[]} names @returns {Read} growth per second of all together */
const perSec =
  (...names) =>
  (w) =>
    sum(...names.map((name) => rate(w, name)));

/**
 * Computes the mean number of application threads that are busy with it: the microseconds that they
 * spend per second ÷ 1e6.
 * @param {Counter} name
 * @returns {Read}
 */
const threads = (name) => (w) => ratio(rate(w, name), MICROS_PER_SECOND);

/**
 * Computes the mean ms of one event over the window.
 * @param {Counter} micros
 * @param {Counter} number
 * @returns {Read}
 */
const msEach = (micros, number) => (w) =>
  ratio(ratio(delta(w, micros), delta(w, number)), MICROS_PER_MS);

/**
 * Reads a counter as a share of the cache.
 * @param {Counter} name
 * @param {(w: Window, name: Counter) => number | undefined} how
 * @returns {Read}
 */
const ofCache = (name, how) => (w) => ratio(how(w, name), last(w, 'cache.maxBytes'));

/**
 * Reads an effective threshold as a share of the cache: live where the server reports it (9.0),
 * else computed from defaults, start-up options, log and journal.
 * @param {Counter} live
 * @param {SettingName} setting
 * @returns {Read}
 */
const threshold =
  (live, setting) =>
  (w, { config }) => {
    const value = last(w, live) ?? config?.[setting].value ?? undefined;
    const maxBytes = last(w, 'cache.maxBytes');
    return value === undefined || maxBytes === undefined ? undefined : toRatio(value, maxBytes);
  };

/**
 * Reads an updates threshold, of which 0 means half of the dirty one (WiredTiger,
 * src/conn/conn_cache.c).
 * @param {Read} own
 * @param {Read} dirty
 * @returns {Read}
 */
const orHalf = (own, dirty) => (w, f) => own(w, f) || ratio(dirty(w, f), 2);

/** @param {number | undefined} end @param {number | undefined} start */
const difference = (end, start) =>
  end === undefined || start === undefined ? undefined : end - start;

module.exports = {
  ratio,
  sum,
  difference,
  perSec,
  threads,
  msEach,
  ofCache,
  threshold,
  orHalf,
  COMPLETED,
};
