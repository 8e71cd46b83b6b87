'use strict';

const { Course } = require('./course');
const { Line } = require('./line');
const { stretchOf } = require('./stretch');

/**
 * An hour of one look a second is all there; a week has of each three minutes the least and the
 * most.
 */
const KEPT = 3600;

/**
 * The line behind a server that is looked at now, look after look, for as long as anybody likes.
 */
class Trail {
  /** @param {number} everySeconds between two looks; far more is a gap */
  constructor(everySeconds) {
    this.line = new Line(KEPT);
    this.course = new Course();
    this.course.usualSeconds = everySeconds;
    /** @type {import('../server/pure/sample').Sample | null} */
    this.last = null;
  }

  /** @param {import('../server/pure/sample').Sample} sample */
  add(sample) {
    const stretch = stretchOf([sample]);
    this.last = sample;
    this.line.add(stretch, 0, this.course.next(stretch, 0));
  }

  /**
   * @param {number} most stretches
   * @param {Record<string, number>} levels
   * @returns {import('./drawn').Drawn}
   */
  drawn(most, levels) {
    return this.line.drawn(most, levels, this.course.breaks);
  }
}

module.exports = { Trail };
