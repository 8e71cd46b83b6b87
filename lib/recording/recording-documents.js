'use strict';

const { MiB } = require('../base/pure/units');
const { readLines } = require('./recording-lines');

/**
 * @import { Piece } from './recording-lines'
 */

/**
 * The documents of a text: one a line, or laid out over many lines, one after the other or in one
 * array, be that a single line; with whatever a shell or a logger wrote in between.
 *
 * @typedef {{ doc: unknown, lines: 1 } | { doc: undefined, lines: number }} Found `doc`: undefined
 *   for lines that are no document
 */

/** A server status laid out has a few megabytes at most. */
const LONGEST_DOCUMENT = 64 * MiB;
/** Lines that only hold a list together. */
const ONLY_LIST = /^[[\],\s\uFEFF]*$/;

/**
 * The documents of a recording, whole lines or lists.
 * @param {string} file
 * @param {(error: Error) => void} onDamage
 * @returns {AsyncGenerator<Found, void>}
 */
async function* readDocuments(file, onDamage) {
  const open = new OpenDocument();
  for await (const piece of readLines(file, onDamage)) {
    if (open.isTornBy(piece)) yield* open.giveUp();
    const whole = open.isOpen ? undefined : wholeOf(piece);
    if (whole !== undefined) yield { doc: whole, lines: 1 };
    else if (open.isOpen || !ONLY_LIST.test(piece.text)) yield* open.add(piece);
  }
  yield* open.giveUp();
}

/**
 * @param {Piece} piece
 * @returns {unknown} undefined for what is no whole document, or list of them
 */
function wholeOf({ text: line, isStart, isEnd }) {
  const text = line.trim().replace(/,$/, '');
  return isStart && isEnd && /^\uFEFF?[[{]/.test(text) && /[\]}]$/.test(text)
    ? parseDocument(text)
    : undefined;
}

/** A document that has begun and not ended. */
class OpenDocument {
  /** Its text so far, piece by piece. @type {string[]} */
  parts = [];
  depth = 0;
  lines = 0;
  characters = 0;
  indent = '';
  inString = false;

  /** @returns {boolean} */
  get isOpen() {
    return this.depth > 0;
  }

  /**
   * The lines within it are indented deeper than its first: a brace where that one has it begins
   * another.
   * @param {Piece} piece
   */
  isTornBy({ text, isStart }) {
    return this.isOpen && isStart && text.startsWith(`${this.indent}{`);
  }

  /** @param {Piece} piece @returns {Generator<Found, void>} what ends in it */
  *add({ text, isStart, isEnd }) {
    const isOurs = this.isOpen || text.includes('{');
    this.lines += isStart ? 1 : 0;
    const from = yield* this.addBraces(text, isStart);
    if (this.isOpen) this.keep(`${text.slice(from)}${isEnd ? '\n' : ''}`);
    else if (!isOurs && isStart) yield { doc: undefined, lines: 1 };
    if (isEnd) this.inString = false;
    if (this.characters > LONGEST_DOCUMENT) yield* this.giveUp();
  }

  /**
   * @param {string} text
   * @param {boolean} isStart
   * @returns {Generator<Found, number>} where what is open at its end begins
   */
  *addBraces(text, isStart) {
    let from = 0;
    for (const { at, step } of this.bracesOf(text)) {
      this.depth += step;
      if (step > 0 && this.depth === 1) {
        this.begin(text, isStart && from === 0);
        from = at;
      } else if (this.depth === 0) yield this.whole(text.slice(from, at + 1));
    }
    return from;
  }

  /** @param {string} text @param {boolean} isFirst of its line */
  begin(text, isFirst) {
    Object.assign(this, {
      parts: [],
      lines: 1,
      characters: 0,
      indent: isFirst ? text.slice(0, text.search(/\S/)) : '',
    });
  }

  /** @param {string} text */
  keep(text) {
    this.parts.push(text);
    this.characters += text.length;
  }

  /** @param {string} end @returns {Found} */
  whole(end) {
    const doc = parseDocument([...this.parts, end].join(''));
    const found =
      doc === undefined ? { doc, lines: this.lines } : { doc, lines: /** @type {1} */ (1) };
    Object.assign(this, { parts: [], characters: 0 });
    return found;
  }

  /** @returns {Generator<Found, void>} */
  *giveUp() {
    if (this.isOpen) yield { doc: undefined, lines: this.lines };
    Object.assign(this, { parts: [], depth: 0, characters: 0, inString: false });
  }

  /**
   * Braces outside of strings; outside of documents a quote means nothing.
   * @param {string} text
   * @returns {Generator<{ at: number, step: 1 | -1 }, void>}
   */
  *bracesOf(text) {
    let at = 0;
    while (at < text.length) {
      const next = this.inString
        ? endOfString(text, at)
        : nextOf(text, at, this.isOpen ? MARK : OPENING);
      if (next < 0) return;
      const found = text[next];
      if (found === '"') this.inString = !this.inString;
      else yield { at: next, step: found === '{' ? 1 : -1 };
      at = next + 1;
    }
  }
}

const OPENING = /\{/g;
const MARK = /["{}]/g;
const QUOTE_OR_ESCAPE = /["\\]/g;

/**
 * @param {string} text
 * @param {number} from
 * @param {RegExp} what
 * @returns {number} -1: there is none
 */
function nextOf(text, from, what) {
  what.lastIndex = from;
  return what.exec(text)?.index ?? -1;
}

/**
 * @param {string} text
 * @param {number} from inside of a string
 * @returns {number} where its closing quote is; -1: it goes on
 */
function endOfString(text, from) {
  let at = nextOf(text, from, QUOTE_OR_ESCAPE);
  while (at >= 0 && text[at] === '\\') at = nextOf(text, at + 2, QUOTE_OR_ESCAPE);
  return at;
}

/**
 * A document as extended JSON, as JSON.stringify writes it, or as the shell of 4.4 and before
 * prints it: JSON but for a few constructors, such as NumberLong(5) and ISODate("…").
 */

const BYTE_ORDER_MARK = /^\uFEFF/;
const STRING = '"[^"\\\\]*(?:\\\\.[^"\\\\]*)*"';
/**
 * Strings go first, so that what they hold stays as it is; one without an end goes to the end, and
 * is not begun again in its middle.
 */
const FORMS = new RegExp(
  `${STRING}?|\\b(?:new\\s+)?([A-Z]\\w*)\\(([^()"]*(?:${STRING}[^()"]*)*)\\)|-?\\b(?:undefined|NaN|Infinity)\\b`,
  'g',
);
const FIRST_STRING = new RegExp(`^${STRING}`);
const NUMBERS = /^(?:Number)?(?:Long|Int|Int32|Decimal|Decimal128|Double)$/;
const TEXTS = /^(?:ISODate|Date|ObjectId|UUID)$/;
const NUMBER = /^-?\d+(?:\.\d+)?(?:e[+-]?\d+)?$/i;

/**
 * Parses JSON, extended JSON, or what a shell prints.
 * @param {string} text
 * @returns {unknown} undefined for what is no document
 */
function parseDocument(text) {
  const json = text.replace(BYTE_ORDER_MARK, '');
  return tryJson(() => json) ?? tryJson(() => json.replace(FORMS, asJson));
}

/**
 * @param {string} found
 * @param {string | undefined} name
 * @param {string} content between the brackets
 */
function asJson(found, name, content) {
  if (found.startsWith('"')) return found;
  const value = content?.trim() ?? '';
  if (name === undefined) return 'null';
  if (NUMBERS.test(name)) return numberOr(value.replace(/"/g, '').trim(), (number) => number);
  if (!TEXTS.test(name)) return 'null';
  return FIRST_STRING.exec(value)?.[0] ?? numberOr(value, (ms) => `{"$date":${ms}}`);
}

/** @param {string} value @param {(number: string) => string} use */
const numberOr = (value, use) => (NUMBER.test(value) ? use(value) : 'null');

/**
 * @param {() => string} jsonOf fails, too, where there is a string of many megabytes
 * @returns {unknown}
 */
function tryJson(jsonOf) {
  try {
    return JSON.parse(jsonOf()) ?? undefined;
  } catch (_noJson) {
    return undefined;
  }
}

module.exports = { readDocuments, parseDocument };
