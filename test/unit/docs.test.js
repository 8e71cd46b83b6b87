'use strict';

const assert = require('node:assert/strict');
const fs = require('node:fs');
const path = require('node:path');
const vm = require('node:vm');
const { READ_ROLE, CHANGE_ROLE } = require('../../lib/server/pure/commands');
const { CODES } = require('../../lib/base/pure/errors');
const { CAUSES } = require('../../lib/base/pure/error-causes');
const { markdownIn } = require('../support/links');
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

  const short = [
    ...['comparison', 'compatibility', 'containers', 'cookbook', 'glossary', 'managed-services'],
    ...['platforms', 'privileges', 'reference-card', 'safety', 'split'],
  ].map((name) => `docs/${name}.md`);
  const pages = [
    ...short,
    ...['docs/evidence', 'docs/dev/decisions'].flatMap((folder) =>
      fs.readdirSync(path.join(root, folder)).map((name) => `${folder}/${name}`),
    ),
  ];
  for (const page of pages)
    it(`${page}: at most 300 lines of at most 120 characters`, () => {
      const lines = read(page).split('\n');
      assert.ok(lines.length <= 301, `${lines.length} lines`);
      assert.deepEqual(
        // An address is not broken.
        lines.filter((line) => line.length > 120 && !line.includes('<https:')),
        [],
      );
    });

  it('README has at most 160 lines, each other page 300', () => {
    for (const page of PAGES.filter((name) => !read(name).includes(MADE))) {
      const max = page === 'README.md' ? 160 : 300;
      assert.ok(read(page).split('\n').length - 1 <= max, `${page} has more than ${max} lines`);
    }
  });

  const source = sourceFiles(path.join(root, 'lib'))
    .filter((file) => !/^error-(codes|causes)\.js$/.test(path.basename(file)))
    .map((file) => fs.readFileSync(file, 'utf8'))
    .join('\n');
  for (const code of Object.keys(CODES)) {
    it(`${code} is thrown somewhere`, () => assert.ok(source.includes(`'${code}'`)));
  }
  it('every code in lib is in the table', () => {
    const used = new Set([...source.matchAll(/\bTUNE-\d{5}\b/g)].map(([code]) => code));
    assert.deepEqual(
      [...used].filter((code) => !Object.hasOwn(CODES, code)),
      [],
    );
  });
  it('every code has a meaning and a usual cause, in short sentences', () => {
    assert.deepEqual(Object.keys(CAUSES).sort(), Object.keys(CODES).sort());
    for (const [code, { meaning, cause }] of Object.entries(CAUSES))
      for (const sentence of `${meaning} ${cause}`.split(/(?<=\.) /)) {
        assert.ok(sentence.endsWith('.'), code);
        assert.ok(sentence.split(' ').length <= 25, `${code}: ${sentence}`);
      }
  });
  it('every code that a page names is in the table', () => {
    for (const page of markdownIn(path.join(root, 'docs')))
      for (const [code] of fs.readFileSync(page, 'utf8').matchAll(/\bTUNE-\d{5}\b/g))
        assert.ok(Object.hasOwn(CODES, code), `${path.relative(root, page)}: ${code}`);
  });
});
