'use strict';

const net = require('node:net');
const { BSON } = require('mongodb');

/** Bytes that no driver writes: BSON made by hand, and a client that sends it as it is. */

/** @param {number} type @param {string | Buffer} name @param {Buffer} [value] */
const element = (type, name, value = Buffer.alloc(0)) =>
  Buffer.concat([Buffer.from([type]), Buffer.from(name), Buffer.from([0]), value]);
/** @param {...Buffer} elements */
function document(...elements) {
  const all = Buffer.concat([Buffer.alloc(4), ...elements, Buffer.from([0])]);
  all.writeInt32LE(all.length);
  return all;
}
const int32 = (/** @type {number} */ n) => {
  const bytes = Buffer.alloc(4);
  bytes.writeInt32LE(n);
  return bytes;
};
const int64 = (/** @type {bigint} */ n) => {
  const bytes = Buffer.alloc(8);
  bytes.writeBigInt64LE(n);
  return bytes;
};
/** @param {string | Buffer} value as UTF-8, or bytes that are none */
const string = (value) => {
  const bytes = Buffer.from(value);
  return Buffer.concat([int32(bytes.length + 1), bytes, Buffer.from([0])]);
};
/** @param {number} subtype @param {Buffer} bytes */
const binary = (subtype, bytes) =>
  Buffer.concat([int32(bytes.length), Buffer.from([subtype]), bytes]);
/** An element of what the driver can write. @param {string} name @param {any} value */
const plain = (name, value) => Buffer.from(BSON.serialize({ [name]: value }).subarray(4, -1));

const OP_MSG = 2013;

/** @param {object} body @param {string} field @param {readonly Buffer[]} documents */
function message(body, field, documents) {
  const sequence = Buffer.concat([Buffer.from(`${field}\0`), ...documents]);
  const parts = [
    int32(0),
    Buffer.from([0]),
    Buffer.from(BSON.serialize(body)),
    Buffer.from([1]),
    int32(4 + sequence.length),
    sequence,
  ];
  const payload = Buffer.concat(parts);
  return Buffer.concat([int32(16 + payload.length), int32(1), int32(0), int32(OP_MSG), payload]);
}

/**
 * Sends one command whose documents are bytes.
 * @param {number} port
 * @param {object} body
 * @param {string} field
 * @param {readonly Buffer[]} documents
 * @returns {Promise<any>} the reply
 */
function sendRaw(port, body, field, documents) {
  return new Promise((resolve, reject) => {
    const socket = net.connect(port, '127.0.0.1', () =>
      socket.write(message(body, field, documents)),
    );
    let got = Buffer.alloc(0);
    socket.on('error', reject);
    socket.on('data', (some) => {
      got = Buffer.concat([got, some]);
      if (got.length < 4 || got.length < got.readInt32LE(0)) return;
      socket.destroy();
      const answer = BSON.deserialize(got.subarray(21));
      const fault = answer.ok ? answer.writeErrors?.[0] : answer;
      if (fault) reject(Object.assign(new Error(fault.errmsg), { code: fault.code }));
      else resolve(answer);
    });
  });
}

/**
 * @param {number} port
 * @param {string} db
 * @param {string} collection
 * @param {readonly Buffer[]} documents
 */
const insertRaw = (port, db, collection, documents) =>
  sendRaw(port, { insert: collection, $db: db }, 'documents', documents);
/**
 * @param {number} port @param {string} db @param {string} collection
 * @param {readonly Buffer[]} updates documents of the form { q, u }
 */
const updateRaw = (port, db, collection, updates) =>
  sendRaw(port, { update: collection, $db: db }, 'updates', updates);

module.exports = { element, document, int32, int64, string, binary, plain, insertRaw, updateRaw };
