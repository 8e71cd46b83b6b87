'use strict';

/**
 * A shell of its own that runs tune.undo() of a change of several members, forked: `URI HOME ID AFTER`. It is
 * held before the call that follows so many answered ones, until the parent says so. At the end it
 * sends what became of it.
 */
const { MongoClient } = require('mongodb');
const { run: undo } = require('../../lib/commands/undo');
const { contextOf } = require('./context');

const [uri, home, id, after] = process.argv.slice(2);
let [answered, isHeld] = [0, false];

/** @param {any} port */
const held = (port) => ({
  ...port,
  adminCommand: async (/** @type {any} */ command) => {
    if (!command.setParameter) return port.adminCommand(command);
    if (!isHeld && answered === Number(after)) {
      isHeld = true;
      await new Promise((go) => {
        process.once('message', go);
        process.send?.('held');
      });
    }
    const answer = await port.adminCommand(command);
    answered += 1;
    return answer;
  },
});

/** @param {MongoClient} client */
async function run(client) {
  const ctx = contextOf(client, { home });
  const { connect } = ctx;
  ctx.connect = async (host) => {
    const connected = await connect(host);
    return { ...connected, port: held(connected.port) };
  };
  const done = await undo(ctx, id, { confirm: true }).catch((/** @type {any} */ error) => error);
  process.send?.({ code: done.code ?? null, verified: done.verified ?? null });
  await client.close();
  process.disconnect();
}

void new MongoClient(uri).connect().then(run);
