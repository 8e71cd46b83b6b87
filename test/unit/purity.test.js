'use strict';

const assert = require('node:assert/strict');
const fs = require('node:fs');
const path = require('node:path');
const vm = require('node:vm');
const { sourceFiles } = require('../support/source-files');

const lib = path.join(__dirname, '..', '..', 'lib');
const PURE = ['model', 'diagnose', 'plan', 'render'];
/** Runs in a browser; test/browser looks at it there. */
const PAGE = path.join(lib, 'render', 'page', path.sep);
/** Packages that pure files may use: they reckon and draw, and do no I/O of ours. */
const ALLOWED_PACKAGES = new Set(['cli-table3', 'jstat']);

/**
 * Loads a file in a realm that has the language and nothing else: no process, no timers, no require
 * of Node.
 * @param {string} file
 * @param {vm.Context} realm
 * @param {Map<string, any>} seen
 */
function loadBare(file, realm, seen) {
  if (seen.has(file)) return seen.get(file).exports;
  if (file.endsWith('.json')) return JSON.parse(fs.readFileSync(file, 'utf8'));
  const module = { exports: {} };
  seen.set(file, module);
  const bareRequire = (/** @type {string} */ spec) => {
    if (ALLOWED_PACKAGES.has(spec)) return require(spec);
    assert.ok(spec.startsWith('.'), `${path.relative(lib, file)} requires ${spec}`);
    return loadBare(require.resolve(path.join(path.dirname(file), spec)), realm, seen);
  };
  vm.runInContext(
    `(function (module, exports, require) {${fs.readFileSync(file, 'utf8')}\n})`,
    realm,
  )(module, module.exports, bareRequire);
  return module.exports;
}

describe('the pure layers', () => {
  for (const file of PURE.flatMap((dir) => sourceFiles(path.join(lib, dir))).filter(
    (file) => !file.startsWith(PAGE),
  )) {
    it(`${path.relative(lib, file)} loads in an empty realm`, () =>
      assert.ok(loadBare(file, vm.createContext(Object.create(null)), new Map())));
  }
});

describe('the walls between the layers', () => {
  const { ESLint } = require('eslint');
  const eslint = new ESLint({ cwd: path.join(__dirname, '..', '..') });
  for (const [where, code] of [
    ['lib/diagnose/rules/x.js', "require('../../collect/facts');"],
    ['lib/diagnose/x.js', "require('node:fs');"],
    ['lib/plan/x.js', "require('../diagnose/run');"],
    ['lib/render/x.js', "require('../commands/status');"],
    ['lib/model/x.js', "require('../errors');"],
    ['lib/apply/x.js', "require('../collect/facts');"],
    ['lib/collect/x.js', "require('../shell/port');"],
    ['lib/split/x.js', "require('../collect/facts');"],
    ['lib/split/x.js', "require('../render/split');"],
    ['lib/bench/x.js', "require('../collect/facts');"],
    ['lib/bench/keys/x.js', 'Math.random();'],
    ['lib/bench/workloads/x.js', "require('mongodb');"],
    ['lib/plan/x.js', "require('../bench/workers');"],
    ['lib/commands/x.js', "require('../shell/bind');"],
    ['lib/model/x.js', 'Date.now();'],
    ['lib/render/x.js', 'process.stdout.write("x");'],
    ['lib/commands/x.js', 'process.exit(1);'],
    ['lib/collect/x.js', 'console.log(1);'],
  ]) {
    it(`${where} may not: ${code}`, async () => {
      const [{ messages }] = await eslint.lintText(`'use strict';\n${code}\n`, { filePath: where });
      assert.ok(
        messages.some(({ ruleId }) => /^no-(restricted|console)/.test(ruleId ?? '')),
        JSON.stringify(messages),
      );
    });
  }
});
