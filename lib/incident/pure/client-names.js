'use strict';

const { CONNECTION, IDENTITY, text } = require('./log-events');

/** Connections that are open at once: mongod allows 51,200 of 64,000 open files. */
const MAX_CLIENTS = 51_200;

/** Keeps the names of clients by open connection: other lines only name the connection. */
class ClientNames {
  constructor() {
    /** @type {Map<string, string>} by connection */
    this.names = new Map();
  }

  /** @param {{ id: number, ctx: string, attr: any }} line */
  add({ id, ctx, attr }) {
    // A server that starts has no connections yet.
    if (id === IDENTITY.STARTING) this.names.clear();
    if (id === CONNECTION.ENDED) this.names.delete(ctx);
    if (id !== CONNECTION.METADATA || this.names.size >= MAX_CLIENTS) return;
    const name = text(attr.doc?.application?.name);
    if (name !== null) this.names.set(String(attr.client ?? ctx), name);
  }

  /** @param {string} connection @returns {string | null} */
  of(connection) {
    return this.names.get(connection) ?? null;
  }
}

module.exports = { ClientNames };
