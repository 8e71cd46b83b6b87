'use strict';

/**
 * A collection as it is seen, with what matters for the case.
 * @param {string} name
 * @param {Record<string, any>} [more]
 * @returns {any}
 */
const collection = (name, more = {}) => ({
  ns: `app.${name}`,
  database: 'app',
  name,
  type: 'collection',
  uuid: `uuid-${name}`,
  options: {},
  indexes: [{ name: '_id_', key: { _id: 1 } }],
  documents: 1000,
  bytes: 1e6,
  storageBytes: 4e5,
  indexBytes: 1e5,
  building: [],
  capped: false,
  sharded: null,
  writtenBytesPerSec: 0,
  ...more,
});
/** @param {string} name @param {any} options @returns {any} */
const view = (name, options) => ({
  ...collection(name),
  type: 'view',
  uuid: null,
  options,
  indexes: null,
  documents: null,
  bytes: null,
  storageBytes: null,
  indexBytes: null,
  building: null,
  writtenBytesPerSec: null,
});
/** @param {Record<string, any>} [more] @returns {any} */
const server = (more = {}) => ({
  host: 'h',
  version: '6.0.5',
  role: 'primary',
  compatibility: '6.0',
  shardServer: false,
  directoryPerDB: false,
  handles: 40,
  freeBytes: 1e12,
  oplog: { maxBytes: 1e10, bytesPerSec: 1e3, seconds: 1e7 },
  writesPerSec: 0,
  writesBlocked: false,
  committedReads: true,
  databases: ['admin', 'app'],
  taken: { app2: [] },
  users: [],
  roles: [],
  streams: [],
  transactions: { open: 0, longestSeconds: 0 },
  privileges: 'all',
  ...more,
});
/** @param {Record<string, any>} [more] @returns {any} */
const asked = (more = {}) => ({
  id: '20240101000000-abcdef',
  at: new Date(0),
  from: 'app',
  into: ['app2'],
  names: null,
  by: null,
  seconds: 65,
  ...more,
});
/** @param {{ what: string }[]} remarks */
const whats = (remarks) => remarks.map(({ what }) => what);

module.exports = { collection, view, server, asked, whats };
