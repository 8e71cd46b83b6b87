'use strict';

/**
 * @import { Socket } from 'node:net'
 */

/**
 * One connection on which one message after the other is sent, each when the reply to the one
 * before has come: what a thread is to a driver. The driver has opened, encrypted and authenticated
 * it; its own way through sessions, server selection, pools and promises takes several times the
 * processor time of the operation itself (docs/decisions/0005).
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

  /** A reply mostly comes in one piece. @param {Buffer} chunk */
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

/** @param {Buffer} first piece of the message @param {number} have bytes of it */
const isWhole = (first, have) => first.length >= LENGTH_BYTES && first.readInt32LE(0) <= have;

module.exports = { Lane };
