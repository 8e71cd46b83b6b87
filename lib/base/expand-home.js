'use strict';

const os = require('node:os');
const { TuneError } = require('./pure/errors');

/** Taken for a path, parts of a password in it would stand in messages and in names of folders. */
const CONNECTION_STRING = /^\s*["']?mongodb(\+srv)?:\//i;

/**
 * Replaces ~ as a shell would: mongosh does not.
 * @param {string} name @returns {string}
 * @throws {TuneError} TUNE-10002
 */
function expandHome(name) {
  if (CONNECTION_STRING.test(name))
    throw new TuneError('TUNE-10002', 'A file name is expected here, not a connection string.', {
      allowed: 'the name of a file',
    });
  return name.replace(/^~(?=$|[\\/])/, () => process.env.HOME || os.homedir());
}

module.exports = { expandHome };
