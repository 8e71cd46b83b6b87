'use strict';

/**
 * The wire protocol of MongoDB, as far as a proxy must read it: where a message ends, and which
 * command it is.
 */
const { deserialize } = require('bson');

const HEADER_BYTES = 16;
const OP_QUERY = 2004;
const OP_MSG = 2013;
/** A larger one holds documents, and no command that a proxy waits for. */
const LARGEST_READ_BYTES = 1_000_000;

/**
 * @typedef {{ bytes: Buffer, id: number, answers: number, command(): Record<string, any> | null }}
 *   Message `answers`:
 *   the id of the message that it answers; `command`: null where it holds none
 */

/**
 * Whole messages out of pieces.
 * @param {(message: Message) => void} take
 * @returns {(piece: Buffer) => void}
 */
function messagesOf(take) {
  let rest = Buffer.alloc(0);
  return (piece) => {
    rest = rest.length === 0 ? piece : Buffer.concat([rest, piece]);
    while (rest.length >= HEADER_BYTES && rest.length >= rest.readInt32LE(0)) {
      const bytes = rest.subarray(0, rest.readInt32LE(0));
      rest = rest.subarray(bytes.length);
      take({
        bytes,
        id: bytes.readInt32LE(4),
        answers: bytes.readInt32LE(8),
        command: () => commandIn(bytes),
      });
    }
  };
}

/** @param {Buffer} bytes */
function commandIn(bytes) {
  const code = bytes.readInt32LE(12);
  if (bytes.length > LARGEST_READ_BYTES) return null;
  // The first message of a connection, which tells who it is.
  if (code === OP_QUERY) return documentAt(bytes, bytes.indexOf(0, HEADER_BYTES + 4) + 1 + 8);
  // Behind its flags the section of kind 0 holds the command.
  return code === OP_MSG && bytes[HEADER_BYTES + 4] === 0
    ? documentAt(bytes, HEADER_BYTES + 5)
    : null;
}

/** @param {Buffer} bytes @param {number} at */
const documentAt = (bytes, at) =>
  deserialize(bytes.subarray(at, at + bytes.readInt32LE(at)), { promoteBuffers: false });

module.exports = { messagesOf };
