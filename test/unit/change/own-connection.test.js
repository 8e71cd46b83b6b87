'use strict';

const assert = require('node:assert/strict');
const { onOwnConnection } = require('../../../lib/change/own-connection');

const HELLO = { me: 'db1:27017', topologyVersion: { processId: 'p' }, localTime: new Date() };
const port = {
  adminCommand: async (/** @type {any} */ command) =>
    command.hello ? HELLO : { host: 'db1:27017', pid: 1, localTime: new Date(), uptimeMillis: 5 },
};

describe('change/own-connection', () => {
  it('a connection that comes too late is closed', async () => {
    const interrupted = new AbortController();
    /** @type {(connected: object) => void} */ let arrive = () => {};
    const ctx = /** @type {any} */ ({
      port,
      signal: interrupted.signal,
      connection: async () => ({ uri: 'mongodb://db1:27017/' }),
      connect: () =>
        new Promise((resolve) => {
          arrive = resolve;
          interrupted.abort();
        }),
    });
    // Over the connection there is.
    assert.equal(await onOwnConnection(ctx, async (own) => own.port), port);
    const closed = await new Promise((resolve) => {
      arrive({ port, close: async () => resolve(true) });
      setTimeout(() => resolve(false), 100);
    });
    assert.equal(closed, true);
  });
});
