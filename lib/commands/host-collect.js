'use strict';

const { checkOptions } = require('../base/pure/options');
const { askServer, identityOf } = require('../host/ask-server');
const { collectingScript } = require('../host/recorder');
const { TuneError } = require('../base/pure/errors');
const { report } = require('../text/report');

/**
 * @import { Context } from '../base/context'
 * @import { Report } from '../text/report'
 */

const NOTHING = Object.freeze({
  host: null,
  port: null,
  dbPath: null,
  version: null,
  cacheBytes: null,
});

/**
 * A script for the machine mongod runs on, when this one is another: it prints one JSON document
 * for tune.host({ from }).
 * @param {Context} ctx
 * @param {{}} [options]
 * @returns {Promise<{ script: string } & Report>} prints as the script;
 *   made for the connected server, or for any without a connection
 * @throws {import('../base/pure/errors').TuneError} TUNE-1xxxx for wrong options
 */
async function hostCollect(ctx, options) {
  checkOptions('tune.host.collect', {}, options);
  const script = collectingScript(await serverOf(ctx));
  return report({ script }, () => script.trimEnd(), { verbatim: true });
}

/** @param {Context} ctx */
async function serverOf(ctx) {
  try {
    return identityOf(await askServer(ctx.port));
  } catch (error) {
    // It serves without: it then names the mongods that run there.
    if (error instanceof TuneError && error.code !== 'TUNE-30009') return NOTHING;
    throw error;
  }
}

module.exports = { hostCollect };
