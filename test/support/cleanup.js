'use strict';

const fs = require('node:fs');
const os = require('node:os');
const path = require('node:path');

/**
 * @import { ChildProcess } from 'node:child_process'
 */

/** Things to end at once when this process ends in any way but kill -9. @type {Set<() => void>} */
const pending = new Set();
let armed = false;

/**
 * Registers what must not outlive this process.
 * @param {() => void} end synchronous; called at most once
 * @returns {() => void} call it when the thing was ended in the ordinary way
 */
function endWithProcess(end) {
  if (!armed) arm();
  pending.add(end);
  return () => pending.delete(end);
}

function arm() {
  armed = true;
  process.on('exit', endAll);
  // Mocha answers the first SIGINT by finishing politely, which takes as long as the hook it is in.
  for (const [signal, number] of [
    ['SIGINT', 2],
    ['SIGTERM', 15],
    ['SIGHUP', 1],
  ]) {
    process.prependListener(signal, () => process.exit(128 + number));
  }
}

function endAll() {
  for (const end of pending) {
    pending.delete(end);
    try {
      end();
    } catch (error) {
      process.stderr.write(`cleaning up: ${error.message}\n`);
    }
  }
}

/** @param {(ChildProcess | undefined)[]} processes */
function killNow(processes) {
  for (const one of processes) one?.kill('SIGKILL');
}

/**
 * Ends processes whose work is thrown away anyway: the orderly shutdown of a mongod writes a
 * checkpoint first.
 * @param {(ChildProcess | undefined)[]} processes
 */
async function kill(processes) {
  const alive = processes.filter((one) => one && one.exitCode === null && one.signalCode === null);
  const gone = alive.map((one) => new Promise((resolve) => one.once('exit', resolve)));
  killNow(alive);
  await Promise.all(gone);
}

/**
 * A folder that goes away with this process at the latest. After a kill -9 the next process sweeps
 * up those under os.tmpdir().
 * @param {string} purpose
 * @param {string} [withTimeout]
 * @returns {{ path: string, remove: () => void }}
 */
function temporaryFolder(purpose, withTimeout = os.tmpdir()) {
  sweep();
  const folder = fs.mkdtempSync(path.join(withTimeout, `mongosh-tune-${process.pid}-${purpose}-`));
  const removeNow = () =>
    fs.rmSync(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 50 });
  const forget = endWithProcess(removeNow);
  return {
    path: folder,
    remove() {
      removeNow();
      forget();
    },
  };
}

let swept = false;

function sweep() {
  if (swept) return;
  swept = true;
  for (const name of fs.readdirSync(os.tmpdir())) {
    const pid = Number(/^mongosh-tune-(\d+)-/.exec(name)?.[1] ?? 0);
    if (pid !== 0 && !isAlive(pid))
      fs.rmSync(path.join(os.tmpdir(), name), { recursive: true, force: true });
  }
}

/** @param {number} pid */
function isAlive(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error.code === 'EPERM';
  }
}

module.exports = { endWithProcess, kill, killNow, temporaryFolder };
