'use strict';

/** Number of events that the server sends at once. */
const BATCH = 1000;
/**
 * Divisor of the next batch: MongoDB 6.0.5 ends the connection where a reply and its resume token
 * together exceed 16 MB, as with long ids.
 */
const FEWER = 10;
/** Number of batches after which the long ids may be over; heuristic. */
const BATCHES_UNTIL_FULL = 100;

/**
 * Chooses how many events a stream requests at once: fewer where a connection broke before the
 * first answer.
 */
class BatchSize {
  constructor() {
    this.size = BATCH;
    this.batches = 0;
  }

  /**
   * Notes a failure; a stream that broke after an answer may have met an election, which is no
   * reason for fewer.
   */
  failed() {
    if (this.batches === 0) this.size = Math.ceil(this.size / FEWER);
    this.batches = 0;
  }

  /** @param {boolean} isIdle no event is left @returns {boolean} whether to open the stream again, in full */
  isFullAgain(isIdle) {
    this.batches += 1;
    if (this.size === BATCH || !(isIdle || this.batches >= BATCHES_UNTIL_FULL)) return false;
    this.size = BATCH;
    this.batches = 0;
    return true;
  }
}

module.exports = { BATCH, BatchSize };
