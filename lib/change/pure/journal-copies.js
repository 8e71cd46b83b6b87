'use strict';

/**
 * @import { JournalLine } from './journal'
 */

/**
 * Removes lines that the journal has twice: a file made of two copies has them, and so has one that
 * was cut during a change, for all lines of the change were written again behind those that it
 * kept.
 */

/**
 * @param {readonly JournalLine[]} lines
 * @returns {readonly JournalLine[]} each line once, those of an entry in the order in which they
 *   were made
 */
function withoutCopies(lines) {
  const begun = lines.flatMap(({ kind, id }) => (kind === 'intent' ? [id] : []));
  if (new Set(begun).size === begun.length) return lines;
  const inOrder = new Map([...copiesOf(lines)].map(([id, copies]) => [id, merged(copies)]));
  const said = new Set();
  return lines.flatMap((line) => {
    const text = JSON.stringify(line);
    if (said.has(text)) return [];
    said.add(text);
    return inOrder.get(line.id)?.shift() ?? [];
  });
}

/**
 * @param {readonly JournalLine[]} lines
 * @returns {Map<string, JournalLine[][]>} the copies of each entry, which begin with its intent
 */
function copiesOf(lines) {
  /** @type {Map<string, JournalLine[][]>} */
  const found = new Map();
  for (const line of lines) {
    const copies = found.get(line.id) ?? [];
    if (line.kind === 'intent' || copies.length === 0) copies.push([]);
    copies[copies.length - 1].push(line);
    found.set(line.id, copies);
  }
  return found;
}

/**
 * Merges copies of an entry: a line that an earlier copy lacks goes before the line that follows it
 * in its own copy.
 * @param {readonly JournalLine[][]} copies
 * @returns {JournalLine[]}
 */
function merged(copies) {
  /** @type {JournalLine[]} */
  const lines = [];
  const texts = /** @type {string[]} */ ([]);
  for (const copy of copies) {
    let at = lines.length;
    for (const line of copy.toReversed()) {
      const text = JSON.stringify(line);
      const known = texts.indexOf(text);
      if (known === -1) {
        lines.splice(at, 0, line);
        texts.splice(at, 0, text);
      } else at = known;
    }
  }
  return lines;
}

module.exports = { withoutCopies };
