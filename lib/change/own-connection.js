'use strict';

const { HELLO } = require('../server/pure/commands');
const { processIdOf, readServerRun } = require('../server/identity');
const { withTimeout } = require('../base/timing');
const { TuneError } = require('../base/pure/errors');
const { otherServer } = require('./check-server');

/**
 * @import { Connected, Port } from '../base/context'
 * @import { Context } from '../base/types'
 * @import { Planned } from './check-server'
 */

/**
 * Opens a connection for the change of one member, which leads to that member only: the driver of a
 * replica set follows an election by itself, also between two commands.
 */

/** Milliseconds to connect, with two commands that a healthy server answers in milliseconds. */
const CONNECT_MS = 5000;

/**
 * @template T
 * @param {Context} ctx
 * @param {(ctx: Context) => Promise<T>} act
 * @returns {Promise<T>} the result, over the existing connection where no other can be opened: to a
 *   server in no set, or one whose names lead nowhere from here
 */
async function onOwnConnection(ctx, act) {
  const opened = closable();
  try {
    const port = await ownPort(ctx, opened.keep);
    return await act(port === null ? ctx : { ...ctx, port });
  } finally {
    opened.close();
  }
}

/**
 * Collects connections that are closed together; one that comes later is closed at once.
 * @returns {{ keep(connected: Connected): Connected, close(): void }}
 */
function closable() {
  /** @type {Connected[]} */
  const opened = [];
  let isClosed = false;
  const close = () => {
    isClosed = true;
    // The close is not awaited: closing a dead connection can hang.
    for (const connected of opened.splice(0)) connected.close().catch(() => {});
  };
  const keep = (/** @type {Connected} */ connected) => {
    opened.push(connected);
    if (isClosed) close();
    return connected;
  };
  return { keep, close };
}

/**
 * @param {Context} ctx
 * @param {(connected: Connected) => Connected} keep gets the connections to close
 * @returns {Promise<Port | null>}
 */
async function ownPort(ctx, keep) {
  // The next command reports a missing privilege.
  const run = await readServerRun(ctx.port).catch(() => null);
  const me = run?.me ?? null;
  if (run === null || me === null || run.processId === null) return null;
  const readAtMs = run.clockMs === null ? undefined : Date.now() + run.clockMs;
  const prove = (/** @type {Port} */ port) => proveProcess(port, { run, readAtMs });
  for (const host of [me, ...(await shellHosts(ctx)).filter((one) => one !== me)]) {
    const open = async () => keep(await ctx.connect(host));
    const port = await withTimeout(
      () => heldPort(open, { host: me, prove }),
      CONNECT_MS,
      ctx.signal,
    ).catch(() => null);
    if (port !== null) return port;
  }
  return null;
}

/**
 * Checks that the planned process answers and accepts this user: a login typed later is not in the
 * connection string.
 * @param {Port} port
 * @param {Planned} meant
 * @throws {TuneError} TUNE-20010, `restarted` where it is the same server; and the driver's errors
 */
async function proveProcess(port, meant) {
  const { me, processId } = meant.run;
  if (processIdOf(await port.adminCommand(HELLO)) !== processId) {
    // Without that privilege the error has only what is known.
    const now = await readServerRun(port).catch(() => null);
    if (now !== null) throw otherServer(now, meant);
    throw new TuneError('TUNE-20010', `Another process now answers at ${me}.`, { value: me });
  }
  await port.adminCommand({ getParameter: 1, wiredTigerEngineRuntimeConfig: 1 });
}

/** Matches scheme, credentials and hosts (MongoDB Connection String Specification). */
const HOSTS = /^mongodb:\/\/(?:[^@/?]*@)?([^/?]+)/;

/**
 * @param {Context} ctx
 * @returns {Promise<string[]>} the hosts as the shell's connection string names them; none behind
 *   SRV
 */
async function shellHosts(ctx) {
  try {
    const { uri } = await ctx.connection();
    return HOSTS.exec(uri)?.[1].split(',') ?? [];
  } catch (_notReported) {
    return [];
  }
}

/**
 * The server that is meant, whatever answers at its address.
 * @typedef {{ host: string, prove(port: Port): Promise<void> }} Meant `prove`: rejects where another
 *   server answers
 * @typedef {{ connected: Connected, isHeld: boolean }} Proven `isHeld`: whether it refuses to use
 *   another connection; where it cannot refuse, the server is checked after each call
 */

/**
 * A connection to one server. Once lost, it is opened again for reading, and proven again. A
 * setting is changed only over the connection that answered the last hello.
 */
class HeldConnection {
  /**
   * @param {() => Promise<Connected>} connect
   * @param {Meant} meant
   * @param {Proven} proven
   */
  constructor(connect, meant, { connected, isHeld }) {
    this.connect = connect;
    this.meant = meant;
    this.connected = connected;
    this.isHeld = isHeld;
    this.hasGreeted = false;
  }

  get isLost() {
    return this.connected.isLost?.() === true;
  }

  async reopen() {
    this.hasGreeted = false;
    this.connected.close().catch(() => {}); // The close is not awaited.
    Object.assign(this, await connectProven(this.connect, this.meant));
  }

  /** @param {string} database @param {Record<string, unknown>} command */
  async run(database, command) {
    if (command.setParameter !== undefined) return this.change(database, command);
    if (this.isLost) await this.reopen();
    const answer = await asked(this.connected, database, command).catch(async (error) => {
      // Only a command that was certainly not sent is sent again.
      if (!this.isLost || !(error instanceof TuneError)) throw error;
      await this.reopen();
      return asked(this.connected, database, command);
    });
    this.hasGreeted ||= command.hello !== undefined;
    return answer;
  }

  /** @param {string} database @param {Record<string, unknown>} command */
  async change(database, command) {
    const { host } = this.meant;
    if (!this.hasGreeted || this.isLost) {
      throw new TuneError(
        'TUNE-20010',
        `The connection to ${host} was closed just before the call: nothing was sent.`,
        { value: host },
      );
    }
    return asked(this.connected, database, command);
  }
}

/**
 * @param {() => Promise<Connected>} connect @param {Meant} meant
 * @returns {Promise<Port>}
 * @throws {TuneError} TUNE-20010, and the driver's errors
 */
async function heldPort(connect, meant) {
  const connection = new HeldConnection(connect, meant, await connectProven(connect, meant));
  // Commands run one after the other: at the same time they would need several connections.
  let last = Promise.resolve();
  const command = (/** @type {string} */ database, /** @type {Record<string, unknown>} */ spec) => {
    const answer = last.then(() => connection.run(database, spec));
    last = answer.then(
      () => {},
      () => {},
    );
    return answer;
  };
  return {
    command,
    adminCommand: (spec) => command('admin', spec),
    get isHeld() {
      return connection.isHeld;
    },
  };
}

/**
 * @param {Connected} connected
 * @param {string} database
 * @param {Record<string, unknown>} command
 */
const asked = ({ port }, database, command) =>
  database === 'admin' ? port.adminCommand(command) : port.command(database, command);

/**
 * @param {() => Promise<Connected>} connect @param {Meant} meant
 * @returns {Promise<Proven>}
 */
async function connectProven(connect, { prove }) {
  const connected = await connect();
  const isHeld = (await connected.hold?.()) === true;
  await prove(connected.port);
  return { connected, isHeld };
}

module.exports = { onOwnConnection, closable, shellHosts, heldPort };
