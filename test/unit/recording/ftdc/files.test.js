'use strict';

const assert = require('node:assert/strict');
const fs = require('node:fs');
const os = require('node:os');
const path = require('node:path');
const { chunkOfSamples, metadata } = require('../../../support/ftdc');
const { findFiles } = require('../../../../lib/recording/ftdc/files');

const one = (/** @type {number} */ ms) => chunkOfSamples([{ start: new Date(ms), n: 1 }]);

describe('recording/ftdc/files', () => {
  const root = fs.mkdtempSync(path.join(os.tmpdir(), `mongosh-tune-${process.pid}-files-`));
  after(() => fs.rmSync(root, { recursive: true }));
  const make = (/** @type {string} */ folder, /** @type {Record<string, Buffer>} */ files) => {
    const made = path.join(root, folder);
    fs.mkdirSync(made, { recursive: true });
    for (const [name, bytes] of Object.entries(files))
      fs.writeFileSync(path.join(made, name), bytes);
    return made;
  };
  const names = async (/** @type {string} */ place) =>
    (await findFiles([place])).map((file) => path.relative(root, file));

  it('takes one file by any name', async () =>
    assert.deepEqual(await names(path.join(make('a', { 'kept.bin': one(1) }), 'kept.bin')), [
      'a/kept.bin',
    ]));

  it('puts the files of a folder in the order of time, whatever their names', async () => {
    const folder = make('b', {
      'metrics.interim': one(30),
      'metrics.2026-00002': metadata(20, {}),
      'metrics.2026-00009': one(10),
      'metrics.interim.temp': Buffer.alloc(0),
      'mongod.log': Buffer.from('x'),
    });
    assert.deepEqual(await names(folder), [
      'b/metrics.2026-00009',
      'b/metrics.2026-00002',
      'b/metrics.interim',
    ]);
  });

  it('finds the folder in a dbPath', async () => {
    make('c/diagnostic.data', { 'metrics.1': one(1) });
    assert.deepEqual(await names(path.join(root, 'c')), ['c/diagnostic.data/metrics.1']);
  });

  it('takes files with other names when they begin as they should, and only when there are no others', async () => {
    assert.deepEqual(
      await names(
        make('d', {
          two: one(2),
          one: one(1),
          'notes.txt': Buffer.from('notes'),
          empty: Buffer.alloc(0),
        }),
      ),
      ['d/one', 'd/two'],
    );
    assert.deepEqual(await names(make('e', { two: one(2), 'metrics.1': one(1) })), ['e/metrics.1']);
  });

  it('takes a file that begins with damage', async () =>
    assert.deepEqual(
      await names(make('f', { 'metrics.1': Buffer.concat([Buffer.from('???'), one(1)]) })),
      ['f/metrics.1'],
    ));

  it('takes an empty file, and one that is cut off in its first document, for a recording of nothing', async () => {
    assert.deepEqual(
      await names(
        make('j', {
          'metrics.1': Buffer.alloc(0),
          'metrics.2': one(1).subarray(0, 40),
          'metrics.3': Buffer.from('text, text, text, text, text'),
        }),
      ),
      ['j/metrics.1', 'j/metrics.2'],
    );
  });

  it('takes several places in any order, and each file once', async () => {
    const [late, early] = [
      make('k', { 'metrics.1': one(20) }),
      make('l', { 'metrics.1': one(10), 'metrics.2': one(30) }),
    ];
    const found = await findFiles([late, path.join(early, 'metrics.2'), early]);
    assert.deepEqual(
      found.map((file) => path.relative(root, file)),
      ['l/metrics.1', 'k/metrics.1', 'l/metrics.2'],
    );
  });

  it('refuses the one of several places that has nothing', () =>
    assert.rejects(
      findFiles([make('m', { 'metrics.1': one(1) }), make('n', { 'notes.txt': Buffer.from('x') })]),
      (/** @type {any} */ error) => error.code === 'TUNE-40004' && error.value.endsWith('n'),
    ));

  it('keeps a file of damage among others, to be told of, and leaves out what is half written', async () => {
    assert.deepEqual(
      await names(
        make('o', {
          'metrics.1': Buffer.from('no document, no document, no document'),
          'metrics.2': one(1),
          'metrics.interim.temp': one(2),
        }),
      ),
      ['o/metrics.2', 'o/metrics.1'],
    );
  });

  it('follows links, and passes over those that lead nowhere', async () => {
    const folder = make('p', { kept: one(1) });
    fs.symlinkSync(path.join(folder, 'kept'), path.join(folder, 'metrics.1'));
    fs.symlinkSync(path.join(folder, 'nothing'), path.join(folder, 'metrics.2'));
    assert.deepEqual(await names(folder), ['p/metrics.1']);
  });

  it('names the folders further down that may be meant', async () => {
    for (const name of ['a', 'b', 'c', 'd', 'e', 'f', 'g'])
      make(`q/${name}/diagnostic.data`, { 'metrics.1': one(1) });
    await assert.rejects(
      names(path.join(root, 'q')),
      /Subfolders with data: .*q\/a\/diagnostic\.data, .* and 2 more. Give one of them/,
    );
  });

  it('refuses what is packed, and what is no file', async () => {
    const folder = make('r', { 'metrics.1.gz': Buffer.from([0x1f, 0x8b, 8, 0]) });
    await assert.rejects(names(path.join(folder, 'metrics.1.gz')), /compressed with gzip/);
    await assert.rejects(names('/dev/null'), /neither a file nor a folder/);
  });

  for (const [name, place, code] of /** @type {[string, () => string, string][]} */ ([
    ['nothing there', () => path.join(root, 'nowhere'), 'TUNE-40002'],
    ['an empty folder', () => make('g', {}), 'TUNE-40004'],
    ['a folder of other things', () => make('h', { a: Buffer.from('a') }), 'TUNE-40004'],
    [
      'a file of something else',
      () =>
        path.join(
          make('i', { 'metrics.1': Buffer.from('text, text, text, text, text') }),
          'metrics.1',
        ),
      'TUNE-40004',
    ],
  ])) {
    it(`refuses ${name}`, () =>
      assert.rejects(
        async () => findFiles([place()]),
        (/** @type {any} */ error) => error.code === code && error.message.includes(root),
      ));
  }
});
