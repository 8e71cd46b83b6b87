'use strict';

/** Wider than this a line is hard to read, on whatever screen. */
const WIDTH = 112;

/**
 * Breaks a text into lines between its words; a word longer than a line stays whole.
 * @param {string} text @param {string} indent of every line @param {string} [first] indent of the first line, such as a bullet
 * @returns {string[]}
 */
function wrap(text, indent, first = indent) {
  const lines = [first];
  for (const word of text.split(' ')) {
    const line = lines[lines.length - 1];
    const begun = lines.length === 1 ? line !== first : line !== indent;
    if (begun && line.length + 1 + word.length > WIDTH) lines.push(indent + word);
    else lines[lines.length - 1] = begun ? `${line} ${word}` : line + word;
  }
  return lines;
}

module.exports = { wrap, WIDTH };
