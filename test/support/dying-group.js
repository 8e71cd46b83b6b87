'use strict';

/**
 * A shell that dies in the middle of tune.apply on several members:
 * `node dying-group.js URI HOME CALLS CHANGE [MEMBERS [unsent]]`. It dies when so many calls that
 * change something were answered, before the journal learns of the last one; `unsent`: before the
 * last one is sent.
 */
const { MongoClient } = require('mongodb');
const { run: apply } = require('../../lib/commands/apply');
const { contextOf } = require('./context');

const [uri, home, calls, change, members = 'all', last] = process.argv.slice(2);

/** @param {MongoClient} client */
async function run(client) {
  const ctx = contextOf(client, { home });
  let count = 0;
  const { connect } = ctx;
  ctx.connect = async (host) => {
    const connected = await connect(host);
    const { adminCommand } = connected.port;
    const port = {
      ...connected.port,
      adminCommand: async (/** @type {Record<string, unknown>} */ command) => {
        const isLast = command.setParameter && ++count === Number(calls);
        if (isLast && last === 'unsent') process.kill(process.pid, 'SIGKILL');
        const answer = await adminCommand(command);
        if (isLast) process.kill(process.pid, 'SIGKILL');
        return answer;
      },
    };
    return { ...connected, port };
  };
  await apply(ctx, JSON.parse(change), { members, confirm: true });
}

void new MongoClient(uri).connect().then(run);
