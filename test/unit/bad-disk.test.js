'use strict';

const assert = require('node:assert/strict');
const { temporaryFolder } = require('../support/cleanup');
const { skipIf } = require('../support/skip');
const { onBadDisk, whyNoBadDisk } = require('../support/bad-disk');

/**
 * Everything that writes a file, where the disk is full, and where it may only be read: said by its
 * code, and nothing half done is left.
 */

const FILES = ['b.json', 'journal.ndjson', 'old.html'];
const FULL = /only a part of the line was written|no space left|ENOSPC/;
const READ_ONLY = /EROFS|ENOENT/;

describe('a disk that takes nothing', function () {
  this.timeout(60_000);
  /** @type {Record<string, any>} */ let seen;
  before(function () {
    skipIf(this, whyNoBadDisk());
    const folder = temporaryFolder('bad-disk');
    try {
      seen = onBadDisk(folder.path);
    } finally {
      folder.remove();
    }
  });
  const says = (
    /** @type {string} */ text,
    /** @type {string} */ code,
    /** @type {RegExp} */ why,
  ) => {
    assert.ok(text.startsWith(`${code} `) && why.test(text), text);
  };

  it('full: the journal has what it said it has, and goes on when there is room', () => {
    const { written, error, read, later, readLater } = seen.full.journal;
    says(error, 'TUNE-40001', FULL);
    assert.ok(written > 10);
    assert.deepEqual([read, later, readLater], [written, 'did it', written + 1]);
  });
  for (const name of ['plain', 'packed']) {
    it(`full: a recording, ${name}, ends, and what was written until then is read`, () => {
      const { written, error, read, later, readLater } = seen.full[name];
      says(error, 'TUNE-40005', FULL);
      says(later, 'TUNE-40005', FULL);
      assert.ok(written > 10);
      assert.deepEqual([read, readLater], [written, written]);
    });
  }
  it('full: pages and baselines are there as before, or not at all', () => {
    for (const name of ['page', 'pageAgain', 'baseline']) says(seen.full[name], 'TUNE-40005', FULL);
    assert.deepEqual(
      [seen.full.files, seen.full.old, seen.full.known],
      [FILES, 'old', { a: 'warning' }],
    );
  });
  it('read-only: each says so, and what is there is read', () => {
    for (const name of ['journal', 'home']) says(seen.readOnly[name], 'TUNE-40001', READ_ONLY);
    for (const name of ['recording', 'page', 'pageAgain', 'baseline'])
      says(seen.readOnly[name], 'TUNE-40005', READ_ONLY);
    assert.deepEqual(
      [seen.readOnly.lines, seen.readOnly.files, seen.readOnly.old, seen.readOnly.known],
      [1, FILES, 'old', { a: 'warning' }],
    );
  });
});
