'use strict';

const assert = require('node:assert/strict');
const { inspect } = require('node:util');
const { hasSecrets, withoutSecrets } = require('../../../lib/base/pure/printable');
const { TuneError } = require('../../../lib/base/pure/errors');

const SECRET = 's3cret';

describe('base/pure/printable', () => {
  for (const text of [
    `mongodb://joe:${SECRET}@h:1/?x=1`,
    `mongodb+srv://joe:${SECRET}@h/`,
    `mongodb://joe:${SECRET}/with@and@h/x`,
    `mongodb://joe:"${SECRET}'@h`,
    `["mongodb://joe:${SECRET}@h","mongodb://joe:${SECRET}@i"]`,
    `mongo://joe:%73${SECRET}%40@h`,
    `mongodb://h/?tls=true&tlsCertificateKeyFilePassword=${SECRET};x&y=1`,
    `?proxyPassword=${SECRET}`,
    `?authMechanismProperties=AWS_SESSION_TOKEN:${SECRET},REALM:${SECRET}`,
    `AWS_SESSION_TOKEN:${SECRET}`,
    `{ auth: { username: 'joe', password: '${SECRET}' } }`,
    `{"password":"${SECRET}"}`,
    `passphrase: ${SECRET}`,
    `{ authMechanismProperties: { AWS_SESSION_TOKEN: '${SECRET}' } }`,
    `sslPEMKeyPassword=${SECRET}`,
  ])
    it(text, () => {
      assert.doesNotMatch(withoutSecrets(text), /s3cret/);
      assert.equal(hasSecrets(text), true);
    });
  for (const text of [
    'mongodb://h:1,i:2/?replicaSet=rs',
    'mail to me@example.org',
    'the password is wrong',
    'db.auth(name, passwordPrompt())',
    'tlsCAFile=/etc/ca.pem',
    '',
  ]) {
    it(`${text} has none`, () => assert.equal(withoutSecrets(text), text));
  }
});

describe('TuneError', () => {
  it('has none in its message, its fields and its cause, and nothing that moves the cursor', () => {
    const uri = `mongodb://joe:${SECRET}@h/`;
    const inner = Object.assign(new Error(`no way to ${uri}`), {
      name: 'MongoParseError',
      code: 7,
    });
    const cause = new Error('outer', { cause: inner });
    for (const one of [inner, cause]) {
      const error = new TuneError('TUNE-20006', `${uri} \u001b[31mis gone`, {
        value: uri,
        cause: one,
        seen: [1],
      });
      assert.doesNotMatch(inspect(error, { depth: 9 }), /s3cret/);
      assert.match(error.message, /mongodb:\/\/h\/ \\u001b\[31mis gone/);
      assert.deepEqual(/** @type {any} */ (error).seen, [1]);
    }
    const kept = /** @type {any} */ (new TuneError('TUNE-20006', 'x', { cause: inner })).cause;
    assert.deepEqual(
      [kept.name, kept.code, kept.message],
      ['MongoParseError', 7, 'no way to mongodb://h/'],
    );
    const plain = new Error('x');
    assert.equal(new TuneError('TUNE-20006', 'x', { cause: plain }).cause, plain);
    assert.equal(new TuneError('TUNE-20006', 'x', { cause: 'text' }).cause, 'text');
  });
});
