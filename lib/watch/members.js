'use strict';

const { collectMembers } = require('../cluster/member-status');
const { nextMember } = require('../cluster/pure/member');
const { Subject } = require('./watched-server');

/**
 * @import { Connected, Context } from '../base/context'
 * @import { Member } from '../cluster/pure/member'
 */

/**
 * The members of the replica set, and which of them is shown.
 */

class Members {
  /**
   * @param {Context} ctx
   * @param {Subject} home the server of the connection
   * @param {{ every: number, notify(text: string): void }} how
   */
  constructor(ctx, home, how) {
    this.ctx = ctx;
    this.how = how;
    this.shown = home;
    /** @type {readonly Member[]} */
    this.members = [];
    /** @type {string | null} as the set calls the one that is shown */
    this.shownHost = null;
    /** @type {string | null} how far the key for the next member got */
    this.triedHost = null;
    /** @type {string | null} */
    this.connectingTo = null;
    /** @type {Map<string, Subject>} by the names of members */
    this.subjects = new Map();
    /** @type {Connected[]} */
    this.connections = [];
    this.isClosed = false;
  }

  /** Asks the one that is shown for all of them. @returns {Promise<void>} */
  async ask() {
    const { shown } = this;
    const { self, members } = await collectMembers(shown.ctx.port);
    if (shown === this.shown) await this.know(self, members);
  }

  /** @param {string | null} self @param {readonly Member[]} members */
  async know(self, members) {
    const [before, primary] = [primaryOf(this.members), primaryOf(members)];
    if (before !== null && primary !== null && before !== primary)
      this.how.notify(`the primary is ${primary} now`);
    this.members = members;
    if (self !== null && this.shownHost !== null && self !== this.shownHost) await this.moved(self);
    this.shownHost = self;
    this.shown.facts = {
      ...this.shown.facts,
      role: roleOf(members, self) ?? this.shown.facts.role,
    };
    if (self !== null) this.subjects.set(self, this.shown);
  }

  /**
   * A connection that follows the primary got to another server: what was seen is not of this one.
   * @param {string} self
   */
  async moved(self) {
    this.how.notify(`this connection leads to ${self} now`);
    this.shown = await Subject.open(this.shown.ctx, this.how);
  }

  /**
   * Goes to the next member.
   * @returns {Promise<void>} one that can not be reached is told, and the shown one stays
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
      this.shown = this.subjects.get(host) ?? (await this.reach(host));
      this.subjects.set(host, this.shown);
      Object.assign(this, { shownHost: host, triedHost: null });
    } catch (error) {
      this.how.notify(`${host} can not be reached: ${/** @type {Error} */ (error).message}`);
    } finally {
      this.connectingTo = null;
    }
  }

  /** @param {string} host @returns {Promise<Subject>} */
  async reach(host) {
    const connected = await this.ctx.connect(host);
    this.connections.push(connected);
    if (this.isClosed) this.close(); // it was pressed, and then it was over
    return Subject.open({ ...this.ctx, port: connected.port }, this.how);
  }

  /** What has been looked at, the shown one first. @returns {Subject[]} */
  get all() {
    return [this.shown, ...this.subjects.values()];
  }

  close() {
    this.isClosed = true;
    for (const { close } of this.connections.splice(0)) close().catch(() => {}); // nobody is left to tell
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

module.exports = { Members };
