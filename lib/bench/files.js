'use strict';

const { askServer, identityOf } = require('../host/ask-server');
const { findPlace } = require('../host/same-machine');
const { takeSnapshots, readAreas } = require('../host/areas-registry');
const { filesUnder, COMMANDS } = require('../host/root-files');

/**
 * @import { Context } from '../base/context'
 */

/**
 * What the data of a server lies on, where that can be seen: `xfs on vda, /data`.
 * @param {Context} ctx
 * @returns {Promise<string | null>} null where it can not
 */
async function describeFiles({ port, signal }) {
  try {
    const server = identityOf(await askServer(port));
    const files = filesUnder(['/'], COMMANDS);
    const place = await findPlace(files, server, process.platform);
    if (place.kind === 'elsewhere') return server.dbPath ?? null;
    const subject = { pid: place.pid, dbPath: server.dbPath, port: server.port, interface: null };
    const { values } = await readAreas(
      await takeSnapshots(files, subject, { seconds: 1, signal }),
      subject,
    );
    const type = values['files.type'];
    return type === undefined
      ? (server.dbPath ?? null)
      : `${type} on ${values['disk.name'] ?? values['files.device'] ?? '?'}, ${server.dbPath}`;
  } catch (_notTold) {
    return null;
  }
}

module.exports = { describeFiles };
