'use strict';

const { collectMembers, nextMember } = require('../cluster/member-status');
const { WatchedServer } = require('./watched-server');

/**
 * @import { Connected } from '../base/context'
 * @import { Member } from '../cluster/member-status'
 * @import { Watching } from './watched-server'
 * @import { Context } from '../base/types'
 */

/** Knows the members of the replica set, and switches the screen between them. */
class MemberSwitcher {
  /**
   * @param {Context} ctx
   * @param {WatchedServer} home the server of the connection
   * @param {Watching} watching
   */
  constructor(ctx, home, watching) {
    this.ctx = ctx;
    this.watching = watching;
    this.shown = home;
    /** @type {readonly Member[]} */
    this.members = [];
    /** @type {string | null} the shown one's name in the set */
    this.shownHost = null;
    /** @type {string | null} the last one that was tried */
    this.triedHost = null;
    /** @type {string | null} */
    this.connectingTo = null;
    /** @type {Map<string, WatchedServer>} by the names of members */
    this.servers = new Map();
    /** @type {Connected[]} */
    this.connections = [];
    this.isClosed = false;
  }

  /** Reads the members from the shown one. @returns {Promise<void>} */
  async ask() {
    const { shown } = this;
    const { self, members } = await collectMembers(shown.ctx.port);
    if (shown === this.shown) await this.update(self, members);
  }

  /**
   * @param {string | null} self name of the shown one
   * @param {readonly Member[]} members
   */
  async update(self, members) {
    const [before, primary] = [primaryOf(this.members), primaryOf(members)];
    if (before !== null && primary !== null && before !== primary)
      this.watching.notify(`the primary is ${primary} now`);
    this.members = members;
    if (self !== null && this.shownHost !== null && self !== this.shownHost) await this.moved(self);
    this.shownHost = self;
    const role = roleOf(members, self);
    if (role !== undefined) this.shown.setRole(role);
    if (self !== null) this.servers.set(self, this.shown);
  }

  /**
   * Adopts another server: a connection that follows the primary now leads to it, and its samples
   * begin again.
   * @param {string} self
   */
  async moved(self) {
    this.watching.notify(`this connection leads to ${self} now`);
    this.shown = await WatchedServer.open(this.shown.ctx, this.watching);
  }

  /**
   * Shows the next member; if it cannot be reached, it reports that and keeps the shown one.
   * @returns {Promise<void>}
   */
  async next() {
    const next = nextMember(this.members, {
      after: this.triedHost ?? this.shownHost,
      shownHost: this.shownHost,
    });
    if (next === null || this.connectingTo !== null) return;
    const { host } = next;
    this.triedHost = host;
    this.connectingTo = host;
    try {
      this.shown = this.servers.get(host) ?? (await this.reach(host));
      this.servers.set(host, this.shown);
      Object.assign(this, { shownHost: host, triedHost: null });
    } catch (error) {
      this.watching.notify(`${host} cannot be reached: ${/** @type {Error} */ (error).message}`);
    } finally {
      this.connectingTo = null;
    }
  }

  /** @param {string} host @returns {Promise<WatchedServer>} */
  async reach(host) {
    const connected = await this.ctx.connect(host);
    this.connections.push(connected);
    if (this.isClosed) this.close(); // the watch ended meanwhile
    return WatchedServer.open({ ...this.ctx, port: connected.port }, this.watching);
  }

  /** The servers that were shown, the shown one first. @returns {WatchedServer[]} */
  get all() {
    return [this.shown, ...this.servers.values()];
  }

  close() {
    this.isClosed = true;
    for (const { close } of this.connections.splice(0)) close().catch(() => {}); // the watch is over
  }
}

/** @param {readonly Member[]} members */
const primaryOf = (members) =>
  members.find(({ role, isUp }) => isUp && role === 'primary')?.host ?? null;

/**
 * @param {readonly Member[]} members
 * @param {string | null} self
 * @returns {'primary' | 'secondary' | undefined}
 */
function roleOf(members, self) {
  const role = members.find(({ host }) => host === self)?.role;
  return role === 'primary' || role === 'secondary' ? role : undefined;
}

module.exports = { MemberSwitcher };
