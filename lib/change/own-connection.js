'use strict';

const { HELLO } = require('../server/pure/commands');
const { processIdOf, readServerRun } = require('../server/identity');
const { withTimeout } = require('../base/timing');
const { TuneError } = require('../base/pure/errors');
const { heldPort } = require('./held-connection');

/**
 * @import { Connected, Port } from '../base/context'
 * @import { Context } from '../base/types'
 */

/**
 * The driver of a replica set follows an election by itself, also between two commands. One member
 * is changed over a connection of its own, which leads to that member alone.
 */

/** Connecting, and two commands that a healthy server answers in milliseconds. */
const CONNECT_MS = 5000;

/**
 * @template T
 * @param {Context} ctx
 * @param {(ctx: Context) => Promise<T>} act
 * @returns {Promise<T>} over the connection there is where no other can be had: to a server in no
 *   set, or one whose names lead nowhere from here
 */
async function onOwnConnection(ctx, act) {
  /** @type {Connected[]} */
  const opened = [];
  try {
    const port = await ownPort(ctx, opened);
    return await act(port === null ? ctx : { ...ctx, port });
  } finally {
    // Not awaited: closing a dead connection can hang.
    for (const connected of opened) connected.close().catch(() => {});
  }
}

/**
 * @param {Context} ctx @param {Connected[]} opened gets what is to be closed
 * @returns {Promise<Port | null>}
 */
async function ownPort(ctx, opened) {
  // Who may not ask is told so by what comes next.
  const run = await readServerRun(ctx.port).catch(() => null);
  const { me = null, processId = null } = run ?? {};
  if (me === null || processId === null) return null;
  const prove = (/** @type {Port} */ port) => proveProcess(port, { me, processId });
  for (const host of [me, ...(await shellHosts(ctx)).filter((one) => one !== me)]) {
    const open = async () => {
      const connected = await ctx.connect(host);
      opened.push(connected);
      return connected;
    };
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
 * It must be the planned process, and accept this user: who logged in later than the connection
 * string says is not logged in on another connection.
 * @param {Port} port
 * @param {{ me: string, processId: string }} meant
 * @throws {TuneError} TUNE-20010, and as the driver does
 */
async function proveProcess(port, { me, processId }) {
  if (processIdOf(await port.adminCommand(HELLO)) !== processId)
    throw new TuneError('TUNE-20010', `Another process answers for ${me} now.`, { value: me });
  await port.adminCommand({ getParameter: 1, wiredTigerEngineRuntimeConfig: 1 });
}

/** scheme, credentials, hosts (MongoDB Connection String Specification) */
const HOSTS = /^mongodb:\/\/(?:[^@/?]*@)?([^/?]+)/;

/**
 * @param {Context} ctx
 * @returns {Promise<string[]>} as the connection string of the shell names them; none behind SRV
 */
async function shellHosts(ctx) {
  try {
    const { uri } = await ctx.connection();
    return HOSTS.exec(uri)?.[1].split(',') ?? [];
  } catch (_notReported) {
    return [];
  }
}

module.exports = { onOwnConnection, shellHosts };
