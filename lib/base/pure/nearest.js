'use strict';

/** A name with more wrong letters than this is another word. */
const MAX_WRONG = 3;

/**
 * @param {string} word @param {readonly string[]} names
 * @returns {string | null} the name most like the word, if any is like it
 */
function nearest(word, names) {
  const ranked = names
    .map((name) => ({
      name,
      wrong:
        word !== '' && name.startsWith(word) ? 0 : distance(word.toLowerCase(), name.toLowerCase()),
    }))
    .sort((a, b) => a.wrong - b.wrong);
  const [best] = ranked;
  return best && best.wrong <= Math.min(MAX_WRONG, Math.floor(word.length / 2)) ? best.name : null;
}

/** Letters to add, drop or change. @param {string} a @param {string} b @returns {number} */
function distance(a, b) {
  let row = Array.from({ length: b.length + 1 }, (_, i) => i);
  for (const [i, letter] of [...a].entries()) {
    const next = [i + 1];
    for (const [j, other] of [...b].entries())
      next.push(Math.min(next[j] + 1, row[j + 1] + 1, row[j] + (letter === other ? 0 : 1)));
    row = next;
  }
  return row[b.length];
}

module.exports = { nearest };
