'use strict';

const { BSON } = require('mongodb');

/**
 * @import { Socket } from 'node:net'
 */

/**
 * Reads the parts of a reply that count. Commands go as OP_MSG of the wire protocol; the driver's
 * BSON library parses replies without making objects of documents that are not used.
 * @typedef {{ ok: true, found: boolean | null } | { ok: false, code: number | string, message:
 *   string }} Reply `found`: whether a query found a document; null: the command was no query
 */

const HEADER_BYTES = 16;
const OP_MSG = 2013;
/** The body begins after the header, the flags and the kind of the first section. */
const BODY_AT = 21;
const SMALLEST_ARRAY_BYTES = 5;
const ARRAY = 4;
const DOUBLE = 1;

/**
 * @param {Record<string, unknown>} command the command with its $db
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
    const field = FIELDS_BY_LENGTH.get(nameLength);
    if (field && isNamed(message, nameAt, field.name))
      field.take(seen, { message, type, at, length });
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
/** Fields by the length of their names: most are skipped without comparing names. */
const FIELDS_BY_LENGTH = new Map(FIELDS.map((field) => [field.name.length, field]));

/** @param {Buffer} message @param {number} at @param {string} name */
function isNamed(message, at, name) {
  for (let i = 0; i < name.length; i++) if (message[at + i] !== name.charCodeAt(i)) return false;
  return true;
}

/** @param {Buffer} message @param {number} at the offset of the cursor */
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

/**
 * One connection with one command in flight at a time, as a thread has with a driver. The driver
 * opens, encrypts and authenticates it. The driver's own path through sessions, server selection,
 * pools and promises would take several times the CPU time of the operation itself
 * (docs/dev/decisions/0005).
 */

const LENGTH_BYTES = 4;

class Lane {
  /**
   * @param {Socket} socket
   * @param {{
   *   replied(lane: Lane, message: Buffer): void, lost(lane: Lane, error: Error | null): void
   * }} owner
   */
  constructor(socket, owner) {
    this.socket = socket;
    this.owner = owner;
    /** @type {Buffer[]} */ this.parts = [];
    this.have = 0;
    this.open = true;
    socket.on('data', (chunk) => this.take(chunk));
    socket.on('error', (error) => this.lose(error));
    socket.on('close', () => this.lose(null));
  }

  /** @param {Buffer} message */
  send(message) {
    this.socket.write(message);
  }

  /** Takes a piece of a reply; most replies come in one piece. @param {Buffer} chunk */
  take(chunk) {
    if (this.parts.length === 0 && isWhole(chunk, chunk.length))
      return void this.owner.replied(this, chunk);
    this.parts.push(chunk);
    this.have += chunk.length;
    if (this.have < LENGTH_BYTES) return;
    if (this.parts[0].length < LENGTH_BYTES) this.parts = [Buffer.concat(this.parts)];
    if (!isWhole(this.parts[0], this.have)) return;
    const message = Buffer.concat(this.parts);
    [this.parts, this.have] = [[], 0];
    this.owner.replied(this, message);
  }

  /** @param {Error | null} error */
  lose(error) {
    if (!this.open) return;
    this.open = false;
    this.owner.lost(this, error);
  }

  close() {
    this.open = false;
    this.socket.destroy();
  }
}

/**
 * @param {Buffer} first the first piece of the message
 * @param {number} have how many bytes have arrived
 */
const isWhole = (first, have) => first.length >= LENGTH_BYTES && first.readInt32LE(0) <= have;

module.exports = { encode, inspect, Lane };
