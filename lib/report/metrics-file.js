'use strict';

const fs = require('node:fs');
const { MiB } = require('../base/pure/units');
const { hostsIn } = require('../cluster/pure/fleet-list');
const { exposition, familiesOf } = require('./pure/prometheus/families');
const { ownVersion } = require('../base/own-files');
const { TuneError } = require('../base/pure/errors');
const { show } = require('../base/pure/options');
const { targetFor, writePage } = require('../base/named-files');

/**
 * @import { Target } from '../base/named-files'
 * @import { Run } from './pure/prometheus/families'
 */

/** Makes the text of the metrics file for node_exporter, and writes it. */

/** Every user may read the file: Prometheus' node_exporter runs as another user. */
const EVERYBODY_READS = 0o644;
/** A file of tune has some 10 kB; a larger one is another file. */
const MAX_BYTES = MiB;
/**
 * The collector reads only files with this ending. It also protects any other file, such as a
 * mongod.conf, from being overwritten by mistake.
 */
const ENDING = '.prom';
const SERVER = /^mongosh_tune_last_run_success\{server="((?:[^"\\]|\\.)*)"/m;

/**
 * Finds the file that every run overwrites; the previous one stays whole until then.
 * @param {string} name
 * @returns {Target}
 * @throws {TuneError} TUNE-10002 for a name that node_exporter would ignore, TUNE-40005
 */
function targetOf(name) {
  if (!name.endsWith(ENDING))
    throw new TuneError(
      'TUNE-10002',
      `tune.metrics: "file" must be a name that ends in ${ENDING}, for node_exporter reads ` +
        `no other, not ${show(name)}.`,
      { value: name, allowed: `*${ENDING}` },
    );
  return { ...targetFor(name, true), mode: EVERYBODY_READS };
}

/**
 * Writes a draft beside the file and renames it, so that no collector ever reads half of it.
 * @param {Target} target
 * @param {string} text
 * @returns {number} bytes
 * @throws {TuneError} TUNE-40005
 */
const writeMetrics = (target, text) => writePage(target, text);

/**
 * Reads the name that the server had when it was last reached: a run that fails must not begin
 * series under another name.
 * @param {Target} target
 * @returns {string | null}
 */
function nameBefore({ file }) {
  try {
    if (fs.statSync(file).size > MAX_BYTES) return null;
    const found = SERVER.exec(fs.readFileSync(file, 'utf8'))?.[1];
    return found === undefined
      ? null
      : found.replace(/\\(.)/g, (_, char) => (char === 'n' ? '\n' : char));
  } catch (_none) {
    return null;
  }
}

const OWN_VERSION = ownVersion();

/** Prints what a run found, in the text format of Prometheus. @param {Run} run */
const metricsText = (run) => exposition(familiesOf(run));

/** The hosts that a connection string names. @param {string} uri '' without a connection */
const hostOf = (uri) => hostsIn(uri) || 'unknown';

/**
 * Writes the metrics of a run that could not sample: its time, and no values of the run before.
 * @param {Target} target
 * @param {string | undefined} name
 * @param {string} uri
 */
function writeFailure(target, name, uri) {
  writeMetrics(
    target,
    metricsText({
      server: name ?? nameBefore(target) ?? hostOf(uri),
      atMs: Date.now(),
      tune: OWN_VERSION,
      examined: null,
    }),
  );
}

module.exports = {
  metricsText,
  hostOf,
  writeFailure,
  OWN_VERSION,
  targetOf,
  writeMetrics,
  nameBefore,
};
