'use strict';

const fs = require('node:fs');
const { TuneError } = require('../base/pure/errors');
const { targetFor, writePage } = require('../base/write-page');
const { readOwn } = require('./read-file');

/**
 * @import { Known } from './pure/regressions'
 */

/** What a server was found to suffer from, so that later only what is worse is told. */

const FORMAT = 'mongosh-tune baseline';

/**
 * @typedef {{
 *   format: string, version: 1, at: string, host: string | null,
 *   findings: Known
 * }} Baseline
 */

/**
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

/** @param {string} text @returns {Baseline | null} */
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
 * As every page is written: whole or not at all, for its owner alone; over a baseline, and over no
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
      `${target.file} can not be written: there is a file of that name that is no baseline.`,
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

module.exports = { readBaseline, writeBaseline };
