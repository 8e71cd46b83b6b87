'use strict';

const { TuneError } = require('../base/pure/errors');
const { show } = require('../base/pure/options');
const { makePort, commandOf } = require('./port');

/**
 * @import { Entry } from '../../snippets/tune'
 * @import { Connected, DataContext, Port, Terminal } from '../base/context'
 * @import { Address } from './address'
 * @import { Job } from './interrupt'
 * @import { Send } from './one-connection'
 * @import { Open } from './port'
 */

// mongosh awaits a promise that carries this, wherever it stands in an expression:
// `tune.status().cache` works.
const SYNTHETIC = Symbol.for('@@mongosh.syntheticPromise');

/**
 * @typedef {{
 *   send: Send, open?: Open,
 *   address(): Address,
 *   connect(host: string): Promise<Connected>,
 *   reach(uri: string, ms: number): Promise<Connected>, home: string,
 *   terminal: Terminal, progress(): (text: string | null) => void,
 *   guard(job: Job): Promise<unknown>,
 *   leftBehind?(command: string, port: Port): Promise<void>
 * }} Place where commands run: a mongosh, or plain Node. `guard` runs a job and interrupts it when
 *   the place says so
 */

/**
 * Makes the function that users call.
 * @param {string} name
 * @param {Entry} entry
 * @param {Place} place
 * @param {(answer: unknown) => void} remember
 * @returns {(...args: unknown[]) => Promise<unknown>}
 */
function bind(name, entry, place, remember) {
  return (...args) =>
    awaited(
      place.guard(
        jobOf(name, entry, place, async (ctx) => {
          checkCount(name, entry, args);
          const answer = await loadCommand(name, entry)(ctx, ...args);
          remember(answer);
          return answer;
        }),
      ),
    );
}

/**
 * JavaScript drops what a function does not take: `tune.bench("ycsb-a", { confirm: true })` would
 * run another benchmark than was meant.
 * @param {string} name
 * @param {Entry} entry
 * @param {readonly unknown[]} args
 * @throws {TuneError} TUNE-10002
 */
function checkCount(name, { takes, usage }, args) {
  const extra = args.slice(takes.length).find((arg) => arg !== undefined);
  if (extra === undefined) return;
  const max =
    takes.length === 0
      ? 'takes no argument'
      : `takes ${takes.length === 1 ? 'one argument' : 'two arguments'} at most`;
  throw new TuneError(
    'TUNE-10002',
    `tune.${name} ${max}, as in ${usage}; ${show(extra)} is one too many.`,
    { value: extra, allowed: usage },
  );
}

/**
 * @param {string} name
 * @param {Entry} entry
 * @param {Place} place
 * @param {(ctx: DataContext) => Promise<unknown>} work
 */
function jobOf(name, entry, place, work) {
  const { port, shut } = makePort(place.send, place.open);
  const progress = place.progress();
  return {
    changes: entry.changes,
    shownBy: entry.shownBy ?? 'tune.history()',
    goesOn: entry.endsByInterrupt === true,
    giveUp: shut,
    /** @param {AbortSignal} signal */
    async run(signal) {
      try {
        await place.leftBehind?.(name, port);
        return await work({
          port,
          signal,
          progress,
          home: place.home,
          terminal: place.terminal,
          connection: async () => place.address(),
          connect: async (host) => place.connect(host),
          reach: async (uri, ms) => place.reach(uri, ms),
        });
      } catch (error) {
        throw toTuneError(name, error, signal);
      } finally {
        progress(null);
      }
    },
  };
}

/** @param {string} name @param {Entry} entry */
function loadCommand(name, entry) {
  try {
    return entry.load();
  } catch (cause) {
    // Node.js adds the whole way of requires in further lines.
    const [why] = /** @type {Error} */ (cause).message.split('\n');
    throw new TuneError(
      'TUNE-90001',
      `tune.${name} cannot be loaded: ${why}. If the installation is not complete, install ` +
        'tune again.',
      { cause },
    );
  }
}

/** @param {string} name @param {unknown} error @param {AbortSignal} signal */
function toTuneError(name, error, signal) {
  const command = commandOf(error);
  // After Ctrl-C only what the connection says is its doing.
  const mapped = require('../base/server-errors').mapServerError(
    error,
    command ?? `tune.${name}`,
    command ? signal : undefined,
  );
  const instead =
    mapped instanceof TuneError && mapped.code === 'TUNE-20003'
      ? require('../server/pure/on-mongos').insteadOf(name)
      : null;
  return instead === null
    ? mapped
    : new TuneError(
        'TUNE-20003',
        `tune.${name} is about one mongod, and this is a mongos: ${instead}.`,
        { value: 'mongos', allowed: ['mongod'], cause: mapped },
      );
}

/** @template T @param {Promise<T>} promise */
const awaited = (promise) => Object.defineProperty(promise, SYNTHETIC, { value: true });

module.exports = { bind, awaited };
