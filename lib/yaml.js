'use strict';

const { TuneError } = require('./errors');

// The library is loaded only when there is YAML to read or to write: it costs more than all of ours.

/**
 * @param {object} value
 * @param {readonly string[]} comments lines to put in front
 * @returns {string} YAML; what it parses to is `value`
 */
function printYaml(value, comments = []) {
  const { stringify } = require('yaml');
  const head = comments.map((line) => `# ${line}`.trimEnd()).join('\n');
  return `${head}${head && '\n'}${stringify(value, { lineWidth: 0, defaultStringType: 'PLAIN' })}`;
}

/**
 * @param {string} text
 * @returns {{ value: any, positionOf: (path: readonly string[]) => number | null }} `positionOf`: where a value stands in the text
 * @throws {TuneError} TUNE-40003
 */
function parseYaml(text) {
  const { parseDocument, isScalar, isPair } = require('yaml');
  const document = parseDocument(text, { uniqueKeys: true });
  const [error] = document.errors;
  if (error) throw new TuneError('TUNE-40003', `This is not YAML: ${firstLine(error.message)}.`, { cause: error, position: error.pos[0], line: error.linePos?.[0].line });
  return {
    value: document.toJS(),
    positionOf(path) {
      const node = /** @type {any} */ (document.getIn(path, true));
      return (isScalar(node) || isPair(node) || node?.range) && node.range ? node.range[0] : null;
    },
  };
}

/** @param {string} message */
const firstLine = (message) => message.split('\n')[0].replace(/[:.]$/, '');

module.exports = { printYaml, parseYaml };
