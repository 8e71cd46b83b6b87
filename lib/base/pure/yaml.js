'use strict';

const { KiB, bytes } = require('./units');
const { visible } = require('./printable');
const { TuneError } = require('./errors');

/**
 * @import { Document } from 'yaml'
 */

// The library is loaded only when there is YAML to read or to write: loading it takes longer than
// loading all of tune.

/**
 * @returns {typeof import('yaml')}
 * @throws {TuneError} TUNE-90001 in a checkout without its packages
 */
function library() {
  try {
    return require('yaml');
  } catch (cause) {
    throw new TuneError(
      'TUNE-90001',
      'The package yaml is not installed. Run npm ci --omit=dev in the folder of tune, then start ' +
        'mongosh again.',
      { value: 'yaml', cause },
    );
  }
}

/**
 * @param {object} value
 * @param {readonly string[]} comments lines to put in front; a name in them does not end its line
 * @returns {string} YAML; what it parses to is `value`
 */
function printYaml(value, comments = []) {
  const { stringify } = library();
  const head = comments.map((line) => `# ${visible(line)}`.trimEnd()).join('\n');
  return `${head}${head && '\n'}${stringify(value, { lineWidth: 0 })}`;
}

/**
 * @typedef {{
 *   value: any, faults: { say: string, position: number }[],
 *   positionOf: (path: readonly string[]) => number | null
 * }} Yaml `faults`: where it is no YAML, or has a key twice; `positionOf`: where a value begins in
 *   the text, behind its quote
 */

/**
 * @param {string} text
 * @returns {Yaml}
 * @throws {TuneError} TUNE-40003 when it holds no options at all
 */
function parseYaml(text) {
  const { isScalar, isNode } = library();
  const { document, value, faults } = readYaml(text);
  if (
    faults.length === 0 &&
    value !== null &&
    (typeof value !== 'object' || Array.isArray(value))
  ) {
    throw new TuneError(
      'TUNE-40003',
      'This is not YAML (the old form "key=value", which mongod also reads, is not checked).',
      { value: text.slice(0, 40) },
    );
  }
  return {
    value,
    faults,
    positionOf(path) {
      const node = document.getIn(path, true);
      if (!isNode(node) || !node.range) return null;
      return node.range[0] + (isScalar(node) && /^["']/.test(text[node.range[0]]) ? 1 : 0);
    },
  };
}

/**
 * Whether a key is there twice is asked of each pair: for 10,000 options that takes a second, for
 * 10 MB of them a day.
 */
const MAX_CHARACTERS = 128 * KiB;

/**
 * Reads YAML of any shape: a list, a table, or nothing.
 * @param {string} text
 * @param {number} [max] characters; in a longer text duplicate keys are not found
 * @returns {{ document: Document.Parsed, value: any, faults: Yaml['faults'] }}
 * @throws {TuneError} TUNE-40003
 */
function readYaml(text, max = MAX_CHARACTERS) {
  if (text.length > max)
    throw new TuneError(
      'TUNE-40003',
      `This file has ${bytes(text.length)}, more than the maximum of ${bytes(max)} for a ` +
        `settings file.`,
      { value: text.length, allowed: max },
    );
  const { parseDocument } = library();
  const document = parseDocument(text, { uniqueKeys: text.length <= MAX_CHARACTERS });
  const faults = document.errors.map((error) => ({
    say: firstLine(error.message),
    position: error.pos[0],
  }));
  const value = faults.some(({ say }) => !/unique/.test(say)) ? null : toJs(document, faults);
  return { document, faults, value };
}

/**
 * Names of places that are not there, or that are used again and again until they fill the memory,
 * show only now.
 * @param {Document} document
 * @param {Yaml['faults']} faults gets one more then
 */
function toJs(document, faults) {
  try {
    return document.toJS();
  } catch (error) {
    faults.push({
      say: firstLine(/** @type {Error} */ (error).message),
      position: lostAlias(document) ?? 0,
    });
    return null;
  }
}

/**
 * @param {Document} document
 * @returns {number | null} where the first name of a place stands that is not there
 */
function lostAlias(document) {
  const { visit } = library();
  /** @type {Set<string>} */
  const places = new Set();
  /** @type {number | null} */
  let position = null;
  visit(document, {
    Value: (_key, { anchor }) => {
      if (anchor) places.add(anchor);
    },
    Alias(_key, { source, range }) {
      if (places.has(source)) return undefined;
      position = range?.[0] ?? null;
      return visit.BREAK;
    },
  });
  return position;
}

/** @param {string} message */
const firstLine = (message) =>
  message
    .split('\n')[0]
    .replace(/ at line \d+, column \d+:?$/, '')
    .replace(/[:.]$/, '');

module.exports = { printYaml, parseYaml, readYaml };
