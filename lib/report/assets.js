'use strict';

const { createHash } = require('node:crypto');
const fs = require('node:fs');
const path = require('node:path');

/**
 * @import { Assets } from './pure/html/page'
 */

/** Order of loading; the last one starts. */
const SCRIPTS = Object.freeze(['decode', 'words', 'marks', 'chart', 'group', 'controls', 'start']);
const PAGE = path.join(__dirname, 'page');

/** @param {string} text @returns {string} as a Content-Security-Policy names it */
const hashOf = (text) => `sha256-${createHash('sha256').update(text).digest('base64')}`;

/** @param {...string} names */
const read = (...names) => fs.readFileSync(path.join(...names), 'utf8');

/**
 * Style and script of a page, whole: nothing is fetched when it is opened.
 * @returns {Assets}
 */
function pageAssets() {
  const plot = path.dirname(require.resolve('uplot/dist/uPlot.iife.min.js'));
  const units = read(__dirname, '../base/pure/units.js');
  const script = [
    read(plot, 'uPlot.iife.min.js'),
    `(() => {\nconst units = (() => { const module = { exports: {} };\n${units}\nreturn ` +
      'module.exports; })();',
    ...SCRIPTS.map((name) => read(PAGE, `${name}.js`)),
    '})();\n',
  ]
    .join('\n')
    .replace(/<\/script/gi, '<\\/script');
  const style = `${read(plot, 'uPlot.min.css')}\n${read(PAGE, 'page.css')}`;
  return {
    style,
    script,
    styleHash: hashOf(style),
    scriptHash: hashOf(script),
    version: JSON.parse(read(__dirname, '../../package.json')).version,
  };
}

module.exports = { pageAssets };
