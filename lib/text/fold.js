'use strict';

const { WIDTH } = require('./wrap');

/** A colour begins or ends; it takes no room. */
const COLOUR = /\p{Cc}\[[\d;]*m/uy;
const COLOURS = new RegExp(COLOUR.source, 'gu');
/** Further lines of what had to be broken go deeper by this. */
const DEEPER = 2;

/**
 * The net under everything that prints: a line that is longer than the screen is broken between its
 * words. What has no blank stays whole, and so does what stands in double quotes, which may be part
 * of a command to copy. The rest of a comment is a comment.
 * @param {string} text with or without colours
 * @returns {string}
 */
const fold = (text) =>
  text
    .split('\n')
    .flatMap((line) => (line.length > WIDTH ? foldLine(line) : [line]))
    .join('\n');

/** @param {string} line @returns {string[]} */
function foldLine(line) {
  // A colour may begin before the blanks; a line of YAML that went on further left than it began
  // would be another document.
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
 * Words and the blanks between them, with the columns that each takes.
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

module.exports = { fold };
