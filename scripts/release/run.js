'use strict';

const { spawnSync } = require('node:child_process');

/** @typedef {{ code: number, stdout: string, stderr: string }} Ended */

/**
 * A program to its end, in the folder of the package.
 * @param {{ root: string, env: NodeJS.ProcessEnv }} place
 * @param {string} program
 * @param {string[]} args
 * @param {{ shown?: boolean }} [options] `shown`: what it prints goes to the terminal, and is not
 *   kept
 * @returns {Ended} `code` -1: it could not be started, `stderr` says why
 */
function run({ root, env }, program, args, { shown = false } = {}) {
  const { status, stdout, stderr, error } = spawnSync(program, args, {
    cwd: root,
    env,
    encoding: 'utf8',
    maxBuffer: 2 ** 28,
    stdio: ['ignore', shown ? 'inherit' : 'pipe', shown ? 'inherit' : 'pipe'],
  });
  return {
    code: error ? -1 : (status ?? -1),
    stdout: stdout ?? '',
    stderr: error ? error.message : (stderr ?? ''),
  };
}

module.exports = { run };
