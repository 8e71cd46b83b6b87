'use strict';

const {
  scrambled,
  latest,
  uniform,
  fnvText,
  mix,
  between,
  find,
  updateOne,
  insert,
} = require('./operations');

/**
 * @import { Document, Operation, Place, Source, Workload } from './operations'
 */

/**
 * The core workloads of YCSB 0.17 (site.ycsb.workloads.CoreWorkload, workloads/workloada …
 * workloadf) with its defaults: records of 10 fields of 100 bytes, all fields read, one field
 * written, keys hashed, θ = 0.99.
 *
 */

const COLLECTION = 'usertable';
const FIELDS = 10;
const FIELD_BYTES = 100;
const LONGEST_SCAN = 100;
/** Measured with YCSB: 1167 bytes a document, 52 in the index of _id. */
const DOCUMENT_BYTES = 1220;
const SOURCE = 'https://github.com/brianfrankcooper/YCSB/tree/0.17.0/workloads';

const MIXES = /** @type {const} */ ({
  a: {
    shares: [
      ['read', 0.5],
      ['update', 0.5],
    ],
    say: '50% reads, 50% updates of one field, zipfian',
  },
  b: {
    shares: [
      ['read', 0.95],
      ['update', 0.05],
    ],
    say: '95% reads, 5% updates of one field, zipfian',
  },
  c: { shares: [['read', 1]], say: 'reads only, zipfian' },
  d: {
    shares: [
      ['read', 0.95],
      ['insert', 0.05],
    ],
    say: '95% reads of the latest, 5% inserts',
  },
  e: {
    shares: [
      ['scan', 0.95],
      ['insert', 0.05],
    ],
    say: '95% scans of up to 100 records, 5% inserts, zipfian',
  },
  f: {
    shares: [
      ['read', 0.5],
      ['read-modify-write', 0.5],
    ],
    say: '50% reads, 50% read and then written back, zipfian',
  },
});

/** @param {number} number @returns {string} */
const keyOf = (number) => `user${fnvText(number)}`;

const FIELD_NAMES = Object.freeze(Array.from({ length: FIELDS }, (_, i) => `field${i}`));

/** @param {number} number @param {Source} source */
const record = (number, { bytes }) => ({
  _id: keyOf(number),
  ...Object.fromEntries(FIELD_NAMES.map((name) => [name, bytes(FIELD_BYTES)])),
});

/**
 * @param {keyof typeof MIXES} letter
 * @returns {Workload}
 */
const ycsb = (letter) => ({
  name: `ycsb-${letter}`,
  data: 'ycsb',
  say: MIXES[letter].say,
  source: SOURCE,
  collection: COLLECTION,
  documentBytes: DOCUMENT_BYTES,
  defaultRecords: 100_000,
  kinds: MIXES[letter].shares.map(([kind]) => kind),
  indexes: () => [],
  document: record,
  operations: (place) => operations(letter, place),
});

/** @param {keyof typeof MIXES} letter @param {Place} place @returns {() => Operation} */
function operations(letter, place) {
  const { random, bytes } = place;
  const kind = mix(
    /** @type {readonly (readonly [string, number])[]} */ (MIXES[letter].shares),
    random,
  );
  const inserts = counter(place);
  const choose = chooser(letter, place, inserts);
  const key = () => keyOf(choose());
  const read = (/** @type {string} */ _id) => find(COLLECTION, { _id }, { limit: 1 });
  const update = (/** @type {string} */ _id) =>
    updateOne(COLLECTION, _id, {
      $set: { [FIELD_NAMES[between(0, FIELDS - 1, random)]]: bytes(FIELD_BYTES) },
    });
  /** @type {Record<string, () => Document[]>} */
  const make = {
    read: () => [read(key())],
    update: () => [update(key())],
    insert: () => [insert(COLLECTION, [record(inserts.next(), place)])],
    scan: () => [
      find(
        COLLECTION,
        { _id: { $gte: key() } },
        { sort: { _id: 1 }, limit: between(1, LONGEST_SCAN, random), batchSize: LONGEST_SCAN + 1 },
      ),
    ],
    'read-modify-write': () => {
      const _id = key();
      return [read(_id), update(_id)];
    },
  };
  return () => {
    const drawn = kind();
    return { kind: drawn, commands: make[drawn]() };
  };
}

/** @param {keyof typeof MIXES} letter @param {Place} place @param {ReturnType<typeof counter>} inserts */
function chooser(letter, place, inserts) {
  const { records, random, settings } = place;
  if (settings.keys === 'uniform') return uniform(records, random);
  return letter === 'd' ? latestOf(place, inserts) : scrambled(records, random);
}

/**
 * Counts new records on, so that each worker takes every `workers`-th number.
 * @param {Place} place
 */
function counter({ insertFrom, worker, workers }) {
  let done = 0;
  return {
    next: () => insertFrom + worker + workers * done++,
    count: () => done,
    number: (/** @type {number} */ nth) => insertFrom + worker + workers * nth,
  };
}

/**
 * Chooses records by age. What this worker has inserted is newer than what was loaded; it does not
 * know what the other workers insert. Inserts that may still be in flight are left out.
 * @param {Place} place
 * @param {ReturnType<typeof counter>} inserts
 */
function latestOf({ records, random, lanes }, inserts) {
  const choose = latest(records, random);
  return () => {
    const there = Math.max(0, inserts.count() - lanes);
    const back = choose(records + there);
    return back < there ? inserts.number(there - 1 - back) : records - 1 - (back - there);
  };
}

const YCSB = Object.freeze(
  Object.keys(MIXES).map((letter) => ycsb(/** @type {keyof typeof MIXES} */ (letter))),
);

module.exports = { YCSB };
