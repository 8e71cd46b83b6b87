'use strict';

/**
 * @import { Histogram } from 'hdr-histogram-js'
 */

/** Three figures are finer than the noise of any latency, in 100 kB a kind of operation. */
const DIGITS = 3;
const LONGEST_MICROS = 3600e6;
/**
 * So that those of several processes can be added: all are of one make.
 * @returns {Histogram} of microseconds
 */
const makeHistogram = () =>
  require('hdr-histogram-js').build({
    lowestDiscernibleValue: 1,
    highestTrackableValue: LONGEST_MICROS,
    numberOfSignificantValueDigits: DIGITS,
  });

module.exports = { makeHistogram, LONGEST_MICROS };
