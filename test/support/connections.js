'use strict';

const { MongoClient } = require('mongodb');

const SELECTION_TIMEOUT_MS = 5000;

/**
 * The clients of one server, with the first of them and its short ways.
 * @param {string} uri
 */
async function connections(uri) {
  /** @type {MongoClient[]} */
  const open = [];
  const connect = async (to) => {
    const client = new MongoClient(to, { serverSelectionTimeoutMS: SELECTION_TIMEOUT_MS });
    open.push(client);
    return client.connect();
  };
  const client = await connect(uri);
  return {
    api: {
      client,
      connect,
      adminCommand: (command) => client.db('admin').command(command),
      db: (name) => client.db(name),
    },
    close: () => Promise.all(open.splice(0).map((one) => one.close(true))),
  };
}

module.exports = { connections };
