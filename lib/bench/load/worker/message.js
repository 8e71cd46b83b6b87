'use strict';

const { BSON } = require('mongodb');

/**
 * Commands as they go over a connection (OP_MSG of the wire protocol), and what of a reply counts:
 * written and looked at by the driver's BSON library, without making objects of documents that
 * nobody looks at.
 * @typedef {{ ok: true, found: boolean | null } | { ok: false, code: number | string, message:
 *   string }} Reply `found`: a query
 *   answered with at least one document, null where it was none
 */

const HEADER_BYTES = 16;
const OP_MSG = 2013;
/** Header, flags, kind of the first section. */
const BODY_AT = 21;
const SMALLEST_ARRAY_BYTES = 5;
const ARRAY = 4;
const DOUBLE = 1;

/**
 * @param {Record<string, unknown>} command with its $db
 * @param {number} requestId
 * @returns {Buffer}
 */
function encode(command, requestId) {
  const body = BSON.serialize(command);
  const message = Buffer.allocUnsafe(BODY_AT + body.length);
  message.writeInt32LE(message.length, 0);
  message.writeInt32LE(requestId, 4);
  message.writeInt32LE(0, 8);
  message.writeInt32LE(OP_MSG, 12);
  message.writeInt32LE(0, HEADER_BYTES);
  message[BODY_AT - 1] = 0;
  message.set(body, BODY_AT);
  return message;
}

/** @param {Buffer} message whole @returns {Reply} */
function inspect(message) {
  /** @type {Seen} */
  const seen = { ok: false, found: null, wrong: false };
  for (const [type, nameAt, nameLength, at, length] of BSON.onDemand.parseToElements(
    message,
    BODY_AT,
  )) {
    const sample = SAMPLES.get(nameLength);
    if (sample && isNamed(message, nameAt, sample.name))
      sample.take(seen, { message, type, at, length });
  }
  return seen.ok && !seen.wrong ? { ok: true, found: seen.found } : refused(message);
}

/**
 * @typedef {{ ok: boolean, found: boolean | null, wrong: boolean }} Seen
 * @typedef {{ message: Buffer, type: number, at: number, length: number }} Field
 * @type {readonly { name: string, take(seen: Seen, field: Field): void }[]}
 */
const FIELDS = Object.freeze([
  {
    name: 'ok',
    take: (seen, { message, type, at }) => {
      seen.ok = type === DOUBLE ? message.readDoubleLE(at) === 1 : message[at] === 1;
    },
  },
  {
    name: 'cursor',
    take: (seen, { message, at }) => {
      seen.found = hasDocuments(message, at);
    },
  },
  {
    name: 'writeErrors',
    take: (seen, { length }) => {
      seen.wrong = length > SMALLEST_ARRAY_BYTES;
    },
  },
]);
/** By the length of the name: most fields are passed over without a look at it. */
const SAMPLES = new Map(FIELDS.map((field) => [field.name.length, field]));

/** @param {Buffer} message @param {number} at @param {string} name */
function isNamed(message, at, name) {
  for (let i = 0; i < name.length; i++) if (message[at + i] !== name.charCodeAt(i)) return false;
  return true;
}

/** @param {Buffer} message @param {number} at where the cursor begins */
const hasDocuments = (message, at) =>
  [...BSON.onDemand.parseToElements(message, at)].some(
    ([type, , , , length]) => type === ARRAY && length > SMALLEST_ARRAY_BYTES,
  );

/** @param {Buffer} message @returns {Reply} */
function refused(message) {
  const {
    code = 'unknown',
    errmsg,
    writeErrors: [first] = [],
  } = BSON.deserialize(message.subarray(BODY_AT));
  return { ok: false, code: first?.code ?? code, message: String(first?.errmsg ?? errmsg ?? '') };
}

module.exports = { encode, inspect };
