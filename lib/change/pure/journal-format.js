'use strict';

/**
 * The format of the journal, as the first line of each change has it. Lines of a release before that
 * field are of format 1. Within a format, fields may be added; a change of what a field means is a
 * new format.
 */
const JOURNAL_FORMAT = 1;

/**
 * The format that a line claims. What is no number comes from an editor, and is format 1.
 * @param {any} line parsed, of any shape
 * @returns {number}
 */
function formatOf(line) {
  const format = Math.floor(Number(line?.format ?? JOURNAL_FORMAT));
  return Number.isFinite(format) ? format : JOURNAL_FORMAT;
}

/** Whether only a later release can read it. @param {any} line */
const isOfLaterFormat = (line) => formatOf(line) > JOURNAL_FORMAT;

module.exports = { JOURNAL_FORMAT, formatOf, isOfLaterFormat };
