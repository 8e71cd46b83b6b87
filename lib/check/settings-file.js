'use strict';

const { TuneError } = require('../base/pure/errors');
const { readYaml } = require('../base/yaml');
const { readOwn } = require('./read-file');

/**
 * An option that is a value, or the name of a file that holds it: YAML, of which JSON is a part.
 * @param {'ignore' | 'thresholds'} name @param {unknown} given
 * @returns {unknown} the file may hold it alone, or under its name beside the other one
 * @throws {TuneError} TUNE-40002 where it cannot be read, TUNE-10002 where it is no YAML
 */
function valueOrFile(name, given) {
  if (typeof given !== 'string') return given;
  const text = readOwn(`the file of "${name}", ${given},`, given);
  const { value, faults } = readYaml(text);
  if (faults.length > 0)
    throw new TuneError(
      'TUNE-10002',
      `tune.check: "${name}": ${given} cannot be understood: ${faults[0].say}, in line ` +
        `${text.slice(0, faults[0].position).split('\n').length}.`,
      { value: given, allowed: 'YAML or JSON' },
    );
  return (holdsBoth(value) ? value[name] : value) ?? EMPTY[name];
}

/** A file for both options. @param {any} value */
const holdsBoth = (value) =>
  value !== null &&
  typeof value === 'object' &&
  (Object.hasOwn(value, 'ignore') || Object.hasOwn(value, 'thresholds'));

/** A file of comments alone is one in which nothing is set. */
const EMPTY = Object.freeze({ ignore: [], thresholds: {} });

module.exports = { valueOrFile };
