'use strict';

const assert = require('node:assert/strict');
const fs = require('node:fs');
const path = require('node:path');
const { temporaryFolder } = require('../../../support/cleanup');
const { unzipOne } = require('../../../../scripts/mongod/unzip');
const { zip } = require('../support/places');

describe('unzipOne', () => {
  const wanted = (name) => name === 'b/two';
  const two = Buffer.from('two '.repeat(100_000));
  const one = { name: 'a/one', data: Buffer.from('one') };
  let folder;
  let archive;
  let target;
  beforeEach(() => {
    folder = temporaryFolder('zip');
    [archive, target] = ['archive.zip', 'target'].map((name) => path.join(folder.path, name));
  });
  afterEach(() => folder.remove());

  for (const [how, files, comment] of [
    ['a deflated file', [one, { name: 'b/two', data: two }], ''],
    ['a stored file', [one, { name: 'b/two', data: two, stored: true }, one], ''],
    ['a file of an archive with a comment', [{ name: 'b/two', data: two }, one], 'made by hand'],
  ]) {
    it(`takes out ${how}`, async () => {
      fs.writeFileSync(archive, zip(files, comment));
      assert.equal(await unzipOne(archive, wanted, target), 'b/two');
      assert.ok(fs.readFileSync(target).equals(two));
    });
  }

  for (const [fault, content, message] of [
    ['has no such file', zip([one]), /does not hold the file/],
    ['is no zip', Buffer.from('<html>not found</html>'), /not a zip file, or file is truncated/],
    [
      'was cut off',
      zip([one, { name: 'b/two', data: two }]).subarray(0, -30),
      /not a zip file, or file is truncated/,
    ],
    ['has a wrong checksum', zip([{ name: 'b/two', data: two, crc: 1 }]), /wrong checksum/],
  ]) {
    it(`refuses an archive that ${fault}`, async () => {
      fs.writeFileSync(archive, content);
      await assert.rejects(unzipOne(archive, wanted, target), message);
    });
  }
});
