'use strict';

const assert = require('node:assert/strict');
const net = require('node:net');
const { once } = require('node:events');
const { NodeDriverServiceProvider } = require('@mongosh/service-provider-node-driver');
const { startServer } = require('../support/server');
const { contextOf } = require('../support/context');
const { temporaryFolder } = require('../support/cleanup');
const { reader, reply } = require('../support/fleet/wire');
const { connectTo } = require('../../lib/shell/member-connection');
const { makePort, senderOf } = require('../../lib/shell/port');
const { run: members } = require('../../lib/commands/members');

const PRODUCT = { productName: 'mongosh-tune tests', productDocsLink: 'https://example.invalid/' };
const GREETING = {
  ok: 1,
  isWritablePrimary: true,
  helloOk: true,
  minWireVersion: 0,
  maxWireVersion: 17,
  maxBsonObjectSize: 2 ** 24,
  maxMessageSizeBytes: 48_000_000,
  maxWriteBatchSize: 100_000,
  readOnly: false,
};

describe('a member whose name is not a name', function () {
  this.timeout(60_000);
  /** @type {import('../support/server').Server} */ let server;
  /** @type {{ path: string, remove(): void }} */ let home;
  /** @type {net.Server} */ let listener;
  /** @type {any} */ let provider;
  /** @type {any[]} */ const heard = [];
  let port = 0;
  before(async () => {
    server = await startServer({ auth: true });
    home = temporaryFolder('home');
    listener = net
      .createServer((socket) => {
        socket.on('error', () => {});
        socket.on(
          'data',
          reader((request) => {
            heard.push(request.command);
            socket.write(
              reply(request, request.command.saslStart ? { ok: 0, code: 18 } : GREETING),
            );
          }),
        );
      })
      .listen(0, '127.0.0.1');
    await once(listener, 'listening');
    ({ port } = /** @type {net.AddressInfo} */ (listener.address()));
  });
  after(async () => {
    await provider?.close();
    listener?.close();
    await server?.stop();
    home?.remove();
  });

  it('does not change how this user logs in: the password is sent to nobody', async () => {
    const uri = await server.addUser('reader', ['clusterMonitor']);
    provider = await NodeDriverServiceProvider.connect(uri, PRODUCT);
    const name = `127.0.0.1:${port}/?authMechanism=PLAIN&appName=`;
    const own = `127.0.0.1:${server.port}`;
    const { port: real } = makePort(senderOf(provider));
    // What a server in the hands of somebody else may answer.
    const adminCommand = async (/** @type {any} */ command) => {
      const answer = await real.adminCommand(
        command.replSetGetStatus || command.replSetGetConfig ? { hello: 1 } : command,
      );
      if (command.hello)
        return { ...answer, setName: 'rs', me: own, hosts: [own, name], primary: own };
      if (command.replSetGetStatus)
        return {
          ok: 1,
          set: 'rs',
          members: [
            { name: own, stateStr: 'PRIMARY', health: 1, optimeDate: new Date(), self: true },
            { name, stateStr: 'SECONDARY', health: 1, optimeDate: new Date() },
          ],
        };
      if (command.replSetGetConfig)
        return { ok: 1, config: { members: [own, name].map((host, _id) => ({ _id, host })) } };
      return answer;
    };
    const ctx = {
      ...contextOf(server.client, { home: home.path }),
      port: { ...real, adminCommand },
      connect: async (/** @type {string} */ host) => connectTo(provider, host),
    };
    const seen = await members(ctx, {}).catch((/** @type {any} */ error) => error);
    const logins = heard.filter(({ saslStart }) => saslStart);
    assert.deepEqual(
      logins.map(({ mechanism, payload }) => [mechanism, String(payload?.buffer ?? payload)]),
      [],
      String(seen.message ?? seen),
    );
  });
});
