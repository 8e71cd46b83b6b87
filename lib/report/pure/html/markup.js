'use strict';

const { visible } = require('../../../base/pure/visible');

/**
 * HTML that cannot be broken out of: what stands in the template is ours, what is put into it is
 * text, whoever named it.
 * @typedef {Markup | string | number | boolean | null | undefined} Piece
 */

const ENTITIES = Object.freeze(
  /** @type {Record<string, string>} */ ({
    '&': '&amp;',
    '<': '&lt;',
    '>': '&gt;',
    '"': '&quot;',
    "'": '&#39;',
  }),
);

class Markup {
  /** @param {string} text of HTML */
  constructor(text) {
    this.text = text;
  }

  toString() {
    return this.text;
  }
}

/**
 * @param {string} text
 * @returns {string} as the content of an element, or of an attribute in quotes
 */
const escape = (text) => text.replace(/[&<>"']/g, (char) => ENTITIES[char]);

/**
 * A tagged template: html`<p>${name}</p>`. What is null, undefined or false leaves nothing.
 * @param {readonly string[]} strings @param {(Piece | readonly Piece[])[]} values @returns {Markup}
 */
const html = (strings, ...values) =>
  new Markup(strings.reduce((all, string, i) => all + pieces(values[i - 1]) + string));

/** @param {Piece | readonly Piece[]} value @returns {string} */
function pieces(value) {
  if (value === null || value === undefined || value === false) return '';
  if (Array.isArray(value)) return value.map(pieces).join('');
  return value instanceof Markup ? value.text : escape(visible(String(value)));
}

/** Text of several lines, which stay lines. @param {string} text @returns {Markup} */
const lines = (text) =>
  new Markup(
    text
      .split('\n')
      .map((line) => escape(visible(line)))
      .join('\n'),
  );

module.exports = { html, lines, Markup };
