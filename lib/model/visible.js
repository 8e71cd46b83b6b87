'use strict';

/**
 * What a terminal acts upon instead of showing it: control characters, those of the upper half too (0x9b begins a colour as
 * ESC [ does), line and paragraph separators, and the marks that turn the direction of writing (Unicode, Bidi_Control).
 */
const ACTED_UPON = /[\p{Cc}\p{Bidi_Control}\u2028\u2029\ufeff]/gu;
const SHORT = Object.freeze(/** @type {Record<string, string>} */ ({ '\t': '\\t', '\n': '\\n', '\r': '\\r' }));

/**
 * A name that a server tells, as it is safe to print: whoever named a collection shall not paint our screen.
 * @param {string} text @returns {string} `a\u001b[31m`, written out; in a string of JavaScript it means the same
 */
const visible = (text) => text.replace(ACTED_UPON, (char) => SHORT[char] ?? `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`);

module.exports = { visible };
