'use strict';

const fs = require('node:fs');
const path = require('node:path');
const { ownVersion, textOf } = require('../base/own-files');
const { expandHome, writePage } = require('../base/named-files');
const { report } = require('../text/report');
const { createHash } = require('node:crypto');

/**
 * @import { Target } from '../base/named-files'
 * @import { Item } from './types'
 * @import { Assets } from './pure/html/page'
 */

/**
 * Writes the page of a report, and returns what it contains.
 * @param {Target} target
 * @param {string} html
 * @param {readonly Item[]} items the items that the page shows
 */
function writeReport(target, html, items) {
  const data = dataOf(target.file, writePage(target, html), items);
  return report(data, (ink) => require('./pure/written-files').renderWritten(data, ink));
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
 * Whether a recording is diagnostic.data, a folder or files called metrics.…; tune.record() wrote
 * all others.
 * @param {string} name
 */
const isDiagnosticData = (name) => /^metrics\./.test(path.basename(name)) || isFolder(name);

/**
 * A path that cannot be read is reported later, by the command that reads it.
 * @param {string} name
 */
function isFolder(name) {
  try {
    return fs.statSync(expandHome(name)).isDirectory();
  } catch (_unknown) {
    return false;
  }
}

/** The order of loading; the last script starts the page. */
const SCRIPTS = Object.freeze(['decode', 'words', 'marks', 'chart', 'group', 'start']);
/** The order of the styles; the last one overrides others for narrow screens and paper. */
const STYLES = Object.freeze(['frame', 'parts', 'tables', 'charts', 'narrow-and-paper']);
const PAGE = 'lib/report/page';
/** The library that draws the charts: two files of the package uplot, unchanged. */
const PLOT = 'vendor/uplot';
/** The script uses the same units as the program. */
const UNITS = 'lib/base/pure/units.js';

/** @param {string} text @returns {string} in the form of a Content-Security-Policy */
const hashOf = (text) => `sha256-${createHash('sha256').update(text).digest('base64')}`;

/**
 * Reads style and script of a page, complete: the browser loads nothing else.
 * @returns {Assets}
 */
function pageAssets() {
  const script = [
    textOf(`${PLOT}/uPlot.iife.min.js`),
    `(() => {\nconst units = (() => { const module = { exports: {} };\n${textOf(UNITS)}\nreturn ` +
      'module.exports; })();',
    ...SCRIPTS.map((name) => textOf(`${PAGE}/${name}.js`)),
    '})();\n',
  ]
    .join('\n')
    .replace(/<\/script/gi, '<\\/script');
  const style = [
    textOf(`${PLOT}/uPlot.min.css`),
    ...STYLES.map((name) => textOf(`${PAGE}/${name}.css`)),
  ].join('\n');
  return {
    style,
    script,
    styleHash: hashOf(style),
    scriptHash: hashOf(script),
    version: ownVersion(),
  };
}

module.exports = { writeReport, isDiagnosticData, pageAssets };
