'use strict';

const assert = require('node:assert/strict');
const fs = require('node:fs');
const path = require('node:path');
const { run: lint } = require('../../../lib/commands/lint');
const { TuneError } = require('../../../lib/base/pure/errors');
const { temporaryFolder } = require('../../support/cleanup');

/** @param {() => Promise<any>} adminCommand @returns {any} */
const context = (adminCommand) => ({
  port: { adminCommand },
  signal: new AbortController().signal,
  home: '/nowhere',
});
const NO_SERVER = context(async () => {
  throw new TuneError('TUNE-20001', 'not connected.');
});
const V = { version: '6.0.5' };

describe('commands/lint', () => {
  it('needs no server when the release is given, in either place', async () => {
    assert.equal((await lint(NO_SERVER, 'cache_size=1G', V)).ok, true);
    assert.equal((await lint(NO_SERVER, { text: 'cache_size=1.5G', ...V })).ok, false);
    assert.deepEqual(
      (({ version, kind, file, problems }) => ({ version, kind, file, problems }))(
        await lint(NO_SERVER, 'create=true', { ...V, at: 'start' }),
      ),
      { version: '6.0.5', kind: 'string', file: null, problems: [] },
    );
  });
  it('without a server and a release it says what to give', async () =>
    assert.rejects(
      lint(NO_SERVER, 'cache_size=1G'),
      (error) => error.code === 'TUNE-20001' && /version: "8\.0\.10"/.test(error.message),
    ));
  it('asks the server for its release, and works on a mongos', async () => {
    const mongos = context(async () => ({ msg: 'isdbgrid', version: '7.0.5', ok: 1 }));
    assert.equal((await lint(mongos, 'eviction=(threads_min=3)')).version, '7.0.5');
  });
  it('says what its word is worth for a release it does not know', async () =>
    assert.match(
      (await lint(NO_SERVER, 'cache_size=1G', { version: '3.2' })).problems[0].say,
      /3\.2 is too old/,
    ));
  it('holds sizes against the memory of the connected server, in strings and files', async () => {
    const server = context(async () => ({
      version: '6.0.5',
      system: { memLimitMB: 24 * 1024 },
      parsed: {},
      log: [],
    }));
    const said = async (/** @type {any} */ what, /** @type {any} */ options) =>
      (await lint(server, what, options)).problems
        .map(({ level, say }) => `${level}: ${say}`)
        .join();
    const file = { text: 'storage:\n  wiredTiger:\n    engineConfig:\n      cacheSizeGB: 200\n' };
    for (const [what, options] of [
      ['cache_size=200GB'],
      ['cache_size=200GB', { at: 'start' }],
      [file],
    ])
      assert.equal(
        await said(what, options),
        'warning: A cache of 200 GiB is more than 80% of the 24 GiB RAM available to this server',
      );
    assert.equal(await said('cache_size=200GB', V), '');
  });
  it('a lost connection is thrown', async () => {
    const lost = () =>
      Promise.reject(Object.assign(new Error('gone'), { name: 'MongoNetworkError' }));
    await assert.rejects(lint(context(lost), 'a=1'), { code: 'TUNE-20006' });
    let calls = 0;
    await assert.rejects(
      lint(
        context(async () => (calls++ === 0 ? { version: '6.0.5' } : lost())),
        'a=1',
      ),
      { code: 'TUNE-20006' },
    );
  });
  for (const [what, code] of /** @type {[any, string][]} */ ([
    [undefined, 'TUNE-10004'],
    [null, 'TUNE-10002'],
    [7, 'TUNE-10002'],
    [[1], 'TUNE-10002'],
    [{}, 'TUNE-10004'],
    [{ foo: 1 }, 'TUNE-10001'],
    [{ text: 7 }, 'TUNE-10002'],
    ['nowhere.conf', 'TUNE-40002'],
    [{ file: 'nowhere' }, 'TUNE-40002'],
    [{ file: '' }, 'TUNE-10002'],
  ])) {
    it(`${JSON.stringify(what)} → ${code}`, async () =>
      assert.rejects(lint(NO_SERVER, what, V), { code }));
  }
  it('wrong options', async () => {
    for (const version of ['abc', '', '8', 8])
      await assert.rejects(
        lint(NO_SERVER, 'a=1', /** @type {any} */ ({ version })),
        (error) =>
          error.code === 'TUNE-10002' &&
          /a release such as "8\.0\.10"/.test(error.message) &&
          error.allowed !== undefined,
      );
    await assert.rejects(lint(NO_SERVER, 'a=1', /** @type {any} */ ({ at: 'noon' })), {
      code: 'TUNE-10002',
    });
    await assert.rejects(lint(NO_SERVER, 'a=1', /** @type {any} */ ({ versoin: '6.0.5' })), {
      code: 'TUNE-10001',
    });
  });

  describe('file or string', () => {
    /** @type {{ path: string, remove(): void }} */ let folder;
    before(() => {
      folder = temporaryFolder('lint');
      fs.writeFileSync(path.join(folder.path, 'mongod.conf'), 'storage:\n  dbPath: /data\n');
      fs.writeFileSync(path.join(folder.path, 'plain'), 'net:\n  port: 1\n');
      fs.writeFileSync(path.join(folder.path, 'old.cfg'), 'dbpath=/data\n');
    });
    after(() => folder.remove());
    const kindOf = async (/** @type {any} */ what) => (await lint(NO_SERVER, what, V)).kind;

    it('what exists is a file', async () =>
      assert.deepEqual(
        [
          await kindOf(path.join(folder.path, 'mongod.conf')),
          await kindOf(path.join(folder.path, 'plain')),
        ],
        ['file', 'file'],
      ));
    it('~ is the home folder', async () => {
      const { HOME } = process.env;
      process.env.HOME = folder.path;
      try {
        assert.equal((await lint(NO_SERVER, '~/plain', V)).file, path.join(folder.path, 'plain'));
        assert.equal(
          (await lint(NO_SERVER, { file: '~/plain' }, V)).file,
          path.join(folder.path, 'plain'),
        );
        assert.equal(await kindOf('~plain'), 'string');
      } finally {
        process.env.HOME = HOME;
      }
    });
    it('what has an equals sign, or does not exist, is a string', async () =>
      assert.deepEqual(
        [await kindOf('a=1'), await kindOf('create'), await kindOf('')],
        ['string', 'string', 'string'],
      ));
    it('a text that begins with an option of mongod is a file', async () => {
      assert.deepEqual(
        [
          await kindOf({ text: 'storage:\n  engine: wiredTiger\n' }),
          await kindOf('# mine\nnet: {port: 1}\n'),
          await kindOf({ text: '---\nfoo: 1\n' }),
        ],
        ['file', 'file', 'file'],
      );
      assert.deepEqual(
        [await kindOf({ text: 'cache_size:1G' }), await kindOf({ text: 'cache_size : 1G' })],
        ['string', 'string'],
      );
    });
    it('{ file } is a file whatever it is called', async () =>
      assert.equal(
        (await lint(NO_SERVER, { file: path.join(folder.path, 'plain') }, V)).file,
        path.join(folder.path, 'plain'),
      ));
    it('the old form of mongod.conf is said not to be checked', async () =>
      assert.rejects(
        lint(NO_SERVER, path.join(folder.path, 'old.cfg'), V),
        (error) => error.code === 'TUNE-40003' && /key=value/.test(error.message),
      ));
    it('faults of the YAML are problems', async () => {
      const { ok, problems } = await lint(NO_SERVER, { text: 'storage:\n\tdbPath: /data\n' }, V);
      assert.deepEqual([ok, problems[0].line], [false, 2]);
      assert.match(
        (
          await lint(
            NO_SERVER,
            { text: 'storage:\n  dbPath: a\nstorage:\n  engine: wiredTiger\n' },
            V,
          )
        ).problems[0].say,
        /unique/,
      );
    });
  });
});
