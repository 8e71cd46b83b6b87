'use strict';

const fs = require('node:fs');
const { TuneError } = require('../../../errors');
const { expandHome } = require('../expand-home');
const { readOwn } = require('./own-file');

/** What a server was found to suffer from, so that later only what is worse is told. */

const FORMAT = 'mongosh-tune baseline';

/** @typedef {{ format: string, version: 1, at: string, host: string | null, findings: import('../../../diagnose/check/regressions').Known }} Baseline */

/** @param {string} file @returns {Baseline} @throws {TuneError} TUNE-40002, and TUNE-10002 where it is another file */
function readBaseline(file) {
  const baseline = parse(readOwn(`the baseline ${file}`, file));
  if (baseline === null) throw new TuneError('TUNE-10002', `tune.check: "baseline": ${file} is not what { saveBaseline: … } writes.`, { value: file, allowed: FORMAT });
  return baseline;
}

/** @param {string} text @returns {Baseline | null} */
function parse(text) {
  try {
    const value = JSON.parse(text);
    const { format, version, findings } = value ?? {};
    const areFindings = findings !== null && typeof findings === 'object' && Object.values(findings).every((status) => status === 'warning' || status === 'critical');
    return format === FORMAT && version === 1 && areFindings ? value : null;
  } catch (_cut) {
    return null;
  }
}

/**
 * Whole or not at all, and only over a baseline.
 * @param {string} file @param {Omit<Baseline, 'format' | 'version'>} what @throws {TuneError} TUNE-40005
 */
function writeBaseline(file, what) {
  const target = expandHome(file);
  const unwritable = (/** @type {string} */ why, /** @type {unknown} */ cause) => new TuneError('TUNE-40005', `tune.check: the baseline ${file} cannot be written: ${why}.`, { value: file, cause });
  const there = textAt(target);
  if (there !== null && parse(there) === null) throw unwritable('there is another file of that name', undefined);
  const beside = `${target}.${process.pid}.new`;
  try {
    fs.writeFileSync(beside, `${JSON.stringify({ format: FORMAT, version: 1, ...what }, null, 2)}\n`);
    fs.renameSync(beside, target);
  } catch (cause) {
    // What a full disk took of it.
    fs.rmSync(beside, { force: true });
    throw unwritable(String(/** @type {NodeJS.ErrnoException} */ (cause).code), cause);
  }
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
