'use strict';

const { TuneError } = require('./pure/errors');

/**
 * The driver of MongoDB. A mongosh has its own, and tune uses that one. Only processes beside a shell
 * (clients of a benchmark, guardians) and connections that a Node.js program makes by an address need
 * this package, so it is an optional peer dependency.
 * @param {string} user who needs it, as the subject of a sentence
 * @returns {typeof import('mongodb')}
 * @throws {TuneError} TUNE-40011 where it is not installed
 */
function loadDriver(user) {
  checkDriver(user);
  return require('mongodb');
}

/**
 * Checks that the driver is there, before a process is started that loads it.
 * @param {string} user
 * @throws {TuneError} TUNE-40011
 */
function checkDriver(user) {
  try {
    require.resolve('mongodb');
  } catch (cause) {
    throw new TuneError(
      'TUNE-40011',
      `${user} needs the package mongodb, the driver, which is not installed. Nothing was sent.`,
      { value: 'mongodb', cause },
    );
  }
}

module.exports = { loadDriver, checkDriver };
