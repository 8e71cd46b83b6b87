'use strict';

const { visible } = require('../base/pure/visible');

/** What a terminal shows where nobody made it wider. */
const WIDTH = 80;

/**
 * Breaks a text into lines between its words; a word longer than a line stays whole. Nothing in it
 * moves the cursor.
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

module.exports = { wrap, WIDTH };
