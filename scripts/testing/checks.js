'use strict';

const fs = require('node:fs');
const path = require('node:path');
const { runNode } = require('./process');

/**
 * @import { Result, Setting } from './suites'
 */

/**
 * Checks that are one program each, and count as one test each.
 * @type {Record<string, { program: (root: string) => string, args: string[] }>}
 */
const CHECKS = {
  lint: { program: () => bin('eslint', 'bin/eslint.js'), args: ['.'] },
  format: { program: () => bin('prettier', 'bin/prettier.cjs'), args: ['--check', '**/*.js'] },
  types: { program: () => bin('typescript', 'bin/tsc'), args: ['-p', '.'] },
  'types of pages': {
    program: () => bin('typescript', 'bin/tsc'),
    args: ['-p', 'tsconfig.page.json'],
  },
  schemas: { program: (root) => path.join(root, 'scripts/schemas.js'), args: ['--check'] },
  docs: { program: (root) => path.join(root, 'scripts/docs.js'), args: ['--check'] },
};

/**
 * @param {string} name
 * @param {Setting} setting
 * @param {string[]} [args] other ones than those for everything
 * @returns {Promise<Result>}
 */
async function runCheck(name, { root, env, limitMs }, args = CHECKS[name].args) {
  const started = Date.now();
  const { program } = CHECKS[name];
  if (!fs.existsSync(program(root)))
    return { name, passed: 0, failed: 0, skipped: 0, ms: 0, notes: ['not there yet'] };
  const { code, output, killed } = await runNode([program(root), ...args], {
    cwd: root,
    env,
    limitMs,
  });
  const good = code === 0 && killed === null;
  return {
    name,
    passed: good ? 1 : 0,
    failed: good ? 0 : 1,
    skipped: 0,
    ms: Date.now() - started,
    notes: [output, killed ?? ''].filter(Boolean),
  };
}

/** @param {string} name @param {string} file */
function bin(name, file) {
  return path.join(path.dirname(require.resolve(`${name}/package.json`)), file);
}

module.exports = { runCheck };
