'use strict';

const assert = require('node:assert/strict');
const fs = require('node:fs');
const path = require('node:path');
const { temporaryFolder } = require('../../support/cleanup');
const { filesUnder } = require('../../../lib/host/root-files');
const { HostFileError } = require('../../../lib/host/snapshot');

/**
 * @import { Files } from '../../../lib/host/snapshot'
 */

const HEAD_BYTES = 512;
const LONG = 'interleave\n'.repeat(100);
/** What lies in the folder that is asked first, and in the one behind it. */
const ROOTS = {
  later: { 'proc/stat': 'cpu 2\n', 'proc/9/stat': '9 (new) S\n' },
  host: {
    'proc/stat': 'cpu 1\n',
    'proc/7/stat': '7 (mongod) S\n',
    'proc/7/maps': LONG,
    'proc/7/numa_maps': LONG,
    '.commands/df': 'Filesystem\n',
  },
};

describe('host/root-files', () => {
  /** @type {{ path: string, remove(): void }} */ let folder;
  /** @type {Files} */ let files;
  before(() => {
    folder = temporaryFolder('root-files');
    for (const [root, texts] of Object.entries(ROOTS)) {
      for (const [name, text] of Object.entries(texts)) {
        const file = path.join(folder.path, root, name);
        fs.mkdirSync(path.dirname(file), { recursive: true });
        fs.writeFileSync(file, text);
      }
    }
    files = filesUnder(
      Object.keys(ROOTS).map((root) => path.join(folder.path, root)),
      {},
    );
  });
  after(() => folder?.remove());

  it('where the first folder has no such file, the next one is asked', async () => {
    assert.equal(await files.text('/proc/stat'), 'cpu 2\n');
    assert.equal(await files.text('/proc/7/stat'), '7 (mongod) S\n');
    assert.equal(await files.passing?.('/proc/7/stat'), '7 (mongod) S\n');
  });

  it('lists what any of them has, each name once', async () =>
    assert.deepEqual(await files.list('/proc'), ['7', '9', 'stat']));

  it('of numa_maps only the head is read', async () => {
    assert.equal(await files.text('/proc/7/numa_maps'), LONG.slice(0, HEAD_BYTES));
    assert.equal(await files.text('/proc/7/maps'), LONG);
  });

  it('what a command printed is a file', async () =>
    assert.equal(await files.command('df'), 'Filesystem\n'));

  for (const [kind, name, file = name] of /** @type {const} */ ([
    ['text', '/proc/7/environ'],
    ['text', '/proc/stat/none'],
    ['passing', '/proc/8/status'],
    ['list', '/proc/7/fd'],
    ['link', '/proc/7/root'],
    ['command', 'zfs', '/.commands/zfs'],
  ])) {
    it(`${kind}: ${name} is not there`, () =>
      assert.rejects(
        async () => files[kind]?.(name),
        (error) =>
          error instanceof HostFileError &&
          error.message === `${file} is not there` &&
          (error.code === 'ENOENT' || error.code === 'ENOTDIR'),
      ));
  }

  it('a file is no link', async () =>
    assert.rejects(files.link('/proc/stat'), {
      message: '/proc/stat is not reported by the kernel',
    }));
});
