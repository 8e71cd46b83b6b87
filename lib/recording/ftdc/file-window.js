'use strict';

/**
 * @import { FileHandle } from 'node:fs/promises'
 */

/**
 * A file seen through a buffer that moves along: memory is bounded by the longest document, not by
 * the file.
 */

const BLOCK_BYTES = 2 ** 20;

class FileWindow {
  /** @param {FileHandle} handle */
  constructor(handle) {
    this.handle = handle;
    this.buffer = Buffer.allocUnsafe(BLOCK_BYTES);
    this.start = 0;
    this.end = 0;
    this.isOver = false;
  }

  /** What has been read and not yet passed; valid until the next `need`. @returns {Buffer} */
  get bytes() {
    return this.buffer.subarray(this.start, this.end);
  }

  /** @param {number} count bytes to leave behind */
  pass(count) {
    this.start += count;
  }

  /**
   * @param {number} count
   * @returns {Promise<boolean>} whether so many bytes are in view; false only at the end of the
   *   file
   */
  async need(count) {
    while (this.end - this.start < count && !this.isOver) {
      this.makeRoom(count);
      const { bytesRead } = await this.handle.read(
        this.buffer,
        this.end,
        this.buffer.length - this.end,
        null,
      );
      this.end += bytesRead;
      this.isOver = bytesRead === 0;
    }
    return this.end - this.start >= count;
  }

  /** @param {number} count */
  makeRoom(count) {
    if (this.start > 0 && this.buffer.length - this.start < Math.max(count, BLOCK_BYTES)) {
      this.buffer.copyWithin(0, this.start, this.end);
      this.end -= this.start;
      this.start = 0;
    }
    if (this.buffer.length >= Math.max(count, this.end + 1)) return;
    const larger = Buffer.allocUnsafe(Math.max(count, this.buffer.length * 2));
    this.buffer.copy(larger, 0, 0, this.end);
    this.buffer = larger;
  }
}

module.exports = { FileWindow };
