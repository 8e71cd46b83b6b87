'use strict';

const { TuneError } = require('../../lib/base/pure/errors');
const { soundText } = require('./sound');

/**
 * @template T
 * @param {() => T | Promise<T>} work
 * @returns {Promise<T | null>} null: refused with an error that a person can do something about
 */
async function orTuneError(work) {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof TuneError) || error.code === 'TUNE-90001') throw error;
    soundText(error.message, { values: true });
    return null;
  }
}

/** A context without a server. @param {string} [home] @returns {any} */
const quietContext = (home) => ({
  signal: new AbortController().signal,
  progress() {},
  home,
  port: { adminCommand: gone, command: gone },
});

async function gone() {
  throw Object.assign(new Error('there is no server'), { name: 'MongoNetworkError' });
}

module.exports = { orTuneError, quietContext };
