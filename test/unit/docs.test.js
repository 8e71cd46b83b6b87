'use strict';

const assert = require('node:assert/strict');
const fs = require('node:fs');
const path = require('node:path');
const vm = require('node:vm');
const { READ_ROLE, CHANGE_ROLE } = require('../../lib/server/pure/privileges');
const { CODES } = require('../../lib/base/pure/errors');
const { sourceFiles } = require('../support/source-files');

const root = path.join(__dirname, '..', '..');
const read = (/** @type {string} */ name) => fs.readFileSync(path.join(root, name), 'utf8');

/** In a page that is made by npm run docs, and is as long as its list. */
const MADE = '<!-- Made by';
/** For who uses tune; the folders below are generated, or for who works on it. */
const PAGES = [
  'README.md',
  ...fs
    .readdirSync(path.join(root, 'docs'))
    .filter((name) => name.endsWith('.md'))
    .map((name) => `docs/${name}`),
];

describe('documentation keeps step with the code', () => {
  it('the roles of docs/privileges.md are those that tests log in with', () => {
    /** @type {any[]} */ const roles = [];
    const [, code] = /```js\n([\s\S]+?)```/.exec(read('docs/privileges.md')) ?? [];
    vm.runInNewContext(code, {
      db: {
        getSiblingDB: () => ({
          createRole: (/** @type {any} */ role) => roles.push(JSON.parse(JSON.stringify(role))),
        }),
      },
    });
    assert.deepEqual(roles[0].privileges, READ_ROLE.privileges);
    assert.deepEqual([...roles[0].privileges, ...roles[1].privileges], CHANGE_ROLE.privileges);
  });

  it('README has at most 160 lines, each other page 300, the cookbook 400', () => {
    for (const page of PAGES.filter((name) => !read(name).includes(MADE))) {
      const max = { 'README.md': 160, 'docs/cookbook.md': 400 }[page] ?? 300;
      assert.ok(read(page).split('\n').length - 1 <= max, `${page} has more than ${max} lines`);
    }
  });

  const source = sourceFiles(path.join(root, 'lib'))
    .filter((file) => path.basename(file) !== 'error-codes.js')
    .map((file) => fs.readFileSync(file, 'utf8'))
    .join('\n');
  for (const code of Object.keys(CODES)) {
    it(`${code} is thrown somewhere`, () => assert.ok(source.includes(`'${code}'`)));
  }
});
