'use strict';

const os = require('node:os');
const { askServer, identityOf } = require('../host/ask-server');
const { findPlace } = require('../host/same-machine');
const { takeSnapshots, readAreas } = require('../host/areas-registry');
const { filesUnder, COMMANDS } = require('../host/root-files');

/**
 * @import { Port } from '../base/context'
 * @import { Context } from '../base/types'
 */

/**
 * The file system and disk of the data, where they can be read: `xfs on vda, /data`.
 * @param {Context} ctx
 * @returns {Promise<string | null>} null: not known
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
  } catch (_notReported) {
    return null;
  }
}

/**
 * Whether the server runs on the machine of this shell.
 * @param {Port} port
 * @returns {Promise<boolean>} false also where it is not reported
 */
async function sameMachine(port) {
  try {
    const { system } = await port.adminCommand({ hostInfo: 1 });
    return String(system?.hostname ?? '').split(':')[0] === os.hostname();
  } catch (_missingPrivilege) {
    return false;
  }
}

module.exports = { describeFiles, sameMachine };
