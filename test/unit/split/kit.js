'use strict';

const { SplitJob } = require('../../../lib/split/split-job');
const {
  BSON,
  BSONRegExp,
  Binary,
  Decimal128,
  Double,
  Int32,
  ObjectId,
  Timestamp,
} = require('mongodb');

/** As the server sends it. @param {any} value @returns {Buffer} */
const idBytes = (value) => Buffer.from(BSON.serialize({ _id: value }));
/** @param {any} id @returns {any} */
const valueOf = (id) => BSON.deserialize(id)._id;
/** What a filter names. @param {any} filter @returns {any[]} */
const valuesIn = (filter) =>
  filter._id.$in.map((/** @type {any} */ value) => value?.valueOf() ?? value);

const CLASSES = Object.freeze({
  Double: new Double(1),
  Int32: new Int32(1),
  Decimal128: new Decimal128('1'),
  ObjectId: new ObjectId(),
  Binary: new Binary(Buffer.alloc(1)),
  BSONRegExp: new BSONRegExp('a'),
});
/** What is asked about values beside a test. @param {any} port */
const answering = (port) => ({
  ...port,
  aggregate: (/** @type {any[]} */ ...call) => {
    if (call[0] === 'tune') return cursorOf([{ _id: 0, ...CLASSES }]);
    return call[2][0].$match?.$and?.some((/** @type {any} */ one) => one.$nor)
      ? cursorOf([])
      : port.aggregate(...call);
  },
});

/**
 * A step of work without a server.
 * @param {any} port
 * @param {Record<string, any>} [more]
 * @returns {any}
 */
function workOf(port, more = {}) {
  const job = {
    port: {
      adminCommand: (/** @type {any} */ spec) => port.command('admin', spec),
      ...answering(port),
    },
    signal: new AbortController().signal,
    lease: { renewals: () => 0 },
    recent: new Map(),
    said: /** @type {string[]} */ ([]),
    split: {
      _id: 'x:app.c',
      planId: 'x',
      source: 'app.c',
      mode: 'online',
      from: { db: 'app', name: 'c', renamedTo: 'c__aside_x' },
      into: { db: 'app2', name: 'c', stagingName: 'c__tune_x' },
      sourceUuid: UUID,
      stagingUuid: null,
      documents: 3,
      copied: 0,
      copiedTo: null,
      phase: 'indexing',
      startAt: Timestamp.fromBits(0, 1),
    },
    say: (/** @type {string} */ text) => job.said.push(text),
    throwIfInterrupted: () => {},
    again: (/** @type {() => Promise<any>} */ doIt) => doIt(),
    write: (/** @type {() => Promise<any>} */ doIt) => doIt(),
    save: async (/** @type {any} */ changes) => {
      Object.assign(job.split, changes);
    },
    ...more,
  };
  return Object.setPrototypeOf(job, SplitJob.prototype);
}

const UUID = 'aaaaaaaa-0000-4000-8000-000000000000';
const DIRECTION = Object.freeze({
  way: 'forward',
  from: { db: 'app', name: 'c', renamedTo: 'c__aside_x', uuid: UUID },
  to: { db: 'app2', name: 'c', stagingName: 'c__tune_x', uuid: null },
  reads: 'refused',
  undoneCuts: [],
});
/** @param {number} code */
const failed = (code) =>
  Object.assign(new Error(`error ${code}`), { name: 'MongoServerError', code });
/** As listCollections has the source. */
const listed = (/** @type {any} */ more) => ({
  cursor: {
    firstBatch: [{ name: 'c', type: 'collection', info: { uuid: UUID }, options: {}, ...more }],
  },
});
const NONE = Object.freeze({ cursor: { firstBatch: [] } });
/** @param {any[]} documents */
const cursorOf = (documents) => ({
  tryNext: async () => documents.shift() ?? null,
  toArray: async () => documents,
  close: async () => {},
});

module.exports = {
  idBytes,
  valueOf,
  valuesIn,
  workOf,
  DIRECTION,
  UUID,
  failed,
  listed,
  NONE,
  cursorOf,
};
