'use strict';

const { visible } = require('../../base/pure/visible');

const PLAIN = /^[\w./:=,+@%-]+$/;

/**
 * A text as one word of a POSIX shell, whatever is in it.
 * @param {string} text
 * @returns {string}
 */
const quote = (text) => (PLAIN.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`);

/** A text inside a comment: it must not end the line. @param {string} text @returns {string} */
const comment = (text) => visible(text.replace(/[\r\n]+/g, ' '));

module.exports = { quote, comment };
