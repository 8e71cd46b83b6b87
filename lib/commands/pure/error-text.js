'use strict';

const { CODES } = require('../../base/pure/errors');
const { CAUSES } = require('../../base/pure/error-causes');
const { wrap } = require('../../text/wrap');

/**
 * @import { Code } from '../../base/pure/errors'
 * @import { Ink } from '../../base/types'
 * @import { ErrorExplanation } from '../types'
 */

const ERROR_CODES = Object.freeze(/** @type {Code[]} */ (Object.keys(CODES).sort()));
const DIGITS = /^(?:TUNE-)?(\d{5})$/i;
const PAGE = 'docs/errors.md';

/**
 * Finds the code that a name means: `TUNE-20005`, `tune-20005`, `20005`.
 * @param {string} name
 * @returns {Code | null} null: it is no code of tune
 */
function codeNamed(name) {
  const [, digits] = DIGITS.exec(name) ?? [];
  return ERROR_CODES.find((code) => code === `TUNE-${digits}`) ?? null;
}

/** @param {Code} code @returns {ErrorExplanation} */
const explainError = (code) => ({
  code,
  name: CODES[code].name,
  meaning: CAUSES[code].meaning,
  cause: CAUSES[code].cause,
  todo: todoOf(code),
});

/**
 * Makes the next step a sentence of its own: in a message it follows another step, so it may begin
 * with "Then".
 * @param {Code} code
 */
const todoOf = (code) =>
  CODES[code].todo.replace(/^Then /, 'Do what the message of the error says, then ');

/** @param {ErrorExplanation} data @param {Ink} ink @returns {string} */
const renderError = ({ code, name, meaning, cause, todo }, ink) =>
  [
    `${ink(code, 'strong')}  ${ink(name, 'faint')}`,
    ...wrap(meaning, ''),
    '',
    ink('Usual cause', 'faint'),
    ...wrap(cause, '  '),
    '',
    ink('What to do', 'faint'),
    ...wrap(todo, '  '),
    '',
    ink(`All errors: ${PAGE}`, 'faint'),
  ].join('\n');

module.exports = { ERROR_CODES, codeNamed, explainError, renderError };
