'use strict';

const { Time, refusal } = require('./values');

/** What is asked of the server itself. @type {Record<string, (server: any, op: any) => any>} */
const ADMIN = {
  ping: () => ({ ok: 1 }),
  hello: (server) => ({
    ok: 1,
    isWritablePrimary: true,
    secondary: false,
    setName: 'set',
    operationTime: server.state.time(),
    localTime: server.now(),
    lastWrite: {
      opTime: { ts: server.state.time() },
      majorityOpTime: { ts: new Time(server.state.majority) },
    },
  }),
  serverStatus: (server) => ({
    ok: 1,
    host: 'model:27017',
    pid: 1,
    uptimeMillis: server.loop.now,
    process: 'mongod',
    opLatencies: { reads: { ops: 0, latency: 0 }, writes: { ops: 0, latency: 0, histogram: [] } },
    repl: { setName: 'set', isWritablePrimary: true },
    localTime: server.now(),
  }),
  getCmdLineOpts: () => ({ ok: 1, parsed: {} }),
  hostInfo: () => ({ ok: 1, system: { numCores: 4, memLimitMB: 8192 } }),
  buildInfo: () => ({ ok: 1, version: '6.0.5', versionArray: [6, 0, 5, 0] }),
  replSetGetStatus: (server) => ({
    ok: 1,
    members: ['PRIMARY', 'SECONDARY', 'SECONDARY'].map((stateStr, i) => ({
      name: `m${i}:27017`,
      stateStr,
      optimeDate: server.now(),
    })),
  }),
  killOp(server, { command }) {
    const victim = server.ops.get(command.op);
    // It ends at its next sample, which is soon.
    if (victim)
      server.loop.after(1, () => server.end(victim, refusal(11601, 'operation was interrupted')));
    return { ok: 1, info: 'attempting to kill op' };
  },
  killSessions(server, { command }) {
    for (const { id } of command.killSessions) {
      const transaction = server.transactions.get(id);
      if (transaction?.open) server.endTransaction(transaction);
    }
    return { ok: 1 };
  },
  abortTransaction(server, { session }) {
    return ended(server, session, false);
  },
  commitTransaction(server, { session }) {
    return ended(server, session, true);
  },
};

/** @param {any} server @param {any} session @param {boolean} isCommit */
function ended(server, session, isCommit) {
  const transaction = session && server.transactions.get(session.id);
  // To commit twice is to commit once.
  if (isCommit && transaction?.isCommitted) return { ok: 1 };
  if (!transaction?.open)
    throw refusal(251, 'Given transaction number does not match any in-progress transactions.');
  server.endTransaction(transaction, isCommit);
  return { ok: 1 };
}

module.exports = ADMIN;
