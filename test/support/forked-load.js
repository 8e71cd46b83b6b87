'use strict';

const path = require('node:path');
const { fork } = require('node:child_process');
const { once } = require('node:events');

/**
 * @import { ChildProcess } from 'node:child_process'
 */

/**
 * Starts a load as a process of its own.
 * @param {string} file
 * @param {string[]} args
 * @returns {Promise<{ child: ChildProcess, ended: Promise<unknown> }>} once it says that its data is
 *   in and it runs
 */
async function forkLoad(file, args) {
  const child = fork(file, args);
  const ended = once(child, 'exit');
  await Promise.race([
    once(child, 'message'),
    ended.then(([code]) => {
      throw new Error(`${path.basename(file)} ended with ${code} before it began`);
    }),
  ]);
  return { child, ended };
}

module.exports = { forkLoad };
