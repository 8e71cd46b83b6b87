'use strict';

const fs = require('node:fs');
const { TuneError } = require('../base/pure/errors');
const { targetFor, writePage, expandHome } = require('../base/named-files');
const { readYaml } = require('../base/pure/yaml');

/**
 * @import { Known } from './pure/accepted-findings'
 */

/**
 * The files of tune.check: the baseline, so that later only what is worse is reported, and values of
 * options that a user keeps in a file.
 */

const FORMAT = 'mongosh-tune baseline';

/**
 * @typedef {{
 *   format: string, version: 1, at: string, host: string | null,
 *   findings: Known
 * }} Baseline
 */

/**
 * Reads a baseline that saveBaseline wrote.
 * @param {string} file
 * @returns {Baseline}
 * @throws {TuneError} TUNE-40002, and TUNE-10002 where it is another file
 */
function readBaseline(file) {
  const baseline = parse(readOwn(`the baseline ${file}`, file));
  if (baseline === null)
    throw new TuneError(
      'TUNE-10002',
      `tune.check: "baseline": ${file} is not what { saveBaseline: … } writes.`,
      { value: file, allowed: FORMAT },
    );
  return baseline;
}

/**
 * Parses a baseline; another file is null.
 * @param {string} text
 * @returns {Baseline | null}
 */
function parse(text) {
  try {
    const value = JSON.parse(text);
    const { format, version, findings } = value ?? {};
    const areFindings =
      findings !== null &&
      typeof findings === 'object' &&
      Object.values(findings).every((status) => status === 'warning' || status === 'critical');
    return format === FORMAT && version === 1 && areFindings ? value : null;
  } catch (_cut) {
    return null;
  }
}

/**
 * Writes a baseline: whole or not at all, for its owner alone; over another baseline, and over no
 * other file.
 * @param {string} file
 * @param {Omit<Baseline, 'format' | 'version'>} what
 * @throws {TuneError} TUNE-40005
 */
function writeBaseline(file, what) {
  const target = targetFor(file, true);
  const there = textAt(target.file);
  if (there !== null && parse(there) === null)
    throw new TuneError(
      'TUNE-40005',
      `${target.file} cannot be written: there is a file of that name that is no baseline.`,
      { value: target.file },
    );
  writePage(target, `${JSON.stringify({ format: FORMAT, version: 1, ...what }, null, 2)}\n`);
}

/** @param {string} file @returns {string | null} null: there is none */
function textAt(file) {
  try {
    return fs.readFileSync(file, 'utf8');
  } catch (error) {
    return /** @type {NodeJS.ErrnoException} */ (error).code === 'ENOENT' ? null : '';
  }
}

/**
 * An option that is a value, or the name of a file that holds it: YAML, of which JSON is a part.
 * @param {'suppress' | 'thresholds'} name @param {unknown} given
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
  if (!holdsBoth(value)) return value ?? EMPTY[name];
  const strange = Object.keys(value).find((key) => !Object.hasOwn(EMPTY, key));
  if (strange !== undefined)
    throw new TuneError(
      'TUNE-10002',
      `tune.check: ${given} has "${strange}", and only suppress and thresholds are read.`,
      { value: strange, allowed: Object.keys(EMPTY) },
    );
  return value[name] ?? EMPTY[name];
}

/** A file for both options. @param {any} value */
const holdsBoth = (value) =>
  value !== null &&
  typeof value === 'object' &&
  (Object.hasOwn(value, 'suppress') || Object.hasOwn(value, 'thresholds'));

/** A file of comments alone is one in which nothing is set. */
const EMPTY = Object.freeze({ suppress: [], thresholds: {} });

/**
 * A file that tune.check() was given the name of.
 * @param {string} said what it is, with its name @param {string} file @returns {string}
 * @throws {TuneError} TUNE-40002
 */
function readOwn(said, file) {
  try {
    return fs.readFileSync(expandHome(file), 'utf8');
  } catch (cause) {
    throw new TuneError(
      'TUNE-40002',
      `tune.check: ${said} cannot be read (${/** @type {NodeJS.ErrnoException} */ (cause).code}).`,
      { value: file, cause },
    );
  }
}

module.exports = { readBaseline, writeBaseline, valueOrFile };
