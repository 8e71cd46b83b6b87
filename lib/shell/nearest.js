'use strict';

// More changes than this, and the name meant is anybody's guess.
const MOST_EDITS = 3;

/**
 * @param {string} word @param {readonly string[]} names
 * @returns {string | undefined} the name that was probably meant
 */
function nearest(word, names) {
  const ranked = names.map((name) => ({ name, edits: name.startsWith(word) ? 0 : editsBetween(word.toLowerCase(), name.toLowerCase()) }));
  ranked.sort((a, b) => a.edits - b.edits);
  return ranked[0] && ranked[0].edits <= Math.min(MOST_EDITS, word.length - 1) ? ranked[0].name : undefined;
}

/** Levenshtein's distance. @param {string} a @param {string} b */
function editsBetween(a, b) {
  let row = Array.from({ length: b.length + 1 }, (_, i) => i);
  for (const [i, char] of [...a].entries()) {
    const next = [i + 1];
    for (let j = 1; j <= b.length; j++) next[j] = Math.min(row[j] + 1, next[j - 1] + 1, row[j - 1] + (char === b[j - 1] ? 0 : 1));
    row = next;
  }
  return row[b.length];
}

module.exports = { nearest };
