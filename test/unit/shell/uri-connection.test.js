'use strict';

const assert = require('node:assert/strict');
const net = require('node:net');
const fs = require('node:fs');
const path = require('node:path');
const { tune } = require('../../../lib/node');
const { reach, connectScript } = require('../../../lib/shell/uri-connection');
const { temporaryFolder } = require('../../support/cleanup');

/** A shell's provider that notes what it is asked for. */
function providerOf(connect) {
  const seen = [];
  return {
    seen,
    getNewConnection: async (uri, options) => {
      seen.push([uri, options]);
      return connect();
    },
  };
}
const connected = () => ({
  runCommandWithCheck: async (database, command) => [database, command],
  close: async () => 'closed',
});

describe('shell/uri-connection: reach', () => {
  it('connects as the string says, in the time it may take, and to the one server that is named', async () => {
    const provider = providerOf(connected);
    const { port, close } = await reach(provider, 'mongodb://u:p@a:1/?tls=true', 700);
    assert.deepEqual(await port.adminCommand({ ping: 1 }), ['admin', { ping: 1 }]);
    assert.equal(await close(), 'closed');
    assert.deepEqual(provider.seen, [
      [
        'mongodb://u:p@a:1/?tls=true',
        {
          connectTimeoutMS: 700,
          serverSelectionTimeoutMS: 700,
          maxPoolSize: 2,
          appName: 'mongosh-tune',
          directConnection: true,
        },
      ],
    ]);
  });
  it('leaves to the driver where a set, several hosts, or a name of DNS lead', async () => {
    for (const uri of [
      'mongodb://a,b',
      'mongodb://a/?replicaSet=rs',
      'mongodb+srv://a',
      'mongodb://a/?x=1&directConnection=false',
      'mongodb://a/?loadBalanced=true',
    ]) {
      const provider = providerOf(connected);
      await reach(provider, uri, 1);
      assert.ok(!('directConnection' in provider.seen[0][1]), uri);
    }
  });
  describe('in mongosh, whose driver connects', () => {
    /**
     * A driver whose clients connect as they are told to; the provider of it notes what is left to
     * it.
     */
    function shellOf(connect) {
      const made = [];
      class Client {
        constructor(uri, options) {
          made.push({ uri, options });
          this.closed = 0;
        }
        on() {}
        connect() {
          return connect(this);
        }
        async close() {
          made.at(-1).isClosed = true;
        }
      }
      const provider = providerOf(connected);
      return { made, seen: provider.seen, ...provider, getRawClient: () => new Client() };
    }
    const ready = async () => ({
      db: (database) => ({ command: async (spec) => [database, spec] }),
      close: async () => 'closed',
    });
    const failing = (message) => async () => {
      throw new Error(message);
    };

    it('without what mongosh gives each of its own connections', async () => {
      const shell = shellOf(ready);
      const { port } = await reach(shell, 'mongodb://u:p@a:1/?tls=true', 700);
      assert.deepEqual(await port.adminCommand({ ping: 1 }), ['admin', { ping: 1 }]);
      assert.deepEqual(shell.made.at(-1), {
        uri: 'mongodb://u:p@a:1/?tls=true',
        options: {
          connectTimeoutMS: 700,
          serverSelectionTimeoutMS: 700,
          maxPoolSize: 2,
          appName: 'mongosh-tune',
          directConnection: true,
        },
      });
      assert.deepEqual(shell.seen, []);
    });
    it('but mongosh itself where it knows certificates, names and logins that its driver does not', async () => {
      for (const [uri, connect] of [
        ['mongodb://a/?tls=true', failing('unable to get local issuer certificate')],
        ['mongodb+srv://a.example', failing('querySrv ENOTFOUND _mongodb._tcp.a.example')],
        ['mongodb://a/?authMechanism=MONGODB-OIDC', ready],
        ['mongodb://u@a/?x=1&authMechanism=GSSAPI', ready],
        ['mongodb://a/?authMechanism=MONGODB-AWS', ready],
      ]) {
        const shell = shellOf(connect);
        await reach(shell, uri, 1);
        assert.deepEqual(
          shell.seen.map(([to]) => to),
          [uri],
        );
        for (const client of shell.made.slice(1)) assert.ok(client.isClosed, uri);
      }
    });
    it('what fails for another reason is not tried again', async () => {
      const shell = shellOf(failing('connect ECONNREFUSED 127.0.0.1:1'));
      await assert.rejects(reach(shell, 'mongodb://a', 1), { code: 'TUNE-20011' });
      assert.deepEqual([shell.seen, shell.made.at(-1).isClosed], [[], true]);
    });
  });
  it('says why not, in short and in full, without a password', async () => {
    const failing = providerOf(() => {
      throw Object.assign(new Error('no way to mongodb://u:secret@a:1'), {
        name: 'MongoServerSelectionError',
      });
    });
    await assert.rejects(
      reach(failing, 'mongodb://u:secret@a:1', 1),
      (error) =>
        error.code === 'TUNE-20011' &&
        error.why === 'no way to mongodb://a:1' &&
        !error.message.includes('secret'),
    );
    const refusing = providerOf(() => {
      throw Object.assign(new Error('Authentication failed.'), {
        name: 'MongoServerError',
        code: 18,
      });
    });
    await assert.rejects(reach(refusing, 'mongodb://a', 1), { code: 'TUNE-20005' });
  });
  it('in plain Node the driver connects, and a connection string that is none is said', async () => {
    const server = net.createServer().listen(0, '127.0.0.1');
    await new Promise((resolve) => {
      server.once('listening', resolve);
    });
    const { port } = server.address();
    await new Promise((resolve) => {
      server.close(resolve);
    });
    // Long before the time is over, which would be ten minutes.
    await assert.rejects(
      reach(null, `mongodb://127.0.0.1:${port}`, 600_000),
      (error) => error.code === 'TUNE-20011' && /ECONNREFUSED/.test(error.why),
    );
    await assert.rejects(
      reach(null, `mongodb://127.0.0.1:${port},127.0.0.2:${port}/?replicaSet=rs`, 600_000),
      (error) => error.code === 'TUNE-20011' && /ECONNREFUSED/.test(error.why),
    );
    await assert.rejects(reach(null, 'mongodb://a:1:2', 300), { code: 'TUNE-20011' });
  });
  it('tune(null) is for what needs no connection, and says so to the rest', async () => {
    await assert.rejects(tune(null).status(), { code: 'TUNE-20001' });
    await assert.rejects(tune(null).fleet(), { code: 'TUNE-10004' });
    await assert.rejects(tune(null).metrics({ seconds: 0.1 }), { code: 'TUNE-20001' });
  });
});

/** mongosh --nodb. */
const STATE = /** @type {any} */ ({
  get currentDb() {
    throw Object.assign(new Error('no connection'), { code: 'SHAPI-10004' });
  },
});

describe('shell/uri-connection: of a script', () => {
  /** @type {{ path: string, remove(): void }} */ let folder;
  before(() => {
    folder = temporaryFolder('uri');
  });
  after(() => folder.remove());
  /** @param {string} text */
  const fileWith = (text) => {
    const file = path.join(folder.path, 'uri');
    fs.writeFileSync(file, text);
    return file;
  };
  /**
   * @param {{ uri?: string, uriFile?: string }} how
   * @returns {Promise<string[]>} where it connected to
   */
  async function connected(how) {
    /** @type {string[]} */
    const seen = [];
    await connectScript(
      {
        connect: async (/** @type {string} */ uri) => {
          seen.push(uri);
        },
      },
      STATE,
      { needed: true, ...how },
    );
    return seen;
  }

  it('connects to what is given, or to what stands in the file', async () => {
    assert.deepEqual(await connected({ uri: 'mongodb://u:p%40@a:1/?x=y@z' }), [
      'mongodb://u:p%40@a:1/?x=y@z',
    ]);
    assert.deepEqual(await connected({ uriFile: fileWith('mongodb+srv://a.example\n') }), [
      'mongodb+srv://a.example',
    ]);
  });
  it('what is no connection string leads nowhere, least of all to the server on this machine', async () => {
    for (const text of [
      '',
      '\n',
      'db1',
      'secret-word',
      'http://a:secret@b',
      'mongodb://',
      'mongodb://a:secret@b\nmongodb://c',
    ]) {
      const file = fileWith(text);
      await assert.rejects(
        connected({ uriFile: file }),
        {
          code: 'TUNE-10002',
          message:
            `[TUNE-10002] TUNE_URI_FILE: ${file} holds no connection string such as ` +
            'mongodb://host:27017. Give a value of the kind named in the message.',
        },
        text,
      );
    }
    await assert.rejects(
      connected({ uri: 'secret-word' }),
      (error) =>
        error.code === 'TUNE-10002' &&
        /TUNE_URI is no connection string/.test(error.message) &&
        !/secret/.test(error.message),
    );
  });
  it('on a connection that is there nothing else is connected to, and nobody is left to think so', async () => {
    const state = /** @type {any} */ ({ currentDb: { _mongo: { _serviceProvider: {} } } });
    const globalObject = { connect: () => assert.fail('it connected') };
    await connectScript(globalObject, state, { needed: true });
    await assert.rejects(
      connectScript(globalObject, state, { uri: 'mongodb://u:secret@h', needed: true }),
      (error) =>
        error.code === 'TUNE-10002' &&
        /TUNE_URI is for mongosh --nodb: this one has its own connection/.test(error.message) &&
        !/secret/.test(error.message),
    );
    await assert.rejects(
      connectScript(globalObject, state, { uriFile: '/etc/db.uri', needed: false }),
      /TUNE_URI_FILE is for mongosh --nodb/,
    );
  });
  it('a password that is not encoded is not looked up as a host', async () => {
    const never = { getNewConnection: () => assert.fail('it was asked') };
    for (const uri of [
      'mongodb://u:p@secret/x@h:1/',
      'mongodb://u:p@secret?x@h:1',
      'mongodb://u:secret/x@h:1/admin?tls=true',
    ]) {
      for (const tried of [connected({ uri }), reach(never, uri, 1)]) {
        await assert.rejects(
          tried,
          (error) =>
            error.code === 'TUNE-20011' &&
            /not encoded/.test(error.why) &&
            !/secret/.test(error.message),
          uri,
        );
      }
    }
  });
});
