'use strict';

const { visible } = require('../base/pure/visible');
const { WIDTH } = require('./wrap');

/**
 * Breaks a command into lines that can be copied back: only at blanks inside brackets, where a
 * shell waits for the rest, and never inside a string. What has no such blank stays whole.
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
 * @param {string} code
 * @returns {string[]} what must stay on one line each; the blanks between them are left out
 */
function piecesOf(code) {
  const pieces = [''];
  let depth = 0;
  // Strings as a whole, then single characters.
  for (const [part] of code.matchAll(/"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|[^]/g)) {
    if ('([{'.includes(part)) depth += 1;
    if (')]}'.includes(part)) depth -= 1;
    // Behind `return` a new line would end the statement.
    const breaks = part === ' ' && depth > 0 && !/\breturn$/.test(pieces[pieces.length - 1]);
    if (breaks) pieces.push('');
    else pieces[pieces.length - 1] += part;
  }
  return pieces;
}

/**
 * A command behind a label; further lines stand under its beginning.
 * @param {string} label @param {string} code @param {(line: string) => string} paint
 * @returns {string[]}
 */
function labelled(label, code, paint) {
  const indent = ' '.repeat(label.length);
  return codeLines(code, indent).map(
    (line, i) => (i === 0 ? label : indent) + paint(line.slice(indent.length)),
  );
}

module.exports = { codeLines, labelled };
