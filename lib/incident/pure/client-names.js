'use strict';

/** Lines of a log about a connection, by id: what its client says of itself, and its end. */
const METADATA = 51_800;
const ENDED = 22_944;
/** Connections that are open at once: mongod allows 51,200 of 64,000 open files. */
const MAX_CLIENTS = 51_200;
/** Characters of a name in a sentence. */
const MAX_NAME = 120;

/** What the clients of the open connections call themselves: other lines name the connection only. */
class ClientNames {
  constructor() {
    /** @type {Map<string, string>} by connection */
    this.names = new Map();
  }

  /** @param {{ id: number, ctx: string, attr: any }} line */
  add({ id, ctx, attr }) {
    if (id === ENDED) this.names.delete(ctx);
    if (id !== METADATA || this.names.size >= MAX_CLIENTS) return;
    const name = attr.doc?.application?.name;
    if (typeof name === 'string' && name !== '')
      this.names.set(String(attr.client ?? ctx), name.slice(0, MAX_NAME));
  }

  /** A server that starts has no connections yet. */
  clear() {
    this.names.clear();
  }

  /** @param {string} connection @returns {string | null} */
  of(connection) {
    return this.names.get(connection) ?? null;
  }
}

module.exports = { ClientNames };
