'use strict';

const { defineCommand } = require('../base/pure/command');
const { askServer, identityOf } = require('../host/ask-server');
const { collectingScript } = require('../host/host-scripts');
const { TuneError } = require('../base/pure/errors');
const { report } = require('../text/report');

/**
 * @import { Report } from '../text/report'
 * @import { Context } from '../base/types'
 */

const NOTHING = Object.freeze({
  host: null,
  port: null,
  dbPath: null,
  version: null,
  cacheBytes: null,
});

module.exports = defineCommand({
  name: 'host.collect',
  group: 'Look',
  order: 1,
  takes: [],
  usage: 'tune.host.collect()',
  summary: 'Prints a shell script that collects host facts',
  examples: ['tune.host.collect()', 'tune host collect'],
  changes: 'nothing',
  onMongos: 'connect to a member of the shard: each has its own host',
  run: hostCollect,
});

/**
 * A script for the machine mongod runs on, when this one is another: it prints one JSON document
 * for tune.host({ file }).
 * @param {Context} ctx
 * @returns {Promise<{ script: string } & Report>} prints as the script;
 *   made for the connected server, or for any without a connection
 * @throws {import('../base/pure/errors').TuneError} TUNE-1xxxx for wrong options
 */
async function hostCollect(ctx) {
  const script = collectingScript(await serverOf(ctx));
  return report({ script }, () => script.trimEnd(), { verbatim: true });
}

/** Finds the server that the script is for. @param {Context} ctx */
async function serverOf(ctx) {
  try {
    return identityOf(await askServer(ctx.port));
  } catch (error) {
    // The script works without a server: it then names the mongods that run there.
    if (error instanceof TuneError && error.code !== 'TUNE-30009') return NOTHING;
    throw error;
  }
}
