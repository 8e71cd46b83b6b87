'use strict';

const { HELLO } = require('../server/pure/commands');
const { TuneError } = require('../base/pure/errors');
const { readIdentity } = require('./replica-set');
const { notTheMember } = require('../server/pure/replica-set');

/**
 * @import { Connected, Port } from '../base/context'
 * @import { Identity, Place, SetPlace } from '../server/pure/replica-set'
 */

/**
 * The way to one member of a set, and to no other server, whatever answers at its address.
 * @typedef {{
 *   place: Place, set: SetPlace
 * }} Meant
 */

/**
 * @param {Identity} is
 * @param {Meant} meant
 * @throws {TuneError} TUNE-20010
 */
function refuseOther(is, { place, set }) {
  const why = notTheMember(place, set, is);
  if (why === null) return;
  const words = `The server that answers at ${place.host} is not the member of that name: it ${why}.`;
  throw new TuneError('TUNE-20010', words, { value: place.host, allowed: set.name });
}

/** @param {Port} port @param {Meant} meant @throws {TuneError} TUNE-20010 */
async function proveMember(port, meant) {
  refuseOther(await readIdentity(port), meant);
}

/**
 * A connection that, once it is lost, is made anew for reading, and proven anew. A setting is only
 * changed over the connection on which the last hello was answered.
 */
class MemberConnection {
  /**
   * @param {() => Promise<Connected>} open
   * @param {Meant} meant
   * @param {Connected} connected proven
   */
  constructor(open, meant, connected) {
    this.open = open;
    this.meant = meant;
    this.connected = connected;
    this.hasGreeted = false;
  }

  get isLost() {
    return this.connected.isLost?.() === true;
  }

  async reopen() {
    this.hasGreeted = false;
    this.connected.close().catch(() => {}); // nobody waits for it
    this.connected = await proven(this.open, this.meant);
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
    const { host } = this.meant.place;
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
 * @param {() => Promise<Connected>} open @param {Meant} meant
 * @returns {Promise<Port>}
 * @throws {TuneError} TUNE-20010, and as the driver does
 */
async function memberPort(open, meant) {
  const connection = new MemberConnection(open, meant, await proven(open, meant));
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
  return { command, adminCommand: (spec) => command('admin', spec) };
}

/**
 * The connection that the shell itself has, for a member whose name leads nowhere from here. Its
 * driver may turn to another member at any time, so who answers is asked before each change.
 * @param {Port} port @param {Meant} meant
 * @returns {Promise<Port>}
 * @throws {TuneError} TUNE-20010
 */
async function sharedPort(port, meant) {
  const first = await processOf(port);
  await proveMember(port, meant);
  const prove = async (/** @type {Record<string, unknown>} */ command) => {
    if (command.setParameter === undefined) return;
    await proveMember(port, meant);
    if ((await processOf(port)) !== first)
      throw new TuneError(
        'TUNE-20010',
        `Another process answers for ${meant.place.host} now: nothing was sent.`,
        { value: meant.place.host },
      );
  };
  return {
    command: async (database, command) => {
      await prove(command);
      return port.command(database, command);
    },
    adminCommand: async (command) => {
      await prove(command);
      return port.adminCommand(command);
    },
  };
}

/** @param {Port} port @returns {Promise<string | null>} null: not told (before 4.4) */
async function processOf(port) {
  const { topologyVersion } = await port.adminCommand(HELLO);
  return topologyVersion?.processId?.toString() ?? null;
}

/**
 * @param {Connected} connected
 * @param {string} database
 * @param {Record<string, unknown>} command
 */
const asked = ({ port }, database, command) =>
  database === 'admin' ? port.adminCommand(command) : port.command(database, command);

/**
 * @param {() => Promise<Connected>} open @param {Meant} meant
 * @returns {Promise<Connected>} held, and the member that is meant
 */
async function proven(open, meant) {
  const connected = await open();
  await connected.hold?.();
  await proveMember(connected.port, meant);
  return connected;
}

module.exports = { memberPort, sharedPort, refuseOther };
