'use strict';

const assert = require('node:assert/strict');
const fs = require('node:fs');
const path = require('node:path');
const { sourceFiles } = require('../support/source-files');

const root = path.join(__dirname, '..', '..');
const FOLDERS = ['lib', 'snippets', 'scripts', 'bench', 'test'];
/** Runs in a browser, as one script. */
const PAGE = path.join(root, 'lib/report/page');

/** @param {string} text of a file @returns {string[]} */
const exportsOf = (text) =>
  (/module\.exports = \{([^}]*)\}/.exec(text)?.[1] ?? '')
    .split(',')
    .map((one) => one.trim().split(':')[0])
    .filter((name) => /^\w+$/.test(name));

describe('what lib exports', () => {
  it('is used by another file', () => {
    const words = new Map(
      [...FOLDERS.flatMap((folder) => sourceFiles(path.join(root, folder))), 'index.js'].map(
        (file) => {
          const at = path.resolve(root, file);
          return [at, new Set(fs.readFileSync(at, 'utf8').match(/\w+/g))];
        },
      ),
    );
    const unused = sourceFiles(path.join(root, 'lib'))
      .filter((file) => !file.startsWith(PAGE))
      .flatMap((file) =>
        exportsOf(fs.readFileSync(file, 'utf8'))
          .filter((name) => ![...words].some(([other, of]) => other !== file && of.has(name)))
          .map((name) => `${path.relative(root, file)}: ${name}`),
      );
    assert.deepEqual(unused, []);
  });
});
