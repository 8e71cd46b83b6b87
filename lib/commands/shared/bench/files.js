'use strict';

const { askServer, identityOf } = require('../../../collect/host/ask');
const { findPlace } = require('../../../collect/host/place');
const { takeLooks, readAreas } = require('../../../collect/host/areas');
const { filesUnder } = require('../../../collect/host/root-files');
const { COMMANDS } = require('../../../collect/host/commands');

/**
 * What the data of a server lies on, where that can be seen: `xfs on vda, /data`.
 * @param {import('../../../context').Context} ctx
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
      await takeLooks(files, subject, { seconds: 1, signal }),
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
