'use strict';

const { spawnSync } = require('node:child_process');

/** @param {string} program @param {string[]} args @returns {boolean} */
const runs = (program, args) => spawnSync(program, args, { stdio: 'ignore' }).status === 0;

/**
 * The shells of POSIX that are here: each is to run what we write.
 * @returns {{ name: string, command: string[] }[]}
 */
const shellsHere = () =>
  [['dash'], ['busybox', 'sh'], ['bash', '--posix'], ['sh']]
    .filter(([program, ...args]) => runs(program, [...args, '-c', 'exit 0']))
    .map((command) => ({ name: command.join(' '), command }));

/**
 * @param {string} script
 * @returns {string | null} what shellcheck finds in it, empty for nothing; null where it is not
 *   installed
 */
function shellcheck(script) {
  const { error, stdout } = spawnSync('shellcheck', ['--shell=sh', '-'], {
    input: script,
    encoding: 'utf8',
  });
  return error ? null : stdout;
}

module.exports = { shellsHere, shellcheck };
