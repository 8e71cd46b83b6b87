'use strict';

const { visible } = require('../base/pure/printable');

/** Columns that every screen has, and those beyond which a line is hard to read. */
const MIN = 80;
const MAX = 120;

/** This is called at every print, because a window can be resized. */
let columns = () => MIN;

/** @returns {number} columns that a text may fill */
const screenWidth = () => Math.max(MIN, Math.min(MAX, columns()));

/**
 * Sets the function that reports the columns of the terminal.
 * @param {() => number} ask
 */
function useColumns(ask) {
  columns = ask;
}

/**
 * Draws for a screen of that width.
 * @template T
 * @param {number} width
 * @param {() => T} draw
 * @returns {T}
 */
function atWidth(width, draw) {
  const before = columns;
  columns = () => width;
  try {
    return draw();
  } finally {
    columns = before;
  }
}

/** Units that stay with the number before them. */
const UNIT = /^(?:[KMGT]i?B|B|ms|s|min|h|d|years?|CPUs?)(?:\/s)?[).,;:]*$/;
const NUMBER = /\d[\d,.]*$/;

/** A call in a sentence, short enough to stay on a line. */
const CALL = /(tune\.[\w.]+\([^()]{0,45}\))/;

/**
 * Broken at blanks, but not inside such a call.
 * @param {string} text
 * @returns {string[]}
 */
function piecesIn(text) {
  const pieces = [''];
  for (const [i, part] of text.split(CALL).entries()) {
    const [first, ...more] = i % 2 === 1 ? [part] : part.split(' ');
    pieces[pieces.length - 1] += first;
    pieces.push(...more);
  }
  return pieces;
}

/**
 * The words of a text; a number and its unit are one, and a short call.
 * @param {string} text
 * @returns {string[]}
 */
function wordsIn(text) {
  /** @type {string[]} */
  const words = [];
  for (const word of piecesIn(text)) {
    const before = words[words.length - 1];
    if (before !== undefined && UNIT.test(word) && NUMBER.test(before))
      words[words.length - 1] = `${before} ${word}`;
    else words.push(word);
  }
  return words;
}

/**
 * Breaks a text into lines between its words; a word longer than a line stays whole. Control
 * characters are written out.
 * @param {string} text
 * @param {string} indent of every line
 * @param {string} [first] indent of the first line, such as a bullet
 * @returns {string[]}
 */
function wrap(text, indent, first = indent) {
  const lines = [first];
  const width = screenWidth();
  for (const word of wordsIn(visible(text))) {
    const line = lines[lines.length - 1];
    const begun = lines.length === 1 ? line !== first : line !== indent;
    if (begun && line.length + 1 + word.length > width) lines.push(indent + word);
    else lines[lines.length - 1] = begun ? `${line} ${word}` : line + word;
  }
  return lines;
}

/**
 * Breaks a command into lines that can be copied back: only at blanks inside brackets, where a
 * shell waits for the rest, and never inside a string. Inner brackets stay whole where they fit.
 * @param {string} code on one line
 * @param {string} indent of every line; further ones go two deeper
 * @returns {string[]}
 */
function codeLines(code, indent) {
  const width = screenWidth();
  const fit = width - indent.length - DEEPER;
  const [first, ...pieces] = piecesOf(visible(code)).flatMap((piece) =>
    piece.length > fit ? piecesOf(piece, Infinity) : [piece],
  );
  const lines = [indent + first];
  for (const piece of pieces) {
    const line = lines[lines.length - 1];
    if (line.length + 1 + piece.length > width) lines.push(`${indent}  ${piece}`);
    else lines[lines.length - 1] = `${line} ${piece}`;
  }
  return lines;
}

/**
 * The parts of a command that must each stay on one line, without the blanks between them.
 * @param {string} code
 * @param {number} [deepest] brackets inside so many others stay whole
 * @returns {string[]}
 */
function piecesOf(code, deepest = 1) {
  const pieces = [''];
  let depth = 0;
  // Strings as a whole, then single characters.
  for (const [part] of code.matchAll(/"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|[^]/g)) {
    if ('([{'.includes(part)) depth += 1;
    if (')]}'.includes(part)) depth -= 1;
    // A line break after `return` would end the statement.
    const breaks =
      part === ' ' && depth > 0 && depth <= deepest && !/\breturn$/.test(pieces[pieces.length - 1]);
    if (breaks) pieces.push('');
    else pieces[pieces.length - 1] += part;
  }
  return pieces;
}

/**
 * A command after a label; further lines are indented to its beginning.
 * @param {string} label @param {string} code @param {(line: string) => string} paint
 * @returns {string[]}
 */
function labelled(label, code, paint) {
  const indent = ' '.repeat(label.length);
  return codeLines(code, indent).map(
    (line, i) => (i === 0 ? label : indent) + paint(line.slice(indent.length)),
  );
}

/** A colour begins or ends: a control sequence of no width. */
const COLOUR = /\p{Cc}\[[\d;]*m/uy;
const COLOURS = new RegExp(COLOUR.source, 'gu');
/** Columns by which the rest of a broken line is indented further. */
const DEEPER = 2;

/**
 * Breaks lines that are longer than the screen between their words, after all else that prints. A
 * string in double quotes stays whole: it may be part of a command to copy. A broken comment
 * continues as a comment.
 * @param {string} text with or without colours
 * @returns {string}
 */
const fold = (text) =>
  text
    .split('\n')
    .flatMap((line) => (line.length > screenWidth() ? foldLine(line) : [line]))
    .join('\n');

/** Breaks one line. @param {string} line @returns {string[]} */
function foldLine(line) {
  // A colour may begin before the blanks. YAML that continued left of where it began would mean
  // something else.
  const plain = line.replace(COLOURS, '');
  const blanks = plain.slice(0, Math.min(plain.search(/[^ ]/), screenWidth() / 2));
  const indent = blanks + (plain.trimStart().startsWith('# ') ? '# ' : ' '.repeat(DEEPER));
  const limit = screenWidth();
  const lines = [''];
  let columns = 0;
  for (const { text, width } of wordsOf(line)) {
    const begun = lines[lines.length - 1].trim() !== '';
    if (begun && columns + width > limit && text.trim() !== '') {
      lines[lines.length - 1] = lines[lines.length - 1].trimEnd();
      lines.push(indent);
      columns = indent.length;
    }
    lines[lines.length - 1] += text;
    columns += width;
  }
  return lines;
}

/**
 * Words and the blanks between them, with their widths in columns.
 * @param {string} line
 * @returns {{ text: string, width: number }[]}
 */
function wordsOf(line) {
  const parts = [{ text: '', width: 0, blank: false }];
  const paired = line.split('"').length % 2 === 1;
  let quoted = false;
  for (let at = 0; at < line.length;) {
    COLOUR.lastIndex = at;
    const piece = COLOUR.exec(line)?.[0] ?? line[at];
    if (piece === '"') quoted = paired && !quoted;
    const blank = piece === ' ' && !quoted;
    if (piece.length === 1 && blank !== parts[parts.length - 1].blank)
      parts.push({ text: '', width: 0, blank });
    const part = parts[parts.length - 1];
    part.text += piece;
    part.width += piece.length === 1 ? 1 : 0;
    at += piece.length;
  }
  return withUnits(parts);
}

/**
 * A number, the blank and the unit behind it become one word.
 * @param {{ text: string, width: number, blank: boolean }[]} parts words and blanks in turn
 */
function withUnits(parts) {
  /** @type {typeof parts} */
  const joined = [];
  for (const part of parts) {
    const [number, blank] = joined.slice(-2);
    if (
      blank?.text === ' ' &&
      UNIT.test(part.text.replace(COLOURS, '')) &&
      NUMBER.test(number.text.replace(COLOURS, ''))
    ) {
      joined.splice(-2, 2, {
        text: `${number.text} ${part.text}`,
        width: number.width + 1 + part.width,
        blank: false,
      });
    } else joined.push(part);
  }
  return joined;
}

module.exports = { wrap, codeLines, labelled, fold, screenWidth, useColumns, atWidth, MIN };
