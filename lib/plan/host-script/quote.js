'use strict';

const PLAIN = /^[\w./:=,+@%-]+$/;

/** A text as one word of a POSIX shell, whatever is in it. @param {string} text @returns {string} */
const quote = (text) => (PLAIN.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`);

/** A text inside a comment: it must not end the line. @param {string} text @returns {string} */
// eslint-disable-next-line no-control-regex
const comment = (text) => text.replace(/[\u0000-\u001f\u007f-\u009f\u2028\u2029]+/g, ' ');

module.exports = { quote, comment };
