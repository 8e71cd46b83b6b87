'use strict';

const assert = require('node:assert/strict');
const { connectTo, addressOf, memberUri } = require('../../../lib/shell/member-connection');
const { MongoClient } = require('mongodb');

describe('shell/member-connection', () => {
  it("asks the shell's provider for a connection of its own, as this one is", async () => {
    const seen = [];
    const member = {
      runCommandWithCheck: async (database, command) => {
        seen.push([database, command]);
        return { ok: 1 };
      },
      close: async () => {
        seen.push('closed');
      },
    };
    const provider = {
      // A pool that opens more connections would end the one that is held.
      getURI: () => 'mongodb://u:p@a:1,b:2/?replicaSet=rs&minPoolSize=5&maxIdleTimeMS=9&tls=true',
      getNewConnection: async (uri) => {
        seen.push(uri);
        return member;
      },
    };
    const { port, close } = await connectTo(provider, 'b:2');
    await port.adminCommand({ ping: 1 });
    await close();
    assert.deepEqual(seen, [
      'mongodb://u:p@b:2/?tls=true&directConnection=true&minPoolSize=0&maxPoolSize=1&serverSelectionTimeoutMS=3000&connectTimeoutMS=3000',
      ['admin', { ping: 1 }],
      'closed',
    ]);
  });
  it('whoever has logged in since the connection string was typed, and its API version', async () => {
    const seen = [];
    const provider = (/** @type {object} */ credentials, more = {}) => ({
      getURI: () => 'mongodb://u:p@a:1/',
      getRawClient: () => ({ options: { credentials, ...more } }),
      getNewConnection: async (_uri, options) => {
        seen.push(options);
        return { runCommandWithCheck: async () => ({ ok: 1 }), close: async () => {} };
      },
    });
    const typed = { username: 'v', password: 'q', source: 'admin', mechanism: 'DEFAULT' };
    for (const credentials of [typed, undefined]) await connectTo(provider(credentials), 'b:2');
    assert.deepEqual(seen, [{ auth: { username: 'v', password: 'q' }, authSource: 'admin' }, {}]);
    assert.deepEqual(addressOf(provider(typed)).options, seen[0]);
    const serverApi = { version: '1' };
    assert.deepEqual(addressOf(provider(undefined, { serverApi })).options, { serverApi });
  });
  for (const [what, uri, credentials] of [
    ['a certificate', 'mongodb://a/?authMechanism=MONGODB-X509', { mechanism: 'MONGODB-X509' }],
    [
      'a key of a cloud',
      'mongodb://key:secret@a/?AUTHMECHANISM=mongodb-aws',
      { username: 'key', password: 'secret', mechanism: 'MONGODB-AWS' },
    ],
    [
      'a ticket',
      'mongodb://me%40REALM@a/?tls=true&authMechanism=GSSAPI',
      { username: 'me@REALM', mechanism: 'GSSAPI' },
    ],
  ])
    it(`the login that the connection string has stays as it is: ${what}`, () =>
      assert.deepEqual(addressOf(shellWith(uri, credentials)).options, {}));
  describe('a key of a cloud in the environment', () => {
    const { AWS_ACCESS_KEY_ID } = process.env;
    before(() => {
      process.env.AWS_ACCESS_KEY_ID = 'key';
    });
    after(() => {
      if (AWS_ACCESS_KEY_ID === undefined) delete process.env.AWS_ACCESS_KEY_ID;
      else process.env.AWS_ACCESS_KEY_ID = AWS_ACCESS_KEY_ID;
    });
    const URI = 'mongodb://a/?authMechanism=MONGODB-AWS&authSource=$external';
    const of = (/** @type {string} */ uri, /** @type {string} */ username) =>
      addressOf(shellWith(uri, { username, password: 'secret', mechanism: 'MONGODB-AWS' })).options;
    for (const username of ['key', ''])
      it(`stays there, whether the driver shows it or not: "${username}"`, () =>
        assert.deepEqual(of(URI, username), {}));
    for (const [uri, username] of [
      [URI, 'another'],
      ['mongodb://first:secret@a/?authMechanism=MONGODB-AWS', 'key'],
      ['mongodb://a/', 'key'],
    ])
      it(`is no login of another key, or by another way: ${uri} ${username}`, () =>
        assert.throws(() => of(uri, username), { code: 'TUNE-20005' }));
  });
  for (const before of [
    'mongodb://u:p@a/?authSource=admin&tls=true',
    'mongodb://a/',
    'mongodb://CN%3Dother@a/?authMechanism=MONGODB-X509',
  ])
    it(`a certificate that logged in since goes along: ${before}`, () => {
      const { uri, options } = addressOf(
        shellWith(before, { username: '', source: '$external', mechanism: 'MONGODB-X509' }),
      );
      // The guardian of a split gets it over a channel.
      const { credentials } = new MongoClient(
        memberUri(uri, 'b:2'),
        /** @type {any} */ (structuredClone(options)),
      ).options;
      assert.deepEqual(
        [credentials?.mechanism, credentials?.username, credentials?.password, credentials?.source],
        ['MONGODB-X509', '', '', '$external'],
      );
    });
  for (const [mechanism, before, username] of [
    ['MONGODB-OIDC', 'mongodb://u:p@a/', 'me'],
    ['MONGODB-OIDC', 'mongodb://first@a/?authMechanism=MONGODB-OIDC', 'second'],
    ['GSSAPI', 'mongodb://u:p@a/', 'u'],
    ['MONGODB-AWS', 'mongodb://a/', 'key'],
  ])
    it(`a login by ${mechanism} since that no other connection can have is refused: ${before}`, async () => {
      const shell = shellWith(before, { username, password: 'secret', mechanism });
      for (const refused of [() => addressOf(shell), () => connectTo(shell, 'b:2')])
        await assert.rejects(
          async () => refused(),
          (error) => {
            assert.equal(error.code, 'TUNE-20005');
            assert.match(error.message, RegExp(`by ${mechanism}.*authMechanism=${mechanism}`));
            assert.doesNotMatch(error.message, /secret|u:p/);
            return true;
          },
        );
    });
  it('rejects as the driver does', () =>
    assert.rejects(
      connectTo(
        {
          getURI: () => 'mongodb://a',
          getNewConnection: async () => {
            throw new Error('ECONNREFUSED');
          },
        },
        'b:2',
      ),
      /ECONNREFUSED/,
    ));
});

/** @param {string} uri @param {object} credentials of who is logged in now */
const shellWith = (uri, credentials) => ({
  getURI: () => uri,
  getRawClient: () => ({ options: { credentials } }),
  getNewConnection: () => assert.fail('it connects'),
});

/** What a client would do that is made from it. @param {MongoClient} client */
function again(client) {
  const { uri, options } = addressOf(client);
  // It goes over a channel between two processes.
  return new MongoClient(uri, /** @type {any} */ (structuredClone(options))).options;
}

describe('where a connection leads, for another process', () => {
  it('mongosh tells it whole', () =>
    assert.deepEqual(addressOf({ getURI: () => 'mongodb://u:p@h:1/?tls=true' }), {
      uri: 'mongodb://u:p@h:1/?tls=true',
      options: {},
    }));

  it('a client of the driver: hosts, replica set, login, certificates, write concern', () => {
    const client = new MongoClient(
      'mongodb://us%40er:pa%3Ass@h1:1,h2:2/?replicaSet=rs&authSource=other&w=majority&authMechanism=SCRAM-SHA-256',
      { tls: true, ca: 'CA', tlsAllowInvalidHostnames: true },
    );
    const made = again(client);
    assert.deepEqual(made.hosts.map(String), ['h1:1', 'h2:2']);
    assert.deepEqual(
      [made.replicaSet, made.tls, made.ca, made.writeConcern.w],
      ['rs', true, 'CA', 'majority'],
    );
    const { username, password, source, mechanism } = made.credentials;
    assert.deepEqual(
      [username, password, source, mechanism],
      ['us@er', 'pa:ss', 'other', 'SCRAM-SHA-256'],
    );
  });

  it('nobody logged in, one server, a load balancer', () => {
    assert.deepEqual(
      [again(new MongoClient('mongodb://h/?directConnection=true'))].map(
        ({ directConnection, credentials }) => [directConnection, credentials],
      ),
      [[true, undefined]],
    );
    assert.equal(again(new MongoClient('mongodb://h/?loadBalanced=true')).loadBalanced, true);
  });

  it('anything else is none', () => {
    for (const wrong of [null, {}, { getURI: () => undefined }, { options: {} }])
      assert.throws(() => addressOf(wrong), { code: 'TUNE-10002' });
  });
});

const OWN =
  'directConnection=true&minPoolSize=0&maxPoolSize=1&serverSelectionTimeoutMS=3000&connectTimeoutMS=3000';

describe('shell/member-connection: the address of a member', () => {
  for (const [what, uri, expected] of [
    ['the hosts are replaced', 'mongodb://a:1,b:2/?replicaSet=rs', `mongodb://m:9/?${OWN}`],
    [
      'credentials, database and TLS stay',
      'mongodb://u:p%40ss@a:1/db?tls=true&tlsCAFile=%2Fca.pem&authSource=admin',
      `mongodb://u:p%40ss@m:9/db?tls=true&tlsCAFile=%2Fca.pem&authSource=admin&${OWN}`,
    ],
    [
      'what belongs to the set goes, however it is spelled',
      'mongodb://a/?readPreference=secondary&REPLICASET=x&directConnection=false&serverSelectionTimeoutMS=99&appName=y',
      `mongodb://m:9/?appName=y&${OWN}`,
    ],
    ['there may be nothing but hosts', 'mongodb://a', `mongodb://m:9/?${OWN}`],
    [
      'SRV means TLS, and users of admin',
      'mongodb+srv://u:p@cluster.example.net/',
      `mongodb://u:p@m:9/?tls=true&authSource=admin&${OWN}`,
    ],
    [
      'SRV without a user, and without TLS when it says so',
      'mongodb+srv://cluster.example.net/?tls=false',
      `mongodb://m:9/?tls=false&${OWN}`,
    ],
    [
      'SRV with a certificate for a user, which is in no database',
      'mongodb+srv://CN%3Du@c.example.net/?authMechanism=MONGODB-X509&tlsCertificateKeyFile=%2Fme.pem',
      `mongodb://CN%3Du@m:9/?authMechanism=MONGODB-X509&tlsCertificateKeyFile=%2Fme.pem&tls=true&${OWN}`,
    ],
    [
      'SRV with a password and its mechanism',
      'mongodb+srv://u:p@c.example.net/?authMechanism=SCRAM-SHA-256',
      `mongodb://u:p@m:9/?authMechanism=SCRAM-SHA-256&tls=true&authSource=admin&${OWN}`,
    ],
    [
      'SRV with another source of users',
      'mongodb+srv://u:p@c.example.net/?authSource=x',
      `mongodb://u:p@m:9/?authSource=x&tls=true&${OWN}`,
    ],
  ])
    it(what, () => assert.equal(memberUri(uri, 'm:9'), expected));

  for (const host of [
    'db-1.example.net:27017',
    'mongo_1',
    '10.0.0.1:1',
    '[::1]:27017',
    '[fe80::1]',
    '%2Ftmp%2Fmongodb-27017.sock',
  ])
    it(`takes ${host}`, () => assert.ok(memberUri('mongodb://x/', host).includes(`//${host}/?`)));

  for (const host of [
    'm:9/?authMechanism=PLAIN&appName=',
    'm:9?tls=false',
    'm:9,evil:1',
    'u:p@m:9',
    'm:9#',
    'm%2F%3FauthMechanism=PLAIN',
    '/tmp/x.sock/?a=.sock',
    '[::1]/:9',
    'm:123456',
    'm 9',
    'm:9\n',
    'm\u001b[31m:9',
    '',
  ])
    it(`refuses ${JSON.stringify(host)}, whoever connects`, async () => {
      assert.throws(() => memberUri('mongodb://u:p@x/', host), /TUNE-20010/);
      await assert.rejects(connectTo({ options: { hosts: ['x:1'] } }, host), /TUNE-20010/);
    });

  it('shows a control character in such a name written out', () =>
    assert.throws(() => memberUri('mongodb://x/', 'm\u001b[31m'), /"m\\u001b\[31m"/));
});
