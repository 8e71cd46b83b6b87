'use strict';

const assert = require('node:assert/strict');
const fs = require('node:fs');
const os = require('node:os');
const path = require('node:path');
const { as, bsonOf, chunk, metadata, update } = require('../../../support/ftdc');
const { readEntries, beginsWell } = require('../../../../lib/recording/ftdc/entries');

const MIB = 2 ** 20;
const at = (/** @type {number} */ ms) =>
  chunk(ms, [
    ['start', as.date(ms)],
    ['n', as.int(1)],
  ]);
/**
 * A chunk of about so many bytes, which zlib cannot make smaller.
 * @param {number} ms
 * @param {number} size
 */
const large = (ms, size) =>
  bsonOf([
    ['_id', as.date(ms)],
    ['type', as.int(1)],
    [
      'data',
      as.binary(
        require('node:crypto')
          .createHash('shake256', { outputLength: size })
          .update(String(ms))
          .digest(),
      ),
    ],
  ]);

describe('recording/ftdc/entries', () => {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), `mongosh-tune-${process.pid}-ftdc-`));
  after(() => fs.rmSync(folder, { recursive: true }));

  /** @param {Buffer[]} parts @returns {Promise<string[]>} what is found, as words */
  async function found(...parts) {
    const file = path.join(folder, 'metrics.x');
    fs.writeFileSync(file, Buffer.concat(parts));
    /** @type {string[]} */ const words = [];
    for await (const entry of readEntries(file))
      words.push(entry.kind === 'damage' ? `damage ${entry.bytes}` : `${entry.kind} ${entry.atMs}`);
    return words;
  }

  it('finds metadata, chunks and updates in order', async () =>
    assert.deepEqual(await found(metadata(1, { a: 1 }), at(2), update(3, { b: 1 }), at(4)), [
      'metadata 1',
      'chunk 2',
      'update 3',
      'chunk 4',
    ]));

  it('finds nothing in an empty file', async () => assert.deepEqual(await found(), []));

  it('hands over what is in them', async () => {
    fs.writeFileSync(
      path.join(folder, 'm'),
      Buffer.concat([metadata(1, { hostInfo: { system: { numCores: 4 } } }), at(2)]),
    );
    const all = [];
    for await (const entry of readEntries(path.join(folder, 'm'))) all.push(entry);
    const [first, second] = all;
    assert.equal(/** @type {any} */ (first).doc.hostInfo.system.numCores, 4);
    assert.ok(/** @type {any} */ (second).data.length > 10);
  });

  it('knows nothing of kinds that later servers may add', async () => {
    const later = bsonOf([
      ['_id', as.date(5)],
      ['type', as.int(3)],
      ['doc', as.doc([])],
    ]);
    assert.deepEqual(await found(at(1), later, at(2)), ['chunk 1', 'unknown 5', 'chunk 2']);
  });

  const length = at(2).length;
  const without = (/** @type {number} */ type) =>
    bsonOf([
      ['_id', as.date(5)],
      ['type', as.int(type)],
      ['other', as.int(1)],
    ]);
  const untyped = bsonOf([
    ['_id', as.date(1)],
    ['kind', as.int(1)],
  ]);
  const other = bsonOf([
    ['a', as.int(1)],
    ['b', as.string('some text')],
  ]);
  const broken = (/** @type {(bytes: Buffer) => void} */ breakIt) => {
    const bytes = Buffer.from(at(2));
    breakIt(bytes);
    return bytes;
  };
  for (const [name, parts, expected] of /** @type {[string, Buffer[], string[]][]} */ ([
    ['garbage before', [Buffer.alloc(100, 0xab), at(1)], ['damage 100', 'chunk 1']],
    ['garbage between', [at(1), Buffer.from('garbage'), at(2)], ['chunk 1', 'damage 7', 'chunk 2']],
    ['garbage behind', [at(1), Buffer.from([1])], ['chunk 1', 'damage 1']],
    ['zeros behind, as after a crash', [at(1), Buffer.alloc(4096)], ['chunk 1', 'damage 4096']],
    [
      'a length that is too large',
      [at(1), broken((bytes) => bytes.writeInt32LE(length + 3, 0)), at(3)],
      ['chunk 1', `damage ${length}`, 'chunk 3'],
    ],
    [
      'a length that is too small',
      [at(1), broken((bytes) => bytes.writeInt32LE(length - 3, 0)), at(3)],
      ['chunk 1', `damage ${length}`, 'chunk 3'],
    ],
    [
      'a length beyond the file',
      [at(1), broken((bytes) => bytes.writeInt32LE(10 * MIB, 0)), at(3), at(4)],
      ['chunk 1', `damage ${length}`, 'chunk 3', 'chunk 4'],
    ],
    [
      'a negative length',
      [broken((bytes) => bytes.writeInt32LE(-5, 0)), at(3)],
      [`damage ${length}`, 'chunk 3'],
    ],
    ['a chunk without its data', [without(1), at(3)], [`damage ${without(1).length}`, 'chunk 3']],
    [
      'metadata without its document',
      [without(0), at(3)],
      [`damage ${without(0).length}`, 'chunk 3'],
    ],
    ['no type', [untyped, at(3)], [`damage ${untyped.length}`, 'chunk 3']],
    [
      'a file cut short',
      [at(1), at(2).subarray(0, length - 1)],
      ['chunk 1', `damage ${length - 1}`],
    ],
    // The zeros of the next one's length look like its own end.
    [
      'a document that lacks its last bytes',
      [at(1).subarray(0, length - 3), at(2)],
      [`damage ${length - 3}`, 'chunk 2'],
    ],
    [
      'a document that reaches into the next one',
      [at(1).subarray(0, length - 17), at(2), at(3)],
      [`damage ${length - 17}`, 'chunk 2', 'chunk 3'],
    ],
    [
      'a document whose beginning lacks bytes',
      [at(1), at(2).subarray(2), at(3)],
      ['chunk 1', `damage ${length - 2}`, 'chunk 3'],
    ],
    ['a file cut short inside of a head', [at(1), at(2).subarray(0, 9)], ['chunk 1', 'damage 9']],
    ['other BSON', [other], [`damage ${other.length}`]],
    [
      'the mark inside of garbage',
      [Buffer.from('xxxx\x09_id\0yyyyyyyyyyyyyyyyy', 'latin1'), at(2)],
      ['damage 26', 'chunk 2'],
    ],
  ])) {
    it(`goes on behind ${name}`, async () => assert.deepEqual(await found(...parts), expected));
  }

  it('finds documents wherever the blocks that are read begin and end', async () => {
    const sizes = [MIB - 60, 10, MIB, 3 * MIB, MIB - 10, 5, 2 * MIB + 17];
    assert.deepEqual(await found(...sizes.map((size, i) => large(i, size)), at(99)), [
      ...sizes.map((_, i) => `chunk ${i}`),
      'chunk 99',
    ]);
  });

  it('finds its way through megabytes of damage', async () =>
    assert.deepEqual(await found(at(1), Buffer.alloc(5 * MIB + 3, 0x5a), at(2)), [
      'chunk 1',
      `damage ${5 * MIB + 3}`,
      'chunk 2',
    ]));

  it('closes the file when nobody wants more', async () => {
    const file = path.join(folder, 'closing');
    fs.writeFileSync(file, Buffer.concat([at(1), at(2)]));
    const open = () =>
      fs.readdirSync('/proc/self/fd').filter((fd) => {
        try {
          return fs.readlinkSync(`/proc/self/fd/${fd}`) === file;
        } catch (_gone) {
          return false;
        }
      }).length;
    for await (const { kind } of readEntries(file)) if (kind === 'chunk') break;
    assert.equal(process.platform === 'linux' ? open() : 0, 0);
  });

  it('knows at the first sample how diagnostic data begins', async () => {
    for (const [bytes, good] of /** @type {[Buffer, boolean][]} */ ([
      [at(1), true],
      [metadata(1, {}), true],
      [Buffer.from('text'), false],
      [Buffer.alloc(0), false],
      [Buffer.alloc(64), false],
    ])) {
      fs.writeFileSync(path.join(folder, 'b'), bytes);
      assert.equal(await beginsWell(path.join(folder, 'b')), good);
    }
  });
});
