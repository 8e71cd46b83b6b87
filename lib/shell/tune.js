'use strict';

const { inspect } = require('node:util');
const { keepComment } = require('../base/pure/answer-comments');
const { SHOWN_BY } = require('../base/pure/command');
const { TuneError } = require('../base/pure/errors');
const { addLine } = require('../text/report');
const { wrap } = require('../text/wrap');
const { readPolicy } = require('../policy/policy-sources');
const { makePort, commandOf } = require('./port');

/**
 * @import { Command } from '../base/pure/command'
 * @import { CallPermit } from '../policy/call-permit'
 * @import { Connected, DataContext, Port } from '../base/context'
 * @import { Job } from './interrupt'
 * @import { Send } from './member-connection'
 * @import { Listed, Table } from './registry'
 * @import { Environment } from './types'
 */

/** mongosh awaits a promise with this symbol anywhere in an expression: `tune.status().cache`. */
const SYNTHETIC = Symbol.for('@@mongosh.syntheticPromise');

/** @typedef {Record<string | symbol, any>} Tune */

/**
 * Makes the object `tune`. Its own enumerable names are the commands, and it inherits nothing, so
 * that TAB offers nothing else.
 * @param {Table} table
 * @param {Environment} environment
 * @returns {Tune}
 */
function makeTune(table, environment) {
  /** @type {Tune} */
  const tune = Object.create(null);
  const policyPlaces = { ...environment.policyPlaces, commands: () => namesIn(table) };
  const known = { ...environment, policyPlaces };
  const remember = (/** @type {unknown} */ answer) => hide(tune, 'last', answer);
  for (const [name, listed] of Object.entries(table))
    tune[name] = makeCommand(listed, known, remember);
  remember(undefined);
  const overview = () => require('./help').overview(table);
  hideLazily(tune, 'help', () => require('./help').overallHelp(table));
  hide(tune, inspect.custom, overview);
  hide(tune, Symbol.toPrimitive, overview);
  return tune;
}

/** @param {Table} table @returns {string[]} */
const namesIn = (table) =>
  Object.values(table).flatMap(({ name, commands }) => [name, ...namesIn(commands)]);

/**
 * Makes the function that users call, with its help and the commands below it.
 * @param {Listed} listed
 * @param {Environment} environment
 * @param {(answer: unknown) => void} remember
 */
function makeCommand(listed, environment, remember) {
  const { name, load, commands } = listed;
  /** @type {Tune} */
  const command = bind(listed, environment, remember);
  // The methods of every function (apply, bind, call …) are no commands: TAB must not offer them.
  Object.setPrototypeOf(command, null);
  for (const own of ['name', 'length']) delete command[own];
  hideLazily(command, 'help', () => require('./help').commandHelp(load(), commands));
  for (const [below, listed] of Object.entries(commands))
    command[below] = makeCommand(listed, environment, remember);
  // `tune.status` without parentheses shows its help.
  hide(command, inspect.custom, () => {
    const { usage, summary } = load();
    return wrap(
      `${usage}  ${summary}. Call it with (); tune.${name}.help() explains it.`,
      '  ',
      '',
    ).join('\n');
  });
  return command;
}

/**
 * Binds a command to its environment.
 * @param {Pick<Listed, 'name' | 'load'>} listed
 * @param {Environment} environment
 * @param {(answer: unknown) => void} remember
 * @returns {(...args: unknown[]) => Promise<unknown>}
 */
function bind({ name, load }, environment, remember) {
  /** @param {unknown[]} args */
  const call = async (...args) => {
    const command = load();
    return environment.guard(
      jobOf(name, command, environment, async (ctx) => {
        const answer = await command.run(ctx, ...args);
        if (name !== 'policy') await addPolicy(answer, ctx.call);
        keepComment(answer, ctx.call?.writtenAs ?? null);
        remember(answer);
        return answer;
      }),
    );
  };
  return (...args) => awaited(call(...args));
}

/**
 * Adds what the policy requires to the calls that an answer prints.
 * @param {unknown} answer
 * @param {DataContext['call']} call
 */
async function addPolicy(answer, call) {
  for (const line of [call?.ticketLine, await call?.refusedNow()])
    if (line) addLine(answer, `  ${line}`, hasConfirmCall);
}

/** A call may be broken over two lines. @param {string} text */
const hasConfirmCall = (text) => /confirm:\s+true/.test(text);

/**
 * Makes one call of a command a job, which the environment runs and interrupts.
 * @param {string} name
 * @param {Command} command
 * @param {Environment} environment
 * @param {(ctx: DataContext) => Promise<unknown>} work
 * @returns {Job}
 */
function jobOf(name, { changes, endsByInterrupt, onMongos }, environment, work) {
  const { CallPermit } = require('../policy/call-permit');
  const policy = () => readPolicy(environment.home, environment.policyPlaces);
  const permit = new CallPermit({
    name,
    isChanging: changes !== 'nothing',
    send: environment.send,
    sources: () => policy().sources,
  });
  const { port, shut } = makePort(
    environment.send,
    environment.open,
    permit.guard(environment.send),
  );
  const others = ownConnections(permit);
  const progress = environment.progress();
  return {
    changes: changes !== 'nothing',
    shownBy: SHOWN_BY[changes],
    goesOn: endsByInterrupt === true,
    giveUp() {
      shut();
      others.shut();
    },
    /** @param {AbortSignal} signal */
    async run(signal) {
      try {
        await environment.noticeUnfinished?.(name, port);
        return await work({
          port,
          call: permit,
          policy,
          signal,
          progress,
          home: environment.home,
          terminal: environment.terminal,
          connection: async () => environment.address(),
          connect: async (host) => others.add(await environment.connect(host)),
          reach: async (uri, ms) => others.add(await environment.reach(uri, ms)),
          guarded: others.guarded,
        });
      } catch (error) {
        throw toTuneError(name, error, { signal, onMongos });
      } finally {
        progress(null);
      }
    },
  };
}

/**
 * Keeps the connections that a command opens: once it was given up, nothing is sent over them, nor
 * over one that is opened later.
 * @param {CallPermit} permit
 * @returns {{
 *   add(connected: Connected): Connected, guarded(send: Send): Port, shut(): void
 * }}
 */
function ownConnections(permit) {
  /** @type {(() => void)[]} */
  const shuts = [];
  let isShut = false;
  /** @param {Send} send */
  const guarded = (send) => {
    const { port, shut } = makePort(send, undefined, permit.guard(send));
    shuts.push(shut);
    if (isShut) shut();
    return port;
  };
  return {
    guarded,
    add: (connected) => ({
      ...connected,
      port: guarded((...call) => connected.port.command(...call)),
    }),
    shut() {
      isShut = true;
      for (const shut of shuts) shut();
    },
  };
}

/**
 * Turns any error into an error of tune.
 * @param {string} name
 * @param {unknown} error
 * @param {{ signal: AbortSignal, onMongos?: string }} how `onMongos`: what to do on a mongos
 *   instead
 */
function toTuneError(name, error, { signal, onMongos }) {
  const command = commandOf(error);
  // After Ctrl-C only an error of the connection counts as caused by it.
  const mapped = require('../base/server-errors').mapServerError(
    error,
    command ?? `tune.${name}`,
    command ? signal : undefined,
  );
  if (onMongos === undefined || !(mapped instanceof TuneError) || mapped.code !== 'TUNE-20003')
    return mapped;
  return new TuneError(
    'TUNE-20003',
    `tune.${name} is about one mongod, and this is a mongos: ${onMongos}.`,
    { value: 'mongos', allowed: ['mongod'], cause: mapped },
  );
}

/** @template T @param {Promise<T>} promise */
const awaited = (promise) => Object.defineProperty(promise, SYNTHETIC, { value: true });

/**
 * Adds a property that TAB does not offer.
 * @param {object} target
 * @param {string | symbol} name
 * @param {unknown} value
 */
const hide = (target, name, value) =>
  Object.defineProperty(target, name, {
    value,
    writable: true,
    configurable: true,
    enumerable: false,
  });

/** @param {object} target @param {string} name @param {() => unknown} make */
const hideLazily = (target, name, make) =>
  Object.defineProperty(target, name, { get: make, configurable: true, enumerable: false });

module.exports = { makeTune, bind, awaited };
