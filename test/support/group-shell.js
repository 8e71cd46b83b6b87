'use strict';

/**
 * A shell of its own that runs tune.apply on all members, forked: `URI HOME CHANGE OPTIONS`. `undo`:
 * the id of such a change, which it undoes instead; `refuse`: this member refuses the change;
 * `dieAfter`: so many answered calls after that it dies before the next one, while the others are
 * taken back; `hold`: the first such command, after so many answered calls that change something, is
 * held until the parent says so. At the end it sends what became of it.
 */
const { MongoClient } = require('mongodb');
const { run: apply } = require('../../lib/commands/apply');
const { run: undo } = require('../../lib/commands/undo');
const { contextOf } = require('./context');

const [uri, home, change, options] = process.argv.slice(2);
const { refuse = null, dieAfter = 0, hold = null, undo: undone = null } = JSON.parse(options);
let [answered, back] = [0, 0];
let isHeld = false;

const reported = async () =>
  new Promise((resolve) => {
    process.once('message', resolve);
    process.send?.('held');
  });

/** @param {string} host @param {any} port */
const minded = (host, port) => ({
  ...port,
  adminCommand: async (/** @type {any} */ command) => {
    if (hold && !isHeld && command[hold.command] !== undefined && answered === hold.after) {
      isHeld = true;
      await reported();
    }
    if (host === refuse && command.setParameter) {
      back = 1;
      throw Object.assign(new Error('not today'), { name: 'MongoServerError', code: 2 });
    }
    if (!command.setParameter) return port.adminCommand(command);
    if (dieAfter > 0 && back > dieAfter) process.kill(process.pid, 'SIGKILL');
    const answer = await port.adminCommand(command);
    answered += 1;
    if (back > 0) back += 1;
    return answer;
  },
});

/** @param {MongoClient} client */
async function run(client) {
  const ctx = contextOf(client, { home });
  const { connect } = ctx;
  ctx.connect = async (host) => {
    const connected = await connect(host);
    return { ...connected, port: minded(host, connected.port) };
  };
  const work =
    undone === null
      ? apply(ctx, JSON.parse(change), { members: 'all', confirm: true })
      : undo(ctx, undone, { confirm: true });
  const done = await work.catch((/** @type {any} */ error) => error);
  const { code = null, message = null, verified = null, id } = done;
  process.send?.({ code, message, verified, id });
  await client.close();
  process.disconnect();
}

void new MongoClient(uri).connect().then(run);
