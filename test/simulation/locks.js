'use strict';

/**
 * The global lock, as far as it matters: an open transaction has a part of it, a step of several
 * operations wants it whole, and whoever comes after one that waits for the whole waits behind it.
 */
class Locks {
  constructor() {
    /** @type {Set<any>} */ this.transactions = new Set();
    /** @type {any[]} */ this.queue = [];
  }

  /** @param {any} op @param {boolean} whole @param {() => void} go */
  take(op, whole, go) {
    // Whoever has a part already takes more of it.
    if (op.transaction && this.transactions.has(op.transaction)) return void go();
    if (this.queue.length === 0 && !(whole && this.transactions.size > 0)) return void go();
    op.waitsForLock = true;
    this.queue.push({ op, whole, go });
  }

  /** @param {any} op gives up */
  leave(op) {
    if (!op.waitsForLock) return;
    op.waitsForLock = false;
    this.queue = this.queue.filter((one) => one.op !== op);
    this.pump();
  }

  /** @param {any} transaction is over */
  end(transaction) {
    if (this.transactions.delete(transaction)) this.pump();
  }

  pump() {
    while (this.queue.length > 0) {
      const [{ op, whole, go }] = this.queue;
      if (whole && this.transactions.size > 0) return;
      this.queue.shift();
      op.waitsForLock = false;
      go();
    }
  }
}

module.exports = { Locks };
