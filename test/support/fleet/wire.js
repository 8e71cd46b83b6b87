'use strict';

const { serialize, deserialize } = require('bson');

/**
 * MongoDB's wire protocol, as far as a driver needs it that looks at a server: OP_MSG, and OP_QUERY
 * for the first greeting (MongoDB manual, "MongoDB Wire Protocol"). No compression, no checksums,
 * no document sequences.
 */

const OP_REPLY = 1;
const OP_QUERY = 2004;
const OP_MSG = 2013;
const HEADER_BYTES = 16;
/** More than any question has. */
const MAX_BYTES = 2 ** 20;

/**
 * @param {(request: { id: number, opCode: number, command: any }) => void} onRequest
 * @returns {(chunk: Buffer) => void} takes what comes, in whatever pieces
 */
function reader(onRequest) {
  let rest = Buffer.alloc(0);
  return (chunk) => {
    rest = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
    while (rest.length >= HEADER_BYTES) {
      const length = rest.readInt32LE(0);
      if (length < HEADER_BYTES || length > MAX_BYTES)
        throw new Error(`a message of ${length} bytes`);
      if (rest.length < length) return;
      const message = rest.subarray(0, length);
      rest = rest.subarray(length);
      onRequest({
        id: message.readInt32LE(4),
        opCode: message.readInt32LE(12),
        command: commandIn(message),
      });
    }
  };
}

/** @param {Buffer} message */
function commandIn(message) {
  const opCode = message.readInt32LE(12);
  if (opCode === OP_MSG && message[20] === 0)
    return deserialize(message.subarray(21, 21 + message.readInt32LE(21)));
  if (opCode !== OP_QUERY) throw new Error(`cannot read a message of kind ${opCode}`);
  const at = message.indexOf(0, HEADER_BYTES + 4) + 9;
  return deserialize(message.subarray(at, at + message.readInt32LE(at)));
}

/** @param {{ id: number, opCode: number }} request @param {object} answer @returns {Buffer} */
function reply({ id, opCode }, answer) {
  const body = serialize(answer);
  // OP_MSG: no flags, one body. OP_REPLY: no flags, no cursor, from 0, one document.
  const middle = opCode === OP_MSG ? Buffer.alloc(5) : Buffer.alloc(20);
  if (opCode === OP_QUERY) middle.writeInt32LE(1, 16);
  const header = Buffer.alloc(HEADER_BYTES);
  header.writeInt32LE(HEADER_BYTES + middle.length + body.length, 0);
  header.writeInt32LE(id, 8);
  header.writeInt32LE(opCode === OP_MSG ? OP_MSG : OP_REPLY, 12);
  return Buffer.concat([header, middle, body]);
}

module.exports = { reader, reply };
