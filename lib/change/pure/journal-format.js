'use strict';

/**
 * The format of the journal, which the first line of each change has. Lines of a release before
 * that field are of format 1. Within a format, fields may be added; another meaning of a field is a
 * new format.
 */
const JOURNAL_FORMAT = 1;

/**
 * Returns the format that a line claims. A value that is no number comes from an editor, and means
 * format 1.
 * @param {any} line a parsed line of any shape
 * @returns {number}
 */
function formatOf(line) {
  const format = Math.floor(Number(line?.format ?? JOURNAL_FORMAT));
  return Number.isFinite(format) ? format : JOURNAL_FORMAT;
}

/** Says whether only a later release can read a line. @param {any} line */
const isOfLaterFormat = (line) => formatOf(line) > JOURNAL_FORMAT;

module.exports = { JOURNAL_FORMAT, formatOf, isOfLaterFormat };
