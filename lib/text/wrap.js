'use strict';

const { visible } = require('../base/pure/visible');

/** Columns of a terminal, unless it was made wider. */
const WIDTH = 80;

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
  for (const word of visible(text).split(' ')) {
    const line = lines[lines.length - 1];
    const begun = lines.length === 1 ? line !== first : line !== indent;
    if (begun && line.length + 1 + word.length > WIDTH) lines.push(indent + word);
    else lines[lines.length - 1] = begun ? `${line} ${word}` : line + word;
  }
  return lines;
}

/**
 * Breaks a command into lines that can be copied back: only at blanks inside brackets, where a
 * shell waits for the rest, and never inside a string.
 * @param {string} code on one line
 * @param {string} indent of every line; further ones go two deeper
 * @returns {string[]}
 */
function codeLines(code, indent) {
  const [first, ...pieces] = piecesOf(visible(code));
  const lines = [indent + first];
  for (const piece of pieces) {
    const line = lines[lines.length - 1];
    if (line.length + 1 + piece.length > WIDTH) lines.push(`${indent}  ${piece}`);
    else lines[lines.length - 1] = `${line} ${piece}`;
  }
  return lines;
}

/**
 * The parts of a command that must each stay on one line, without the blanks between them.
 * @param {string} code
 * @returns {string[]}
 */
function piecesOf(code) {
  const pieces = [''];
  let depth = 0;
  // Strings as a whole, then single characters.
  for (const [part] of code.matchAll(/"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|[^]/g)) {
    if ('([{'.includes(part)) depth += 1;
    if (')]}'.includes(part)) depth -= 1;
    // A line break after `return` would end the statement.
    const breaks = part === ' ' && depth > 0 && !/\breturn$/.test(pieces[pieces.length - 1]);
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
 * string in double quotes stays whole: it may be part of a command to copy. The rest of a comment is
 * a comment.
 * @param {string} text with or without colours
 * @returns {string}
 */
const fold = (text) =>
  text
    .split('\n')
    .flatMap((line) => (line.length > WIDTH ? foldLine(line) : [line]))
    .join('\n');

/** Breaks one line. @param {string} line @returns {string[]} */
function foldLine(line) {
  // A colour may begin before the blanks. YAML that continued left of where it began would mean
  // something else.
  const plain = line.replace(COLOURS, '');
  const blanks = plain.slice(0, Math.min(plain.search(/[^ ]/), WIDTH / 2));
  const indent = blanks + (plain.trimStart().startsWith('# ') ? '# ' : ' '.repeat(DEEPER));
  const lines = [''];
  let columns = 0;
  for (const { text, width } of wordsOf(line)) {
    const begun = lines[lines.length - 1].trim() !== '';
    if (begun && columns + width > WIDTH && text.trim() !== '') {
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
  return parts;
}

module.exports = { wrap, WIDTH, codeLines, labelled, fold };
