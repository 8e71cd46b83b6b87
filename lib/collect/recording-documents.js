'use strict';

const { readLines } = require('./recording-lines');
const { parseDocument } = require('./parse-document');

/**
 * The documents of a text: one a line, or laid out over many lines, one after the other or in one array; with whatever a shell
 * or a logger wrote in between.
 *
 * @typedef {{ doc: unknown, lines: 1 } | { doc: undefined, lines: number }} Found `doc`: undefined for lines that are no document
 */

/** A server status laid out has a few megabytes at most. */
const LONGEST_DOCUMENT = 64 * 2 ** 20;
/** Lines that only hold a list together. */
const ONLY_LIST = /^[[\],\s\uFEFF]*$/;

/** @param {string} file @param {(error: Error) => void} onDamage @returns {AsyncGenerator<Found, void>} */
async function* readDocuments(file, onDamage) {
  const open = new OpenDocument();
  for await (const line of readLines(file, onDamage)) {
    if (open.isTornBy(line)) yield* open.giveUp();
    const whole = open.isOpen ? undefined : wholeOf(line);
    if (whole !== undefined) yield { doc: whole, lines: 1 };
    else if (open.isOpen || !ONLY_LIST.test(line)) yield* open.add(line);
  }
  yield* open.giveUp();
}

/** @param {string} line @returns {unknown} undefined for what is no whole document, or list of them */
function wholeOf(line) {
  const text = line.trim().replace(/,$/, '');
  return /^\uFEFF?[[{]/.test(text) && /[\]}]$/.test(text) ? parseDocument(text) : undefined;
}

/** One that has begun and not ended. */
class OpenDocument {
  /** What there is of it, line by line. @type {string[]} */
  parts = [];
  depth = 0;
  lines = 0;
  bytes = 0;
  indent = '';

  /** @returns {boolean} */
  get isOpen() {
    return this.depth > 0;
  }

  /** The lines within it are indented deeper than its first: a brace where that one has it begins another. @param {string} line */
  isTornBy(line) {
    return this.isOpen && line.startsWith(`${this.indent}{`);
  }

  /** @param {string} line @returns {Generator<Found, void>} what ends in it */
  *add(line) {
    if (!this.isOpen && !line.includes('{')) return yield { doc: undefined, lines: 1 };
    if (!this.isOpen) this.begin(line);
    this.lines++;
    this.bytes += line.length;
    let from = this.parts.length > 0 ? 0 : line.indexOf('{');
    for (const { at, depth } of bracesOf(line, from, this.depth)) {
      this.depth = depth;
      if (depth > 0) continue;
      yield this.whole(line.slice(from, at + 1));
      from = at + 1;
    }
    if (this.isOpen) this.parts.push(line.slice(from));
    if (this.bytes > LONGEST_DOCUMENT) yield* this.giveUp();
  }

  /** @param {string} line */
  begin(line) {
    Object.assign(this, { parts: [], depth: 0, lines: 0, bytes: 0, indent: line.slice(0, line.search(/\S/)) });
  }

  /** @param {string} end @returns {Found} */
  whole(end) {
    const doc = parseDocument([...this.parts, end].join('\n'));
    const found = doc === undefined ? { doc, lines: this.lines } : { doc, lines: /** @type {1} */ (1) };
    this.parts = [];
    return found;
  }

  /** @returns {Generator<Found, void>} */
  *giveUp() {
    if (this.isOpen) yield { doc: undefined, lines: this.lines };
    this.depth = 0;
  }
}

const STRING_OR_BRACE = /"(?:[^"\\]|\\.)*"?|[{}]/g;

/**
 * @param {string} line @param {number} from @param {number} depth before it
 * @returns {Generator<{ at: number, depth: number }, void>} each brace outside of strings, and how deep it is behind it
 */
function* bracesOf(line, from, depth) {
  for (const { 0: found, index } of line.slice(from).matchAll(STRING_OR_BRACE)) {
    if (found !== '{' && found !== '}') continue;
    if (found === '}' && depth === 0) continue;
    depth += found === '{' ? 1 : -1;
    yield { at: from + index, depth };
  }
}

module.exports = { readDocuments };
