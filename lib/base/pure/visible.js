'use strict';

/**
 * Characters that a terminal acts upon or does not show: control characters, those of the
 * upper half too (0x9b begins a colour as ESC [ does), line and paragraph separators, what turns
 * the direction of writing or takes no room (Unicode, category Cf: marks of direction, joiners,
 * tags; so that two names that look the same are the same), blanks that count as letters, and
 * halves of a character (Cs) and code points that are none (Noncharacter_Code_Point), which no two
 * programs print alike.
 */
const ACTED_UPON =
  /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Noncharacter_Code_Point}\u034f\u115f\u1160\u3164\uffa0]/gu;
const SHORT = Object.freeze(
  /** @type {Record<string, string>} */ ({ '\t': '\\t', '\n': '\\n', '\r': '\\r' }),
);

/**
 * A name that a server reports, made safe to print: the name of a collection must not control the
 * terminal.
 * @param {string} text
 * @returns {string} `a\u001b[31m`, written out; in a string of JavaScript it means the same
 */
const visible = (text) =>
  text.replace(ACTED_UPON, (found) => SHORT[found] ?? found.replace(/[^]/g, unit));

/**
 * One half of a character beyond 0xffff is one of these, too.
 * @param {string} char
 * @returns {string}
 */
const unit = (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`;

module.exports = { visible };
