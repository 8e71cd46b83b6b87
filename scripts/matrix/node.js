'use strict';

const path = require('node:path');
const { installRelease } = require('./install');

const WINDOWS = process.platform === 'win32';

/**
 * A Node.js: the program alone, without the installer of the package `node`, which is a script.
 * @param {string} wanted a version, or a line such as `22`
 * @param {{ env: NodeJS.ProcessEnv, progress: (line: string) => void }} means
 * @returns {Promise<{ program: string, version: string } | { why: string }>}
 */
async function installNode(wanted, means) {
  const node = await installRelease(
    `node-${WINDOWS ? 'win' : process.platform}-${process.arch}`,
    wanted,
    means,
  );
  return 'why' in node
    ? node
    : {
        program: path.join(node.folder, 'bin', WINDOWS ? 'node.exe' : 'node'),
        version: node.version,
      };
}

module.exports = { installNode };
