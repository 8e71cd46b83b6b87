'use strict';

const assert = require('node:assert/strict');
const { senderOf, openerOf, shellSender, makePort, commandOf } = require('../../../lib/shell/port');

describe('shell/port', () => {
  it('sends through a service provider of mongosh', async () => {
    const seen = [];
    const send = senderOf({ runCommandWithCheck: async (...args) => seen.push(args) });
    await send('admin', { ping: 1 });
    assert.deepEqual(seen, [['admin', { ping: 1 }, { bsonRegExp: true }]]);
  });

  it("sends through the driver's client", async () => {
    const send = senderOf({ db: (name) => ({ command: async (command) => ({ name, command }) }) });
    assert.deepEqual(await send('test', { ping: 1 }), { name: 'test', command: { ping: 1 } });
  });

  for (const wrong of [undefined, null, 42, {}, 'mongodb://127.0.0.1']) {
    it(`refuses ${JSON.stringify(wrong) ?? 'undefined'} as a connection`, () => {
      assert.throws(() => senderOf(wrong), { code: 'TUNE-10002' });
    });
  }

  it('asks the shell for its connection at every command', async () => {
    const provider = (name) => ({
      getMongo() {
        throw new Error('refused while interrupted');
      },
      _mongo: { _serviceProvider: { runCommandWithCheck: async () => name } },
    });
    const state = { currentDb: provider('first') };
    const send = shellSender(state);
    assert.equal(await send('admin', {}), 'first');
    state.currentDb = provider('second');
    assert.equal(await send('admin', {}), 'second');
  });

  const noDb = (code) => ({
    get currentDb() {
      throw Object.assign(new Error('no'), { code });
    },
  });
  it('says so where there is no connection', () => {
    assert.throws(() => shellSender(noDb('SHAPI-10004'))('admin', {}), { code: 'TUNE-20001' });
  });
  it('does not take another fault for a missing connection', () => {
    assert.throws(() => shellSender(noDb('OTHER'))('admin', {}), { message: 'no' });
  });

  it('sends admin commands to admin and the others to their database', async () => {
    const seen = [];
    const { port } = makePort(async (database, command) => seen.push([database, command]));
    await port.adminCommand({ ping: 1 });
    await port.command('test', { count: 'x' });
    assert.deepEqual(seen, [
      ['admin', { ping: 1 }],
      ['test', { count: 'x' }],
    ]);
  });

  it('remembers which command an error belongs to, and leaves the error as it is', async () => {
    const failure = new Error('no');
    const { port } = makePort(async () => {
      throw failure;
    });
    await assert.rejects(
      port.adminCommand({ setParameter: 1, x: 2 }),
      (error) => error === failure,
    );
    assert.equal(commandOf(failure), 'setParameter');
    assert.equal(commandOf(new Error('another')), undefined);
    assert.equal(commandOf('text'), undefined);
  });

  it('sends nothing once it is shut', async () => {
    let sent = 0;
    const { port, shut } = makePort(async () => {
      sent += 1;
    });
    await port.adminCommand({ ping: 1 });
    shut();
    await assert.rejects(port.adminCommand({ ping: 1 }), { code: 'TUNE-30009' });
    assert.equal(sent, 1);
  });

  describe('cursors', () => {
    const closed = [];
    const cursorOf = (what) => ({
      tryNext: async () => what,
      toArray: async () => [what],
      close: async () => {
        closed.push(what);
      },
      resumeToken: 'token',
    });
    const client = {
      db: (database) => ({
        watch: (...args) => cursorOf(['watch', database, ...args]),
        collection: (collection) => ({
          aggregate: (...args) => cursorOf(['aggregate', database, collection, ...args]),
        }),
      }),
    };
    const provider = {
      runCommandWithCheck() {},
      aggregate: (...args) => cursorOf(['aggregate', ...args]),
      watch: (...args) => cursorOf(['watch', ...args]),
    };
    const portOf = (source) =>
      makePort(
        async () => {},
        openerOf(() => source),
      );

    it("come from the driver's client", async () => {
      const { port } = portOf(client);
      assert.deepEqual(await port.aggregate('d', 'c', [1], { raw: true }).toArray(), [
        ['aggregate', 'd', 'c', [1], { raw: true }],
      ]);
      assert.deepEqual(await port.watch('d', [2]).tryNext(), ['watch', 'd', [2], {}]);
    });
    it("come from the shell's provider", async () => {
      const { port } = portOf(provider);
      assert.deepEqual(await port.aggregate('d', 'c', [1]).tryNext(), [
        'aggregate',
        'd',
        'c',
        [1],
        {},
      ]);
      const stream = port.watch('d', [2], { batchSize: 3 });
      assert.deepEqual(
        [await stream.tryNext(), stream.resumeToken],
        [['watch', [2], { batchSize: 3 }, {}, 'd'], 'token'],
      );
    });
    it('say nothing more once the port is shut, but can be closed', async () => {
      const { port, shut } = portOf(client);
      const open = port.aggregate('d', 'c', []);
      shut();
      await assert.rejects(open.tryNext(), { code: 'TUNE-30009' });
      await assert.rejects(open.toArray(), { code: 'TUNE-30009' });
      assert.throws(() => port.watch('d', []), { code: 'TUNE-30009' });
      await open.close();
      assert.equal(closed.length, 1);
    });
    it('remember which command an error belongs to', async () => {
      const failure = new Error('no');
      const { port } = portOf({
        ...provider,
        watch: () => ({
          tryNext: async () => {
            throw failure;
          },
        }),
      });
      await assert.rejects(port.watch('d', []).tryNext(), (error) => error === failure);
      assert.equal(commandOf(failure), 'changeStream');
    });
    it('are not to be had from every connection', () => {
      assert.throws(() => makePort(async () => {}).port.aggregate('d', 'c', []), {
        code: 'TUNE-10002',
      });
      assert.throws(() => makePort(async () => {}).port.watch('d', []), { code: 'TUNE-10002' });
    });
  });
});
