'use strict';

const fs = require('node:fs');
const vm = require('node:vm');

/** This file, which has ASCII only. */
const TEXT = fs.readFileSync(__filename, 'latin1');
/** Where the modules are in it: after a line `//=== file:number`, each of their lines behind `//`. */
const PLACES = placesIn(TEXT);
/** @type {Map<string, { exports: any }>} */
const LOADED = new Map();

/**
 * @param {string} text
 * @returns {Map<string, { from: number, to: number, line: number }>} `line`: of the file, from 1
 */
function placesIn(text) {
  const places = new Map();
  const mark = '\n//=== ';
  let at = text.indexOf(mark);
  for (let to = text.indexOf(mark, at + 1); to !== -1; to = text.indexOf(mark, at + 1)) {
    const from = text.indexOf('\n', at + 1) + 1;
    const [file, line] = text.slice(at + mark.length, from).split(':');
    places.set(file, { from, to, line: Number(line) });
    at = to;
  }
  if (at === -1 || text.slice(at + mark.length).trim() !== 'end')
    throw new Error('tune-bundle.cjs is not whole: copy it again');
  return places;
}

/** As require() does. @param {string} file */
function __load(file) {
  const known = LOADED.get(file);
  if (known) return known.exports;
  const { from, to, line } = /** @type {any} */ (PLACES.get(file));
  const code = TEXT.slice(from, to).replace(/^\/\//gm, '');
  const module = { exports: {} };
  LOADED.set(file, module);
  try {
    vm.compileFunction(code, ['exports2', 'module2', 'require', '__load', '__filename'], {
      filename: __filename,
      lineOffset: line - 1,
    })(module.exports, module, require, __load, __filename);
  } catch (error) {
    LOADED.delete(file);
    throw error;
  }
  return module.exports;
}

module.exports = { __load, placesIn };
