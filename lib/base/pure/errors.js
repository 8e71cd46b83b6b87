'use strict';

const { CODES } = require('./error-codes');
const { withoutSecrets, hasSecrets, visible } = require('./printable');

/** @typedef {keyof typeof CODES} Code */

/**
 * The one kind of error that tune throws on purpose: a code, the value at fault, what is allowed,
 * and what to do.
 */
class TuneError extends Error {
  /**
   * @param {Code} code
   * @param {string} message one sentence, with the value in it
   * @param {{ value?: unknown, allowed?: unknown, cause?: unknown, [more: string]: unknown }}
   *   [details]
   *   `value` at fault, what is `allowed`; any further field (such as `seen`, what was measured
   *   before it failed) is kept
   */
  constructor(code, message, { cause, ...details } = {}) {
    super(
      `[${code}] ${visible(withoutSecrets(message))} ${CODES[code].todo}`,
      cause === undefined ? undefined : { cause: scrubbed(cause) },
    );
    this.name = 'TuneError';
    this.code = code;
    this.codeName = CODES[code].name;
    Object.assign(this, details, 'value' in details && { value: plain(details.value) });
  }
}

/**
 * Removes passwords from an error of the driver, which prints with its stack, also as a cause: a
 * copy without them replaces it.
 * @template T
 * @param {T} error
 * @returns {T | Error}
 */
function scrubbed(error) {
  if (!(error instanceof Error) || !hasSecrets(reported(error))) return error;
  const { name, message, stack = '', code } = /** @type {Error & { code?: unknown }} */ (error);
  return Object.assign(new Error(withoutSecrets(message)), {
    name,
    stack: withoutSecrets(stack),
    ...(code !== undefined && { code }),
  });
}

/** @param {unknown} error @returns {string} all that would be printed of it */
const reported = (error) =>
  error instanceof Error ? `${error.stack} ${error.message} ${reported(error.cause)}` : '';

/**
 * Copies a typed value without passwords; it may be a list or a table of connection strings.
 * @param {unknown} value
 * @returns {unknown}
 */
function plain(value) {
  if (typeof value === 'string') return withoutSecrets(value);
  if (Array.isArray(value)) return value.map(plain);
  if (
    value === null ||
    typeof value !== 'object' ||
    Object.getPrototypeOf(value)?.constructor?.name !== 'Object'
  )
    return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, field]) => [withoutSecrets(name), plain(field)]),
  );
}

/** @param {unknown} error @param {Code} code */
const isCode = (error, code) => error instanceof TuneError && error.code === code;

module.exports = { isCode, TuneError, CODES, scrubbed };
