'use strict';

const fs = require('node:fs');
const path = require('node:path');
const { nearest } = require('../../lib/base/pure/nearest');
const { SUITES, coreFiles } = require('./parts');

/**
 * @typedef {{ sources: string[], tests: string[], slow: string[] }} Concerned `slow`: tests that
 *   take too long for a quick look
 */

/** Tests over everything of a kind: what each rule, command, page, file or error owes. */
const REGISTRY = [
  'commands/registry',
  'answers',
  'docs',
  'errors',
  'exports',
  'hostile-names',
  'links',
  'page-names',
  'purity',
  'schemas',
  'runbook',
  'samples',
  'server-errors',
  'diagnose/machine-summary',
  'rules/own-thresholds',
  'rules/member-rules',
  'rules/registry',
  'scripts/docs',
  'scripts/testing/parts',
].map((name) => `test/unit/${name}.test.js`);

const SOURCES = ['lib', 'snippets', 'scripts', 'bench'];
const UNIT = SUITES.unit.folders;
// For those that need a server or a shell, together; the whole shall stay under twenty.
const SERVER_SECONDS = 12;
const SHOWN_NAMES = 8;

/**
 * What a name stands for: a file, a folder, a rule, a command (also tune.split.run), a test.
 * @param {string} word
 * @param {string} root
 * @returns {Concerned | null} null: nothing is called so
 */
function concernedBy(word, root) {
  const given = path.relative(root, path.resolve(root, word)).replaceAll(path.sep, '/');
  if (given !== '' && !given.startsWith('..') && fs.existsSync(path.join(root, given)))
    return byPath(given, root);
  const name = word
    .replace(/^tune\./, '')
    .replace(/(\.test)?\.js$/, '')
    .replaceAll('.', '-');
  const sources = SOURCES.flatMap((folder) => filesBelow(folder, root)).filter((file) =>
    isCalled(file, name),
  );
  const tests = filesBelow('test', root).filter((file) => isTest(file) && isCalled(file, name));
  return sources.length + tests.length === 0 ? null : sorted(sources, tests, root);
}

/** @param {string} given @param {string} root */
function byPath(given, root) {
  const files = fs.statSync(path.join(root, given)).isDirectory()
    ? filesBelow(given, root)
    : [given];
  const { tests, slow, sources } = sorted(
    files.filter((file) => !isTest(file)),
    files.filter(isTest),
    root,
  );
  // Who names a test wants that one.
  return isTest(given) ? { sources, tests: [given], slow: [] } : { sources, tests, slow };
}

/**
 * @param {string[]} sources @param {string[]} named tests
 * @param {string} root
 * @returns {Concerned}
 */
function sorted(sources, named, root) {
  const tests = [...new Set([...named, ...testsOf(sources, root)])].sort();
  const known = Object.assign({}, ...Object.values(SUITES).map(coreFiles));
  let left = SERVER_SECONDS;
  /** @param {string} file */
  const fits = (file) => {
    if (UNIT.some((folder) => file.startsWith(`${folder}/`))) return true;
    if (!(known[file] <= left)) return false;
    left -= known[file];
    return true;
  };
  const quick = tests.filter(fits);
  return { sources, tests: quick, slow: tests.filter((file) => !quick.includes(file)) };
}

/**
 * The unit tests that stand where the source does, or load it.
 * @param {string[]} sources
 * @param {string} root
 */
function testsOf(sources, root) {
  const ends = sources.filter((file) => file.endsWith('.js')).map((file) => file.slice(0, -3));
  return UNIT.flatMap((folder) => filesBelow(folder, root))
    .filter(isTest)
    .filter((test) => {
      const own = ends.some((end) => test === `test/unit/${end.replace(/^lib\//, '')}.test.js`);
      if (own || ends.length === 0) return own;
      const text = fs.readFileSync(path.join(root, test), 'utf8');
      return ends.some((end) => text.includes(`/${end}'`) || text.includes(`/${end}.js'`));
    });
}

/**
 * Names that might have been meant.
 * @param {string} word
 * @param {string} root
 * @returns {string[]}
 */
function namesNear(word, root) {
  const name = path.basename(word).replace(/(\.test)?\.js$/, '');
  const names = [
    ...new Set([...SOURCES, 'test'].flatMap((folder) => filesBelow(folder, root)).map(nameOf)),
  ].sort();
  const like = nearest(name, names);
  const parts = names.filter(
    (one) => name.length > 2 && (one.includes(name) || (one.length > 3 && name.includes(one))),
  );
  return [...new Set([...(like === null ? [] : [like]), ...parts])].slice(0, SHOWN_NAMES);
}

/**
 * By its own name, or by that of its folder: `split` is lib/split, too.
 * @param {string} file
 * @param {string} name
 */
function isCalled(file, name) {
  return nameOf(file) === name || path.basename(path.dirname(file)) === name;
}

/** @param {string} file */
const nameOf = (file) => path.basename(file).replace(/(\.test)?\.js$/, '');

/** @param {string} file */
const isTest = (file) => file.endsWith('.test.js');

/** @param {string} folder @param {string} root @returns {string[]} */
function filesBelow(folder, root) {
  const place = path.join(root, folder);
  if (!fs.existsSync(place)) return [];
  return fs
    .readdirSync(place, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.js'))
    .map((name) => `${folder}/${name.replaceAll(path.sep, '/')}`)
    .sort();
}

module.exports = { REGISTRY, concernedBy, namesNear };
