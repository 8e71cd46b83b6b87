'use strict';

const assert = require('node:assert/strict');
const fs = require('node:fs');
const path = require('node:path');
const { sourceFiles } = require('../support/source-files');

const root = path.join(__dirname, '..', '..');
const FOLDERS = ['lib', 'snippets', 'scripts', 'bench', 'test'];
/** Runs in a browser, as one script. */
const PAGE = path.join(root, 'lib/report/page');
const REQUIRED = /['"](\.{1,2}\/[^'"\s]+)['"]/g;

/** @param {string} text of a file @returns {string[]} */
const exportsOf = (text) =>
  (/module\.exports = \{([^{}]*)\}/.exec(text)?.[1] ?? '')
    .split(',')
    .map((one) => one.trim().split(':')[0])
    .filter((name) => /^\w+$/.test(name));

/** The files that name this one in a path, each with its text. @param {Map<string, string>} texts */
function importersOf(texts) {
  /** @type {Map<string, string[]>} */
  const importers = new Map();
  for (const [file, text] of texts)
    for (const [, spec] of text.matchAll(REQUIRED)) {
      const target = path.resolve(path.dirname(file), spec.replace(/(\.js)?$/, '.js'));
      importers.set(target, [...(importers.get(target) ?? []), text]);
    }
  return importers;
}

/**
 * Whether it takes all names of a file at once, as registries do.
 * @param {string} text
 * @param {string} file
 */
const takesAll = (text, file) => {
  const name = path.basename(file, '.js');
  const [, whole] = new RegExp(`const (\\w+) = require\\('[^']*/${name}'\\)`).exec(text) ?? [];
  return (
    whole !== undefined && new RegExp(`\\.\\.\\.${whole}|${whole}\\[|\\(${whole}\\)`).test(text)
  );
};

describe('what a file exports', () => {
  it('is used by a file that imports it', () => {
    const files = FOLDERS.flatMap((folder) => sourceFiles(path.join(root, folder)));
    const texts = new Map(
      [...files, path.join(root, 'index.js')].map((file) => [file, fs.readFileSync(file, 'utf8')]),
    );
    const importers = importersOf(texts);
    const unused = files
      .filter((file) => !file.startsWith(PAGE) && importers.has(file))
      .flatMap((file) => {
        const users = /** @type {string[]} */ (importers.get(file));
        if (users.some((text) => takesAll(text, file))) return [];
        return exportsOf(/** @type {string} */ (texts.get(file)))
          .filter((name) => !users.some((text) => new RegExp(`\\b${name}\\b`).test(text)))
          .map((name) => `${path.relative(root, file)}: ${name}`);
      });
    assert.deepEqual(unused, [], 'take these out of module.exports, and delete what is dead then');
  });
});
