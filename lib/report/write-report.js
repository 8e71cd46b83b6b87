'use strict';

const fs = require('node:fs');
const path = require('node:path');
const { expandHome } = require('../base/expand-home');
const { writePage } = require('../base/write-page');
const { report } = require('../text/report');

/**
 * @import { Target } from '../base/write-page'
 * @import { Report } from '../text/report'
 * @import { Item } from './types'
 */

/**
 * Writes the page of a report, and answers what it holds.
 * @param {Target} target
 * @param {string} html
 * @param {readonly Item[]} items what the page shows
 */
function writeReport(target, html, items) {
  const data = dataOf(target.file, writePage(target, html), items);
  return report(data, (ink) => require('./pure/written-page').renderWritten(data, ink));
}

/**
 * The answer, as data.
 * @param {string} file
 * @param {number} bytes
 * @param {readonly Item[]} items
 */
const dataOf = (file, bytes, items) => ({
  file,
  bytes,
  host: /** @type {string | null} */ (items.map(({ value }) => value.host).find(Boolean) ?? null),
  of: items.map(({ kind }) => kind.name),
  points: items.reduce((sum, { drawn }) => sum + (drawn?.at.length ?? 0), 0),
  sampleCount: items.reduce((sum, { drawn }) => sum + (drawn?.sampleCount ?? 0), 0),
});

/**
 * Whether a recording is diagnostic.data, a folder or files called metrics.…; all else was written
 * by tune.record().
 * @param {string} name
 */
const isDiagnosticData = (name) => /^metrics\./.test(path.basename(name)) || isFolder(name);

/** What cannot be read is reported by the command that reads it. @param {string} name */
function isFolder(name) {
  try {
    return fs.statSync(expandHome(name)).isDirectory();
  } catch (_unknown) {
    return false;
  }
}

module.exports = { writeReport, isDiagnosticData };
