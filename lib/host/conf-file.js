'use strict';

const fs = require('node:fs/promises');
const path = require('node:path');
const { askServer, identityOf } = require('./ask-server');
const { findPlace } = require('./same-machine');
const { filesUnder } = require('./root-files');
const { parseYaml } = require('../base/pure/yaml');
const { TuneError } = require('../base/pure/errors');
const { expandHome } = require('../base/named-files');

/**
 * @import { Port } from '../base/context'
 */

/**
 * Reads the mongod.conf that a server was started with, where that is possible: on another machine
 * a file of the same name is another file.
 * @typedef {{ path: string | null, options: Record<string, unknown> | null, why: string | null }}
 *   ConfFile `why`: the reason why it could not be read
 */

/**
 * Reads the configuration file that the server names, where the server runs on this machine.
 * @param {Port} port
 * @param {string | null} reported the name that the server reports
 * @returns {Promise<ConfFile>}
 */
async function serversFile(port, reported) {
  if (reported === null)
    return {
      path: null,
      options: null,
      why: 'the server was started without a configuration file',
    };
  const place = await whereIs(port).catch((error) => ({
    kind: 'elsewhere',
    pid: null,
    say: /** @type {Error} */ (error).message,
  }));
  if (place.kind === 'elsewhere')
    return {
      path: reported,
      options: null,
      why:
        'it is not certain that the server runs on this machine (' +
        `${place.say.replace(/\.$/, '')})`,
    };
  if (!path.isAbsolute(reported))
    return {
      path: reported,
      options: null,
      why: 'the server was started with a relative path, and does not report its folder',
    };
  return readFile(
    reported,
    place.kind === 'here' ? reported : path.join('/proc', String(place.pid), 'root', reported),
  );
}

/**
 * Finds whether the server runs on this machine.
 * @param {Port} port
 */
async function whereIs(port) {
  const server = identityOf(await askServer(port, ['hostInfo', 'options', 'you']));
  return findPlace(filesUnder(['/'], {}), server, process.platform);
}

/**
 * Reads a configuration file; a failure is returned, not thrown.
 * @param {string} name
 * @param {string} file
 * @returns {Promise<ConfFile>}
 */
async function readFile(name, file) {
  try {
    return { path: name, options: optionsIn(await fs.readFile(file, 'utf8')), why: null };
  } catch (error) {
    return { path: name, options: null, why: /** @type {Error} */ (error).message };
  }
}

/**
 * Reads a file that the user names.
 * @param {string} name @returns {Promise<ConfFile>} @throws {TuneError} TUNE-40002, TUNE-40003
 */
async function namedFile(name) {
  const file = path.resolve(expandHome(name));
  const text = await fs.readFile(file, 'utf8').catch((cause) => {
    throw new TuneError('TUNE-40002', `The file ${file} cannot be read: ${cause.message}.`, {
      cause,
      value: file,
    });
  });
  return { path: file, options: optionsIn(text), why: null };
}

/**
 * Parses a configuration file.
 * @param {string} text
 * @returns {Record<string, unknown>}
 */
function optionsIn(text) {
  const { value, faults } = parseYaml(text);
  if (faults.length > 0)
    throw new TuneError('TUNE-40003', `This is not reliable YAML: ${faults[0].say}.`, {
      value: faults[0].position,
    });
  return /** @type {Record<string, unknown>} */ (value ?? {});
}

module.exports = { serversFile, namedFile, whereIs };
