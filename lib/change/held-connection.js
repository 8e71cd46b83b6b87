'use strict';

const { TuneError } = require('../base/pure/errors');

/**
 * @import { Connected, Port } from '../base/context'
 */

/**
 * The server that is meant, whatever answers at its address.
 * @typedef {{ host: string, prove(port: Port): Promise<void> }} Meant `prove`: rejects where another
 *   server answers
 * @typedef {{ connected: Connected, isHeld: boolean }} Proven `isHeld`: whether it refuses to go over
 *   another connection; one that cannot is asked after each call who answered it
 */

/**
 * Once lost, this connection is opened again for reading, and proven again. A setting is changed
 * only over the connection that answered the last hello.
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
    this.connected.close().catch(() => {}); // nobody waits for it
    Object.assign(this, await connectProven(this.connect, this.meant));
  }

  /** @param {string} database @param {Record<string, unknown>} command */
  async run(database, command) {
    if (command.setParameter !== undefined) return this.change(database, command);
    if (this.isLost) await this.reopen();
    const answer = await asked(this.connected, database, command).catch(async (error) => {
      // Only what was certainly not sent is sent again.
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
        `The connection to ${host} ended just before the call: nothing was sent.`,
        { value: host },
      );
    }
    return asked(this.connected, database, command);
  }
}

/**
 * @param {() => Promise<Connected>} connect @param {Meant} meant
 * @returns {Promise<Port>}
 * @throws {TuneError} TUNE-20010, and as the driver does
 */
async function heldPort(connect, meant) {
  const connection = new HeldConnection(connect, meant, await connectProven(connect, meant));
  // One after the other: commands at the same time would need several connections.
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

module.exports = { heldPort };
