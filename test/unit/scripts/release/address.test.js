'use strict';

const assert = require('node:assert/strict');
const path = require('node:path');
const { addressOf } = require('../../../../scripts/release/address');
const { INSTALL_TEXTS, isUnpublished } = require('../../../../scripts/release/checks');

const ROOT = path.join(__dirname, '../../../..');

describe('the address of the project', () => {
  for (const [manifest, address] of /** @type {[any, string][]} */ ([
    [{}, ''],
    [{ repository: '' }, ''],
    [{ repository: {} }, ''],
    [{ repository: 'somewhere' }, ''],
    [{ repository: 'github:o/n' }, 'https://github.com/o/n'],
    [{ repository: 'o/n' }, 'https://github.com/o/n'],
    [{ repository: { url: 'git+https://github.com/o/n.git' } }, 'https://github.com/o/n'],
    [{ repository: 'https://git.example/o/n/' }, 'https://git.example/o/n'],
    [{ repository: 'github:o/n', homepage: 'https://tune.example' }, 'https://tune.example'],
  ]))
    it(`${JSON.stringify(manifest)}: "${address}"`, () =>
      assert.equal(addressOf(manifest), address));

  it('is filled in when, and not before, the install texts no longer say "not published yet"', () => {
    const isFilledIn = addressOf(require('../../../../package.json')) !== '';
    for (const file of INSTALL_TEXTS)
      assert.equal(isUnpublished(path.join(ROOT, file)), !isFilledIn, file);
  });
});
