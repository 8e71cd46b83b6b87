'use strict';

const assert = require('node:assert/strict');
const fs = require('node:fs');
const path = require('node:path');
const vm = require('node:vm');
const { isPure } = require('../../scripts/lint/rooms');
const { sourceFiles } = require('../support/source-files');

const lib = path.join(__dirname, '..', '..', 'lib');
/** Packages that pure files may use: they compute and draw, and do no I/O of ours. */
const ALLOWED_PACKAGES = new Set(['cli-table3']);

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

describe('what is pure', () => {
  const root = path.join(lib, '..');
  for (const file of sourceFiles(lib).filter((one) =>
    isPure(path.relative(root, one).replaceAll(path.sep, '/')),
  )) {
    it(`${path.relative(lib, file)} loads in an empty realm`, () =>
      assert.ok(loadBare(file, vm.createContext(Object.create(null)), new Map())));
  }
});

describe('the walls between the rooms', () => {
  const { ESLint } = require('eslint');
  const eslint = new ESLint({ cwd: path.join(__dirname, '..', '..') });
  for (const [where, code] of [
    ['lib/rules/engine/x.js', "require('../../server/facts');"],
    ['lib/diagnose/x.js', "require('node:fs');"],
    ['lib/diagnose/x.js', "require('os');"],
    ['lib/config/x.js', "require('../diagnose/diagnose');"],
    ['lib/text/x.js', "require('../commands/status');"],
    ['lib/text/x.js', "/** @import { Settings } from '../change/types' */"],
    ['lib/server/pure/x.js', "/** @type {import('../../observe/types').Observation} */ let x;"],
    ['lib/server/pure/x.js', "require('../facts');"],
    ['lib/server/x.js', "require('../change/journal');"],
    ['lib/host/x.js', "require('../shell/port');"],
    ['lib/split/x.js', "require('../report/pure/html/kinds');"],
    ['lib/split/pure/x.js', "require('../cut');"],
    ['lib/split/x.js', "require('../../snippets/check');"],
    ['lib/trial/x.js', "require('../bench/session');"],
    ['lib/bench/load/workloads/x.js', 'Math.random();'],
    ['lib/bench/load/workloads/x.js', "require('node:fs');"],
    ['lib/commands/x.js', "require('../shell/tune');"],
    ['lib/config/x.js', 'Date.now();'],
    ['lib/ttl/pure/x.js', 'Date.now();'],
    ['lib/text/x.js', 'process.stdout.write("x");'],
    ['lib/commands/x.js', 'process.exit(1);'],
    ['lib/host/x.js', 'console.log(1);'],
  ]) {
    it(`${where} may not: ${code}`, async () => {
      const [{ messages }] = await eslint.lintText(`'use strict';\n${code}\n`, { filePath: where });
      assert.ok(
        messages.some(({ ruleId }) => /^(no-(restricted|console)|own\/)/.test(ruleId ?? '')),
        JSON.stringify(messages),
      );
    });
  }
});
