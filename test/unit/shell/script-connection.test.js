'use strict';

const assert = require('node:assert/strict');
const fs = require('node:fs');
const path = require('node:path');
const { connectScript } = require('../../../lib/shell/uri-connection');
const { reach } = require('../../../lib/shell/uri-connection');
const { temporaryFolder } = require('../../support/cleanup');

/** mongosh --nodb. */
const STATE = /** @type {any} */ ({
  get currentDb() {
    throw Object.assign(new Error('no connection'), { code: 'SHAPI-10004' });
  },
});

describe('shell/script-connection', () => {
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
            'mongodb://host:27017. Give a value of the kind the message names.',
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
        /TUNE_URI is for mongosh --nodb: this one has a connection of its own/.test(
          error.message,
        ) &&
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
