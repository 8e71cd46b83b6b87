'use strict';

const { fork } = require('node:child_process');
const { checkDriver } = require('../../base/driver');
const { programOf } = require('../../base/own-files');
const { TuneError } = require('../../base/pure/errors');
const { withoutSecrets } = require('../../base/server-errors');

/**
 * Processes that make load. A compiled mongosh is no Node.js, but is one for its own package
 * manager when this variable is set; a real Node.js does not know it.
 */
const AS_NODE = Object.freeze({ MONGOSH_RUN_NODE_SCRIPT: '1' });
const MAIN = 'lib/bench/load/worker/main.js';
/** A process that has not quit after this time is killed. */
const QUIT_MS = 2000;

/**
 * @typedef {{
 *   ask(what: string, order?: Record<string, unknown>): Promise<any>, kill(): Promise<void>,
 *   quit(): Promise<void>, pid: number | undefined
 * }} Worker
 * @typedef {(event: { event: string, worker: number, [more: string]: any }) => void} Listener
 */

/**
 * @param {number} number its own @param {Listener} listen
 * @returns {Worker}
 * @throws {TuneError} TUNE-40011
 */
function startWorker(number, listen) {
  checkDriver('A client process of the benchmark');
  // No arguments: what is to be kept secret, such as a connection string, goes over the channel.
  const { main, env } = programOf(MAIN);
  const child = fork(main, [], {
    env: { ...process.env, ...AS_NODE, ...env },
    execArgv: [],
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  });
  /** @type {Map<number, { resolve(value: any): void, reject(error: Error): void }>} */
  const waiting = new Map();
  let [asked, said] = [0, ''];
  /** @type {Error | null} */ let dead = null;
  child.stderr?.setEncoding('utf8').on('data', (text) => {
    said = (said + text).slice(-2000);
  });
  child.on('message', (/** @type {any} */ { id, value, failed, ...event }) => {
    const call = waiting.get(id);
    if (!call) return void (event.event && listen({ ...event, worker: number }));
    waiting.delete(id);
    if (failed) call.reject(asError(failed));
    else call.resolve(value);
  });
  const gone = new Promise((resolve) => {
    const end = (/** @type {string} */ how) => {
      dead ??= died(how, said);
      for (const { reject } of waiting.values()) reject(dead);
      waiting.clear();
      resolve(undefined);
    };
    child.on('error', ({ message }) => end(message));
    child.on('close', (code, signal) => end(`it ended with ${signal ?? code}`));
  });
  const ask = (/** @type {string} */ what, order = {}) =>
    new Promise((resolve, reject) => {
      if (dead) return void reject(dead);
      const id = ++asked;
      waiting.set(id, { resolve, reject });
      child.send({ ...order, id, do: what }, (error) => {
        if (error && waiting.delete(id)) reject(dead ?? died(error.message, said));
      });
    });
  const kill = async () => {
    child.kill('SIGKILL');
    await gone;
  };
  return {
    ask,
    kill,
    pid: child.pid,
    async quit() {
      const late = setTimeout(() => child.kill('SIGKILL'), QUIT_MS);
      ask('quit').catch(() => {});
      await gone;
      clearTimeout(late);
    },
  };
}

/** @param {{ name: string, code?: number, message: string }} failed */
const asError = ({ name, code, message }) =>
  Object.assign(new Error(withoutSecrets(message)), { name, ...(code !== undefined && { code }) });

/** @param {string} how @param {string} said */
function died(how, said) {
  const line = withoutSecrets(
    said
      .trim()
      .split('\n')
      .findLast((one) => /Error|error/.test(one)) ?? '',
  );
  return new TuneError(
    'TUNE-40007',
    `A client process of the benchmark ended: ${how}${line ? ` (${line})` : ''}.`,
    { value: how },
  );
}

module.exports = { startWorker };
