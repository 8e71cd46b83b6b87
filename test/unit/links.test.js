'use strict';

const assert = require('node:assert/strict');
const fs = require('node:fs');
const path = require('node:path');
const { temporaryFolder } = require('../support/cleanup');
const { markdownIn, relativeLinks, deadLinks } = require('../support/links');

const ROOT = path.join(__dirname, '../..');
const DOCS = path.join(ROOT, 'docs');
const PAGES = [
  ...['README.md', 'CONTRIBUTING.md', 'CHANGELOG.md'].map((name) => path.join(ROOT, name)),
  ...markdownIn(DOCS),
];

describe('links in the documentation', () => {
  for (const page of PAGES) {
    const name = path.relative(ROOT, page);
    it(`${name}: every one leads somewhere`, () =>
      assert.deepEqual(
        deadLinks(page).map(({ to, why }) => `${to}: ${why}`),
        [],
      ));
  }
  it('there are some to look at', () => assert.ok(PAGES.flatMap(relativeLinks).length > 100));

  it('every page can be reached from docs/README.md', () => {
    const seen = new Set();
    const walk = (/** @type {string} */ page) => {
      if (seen.has(page)) return;
      seen.add(page);
      for (const to of relativeLinks(page)) {
        const target = path.resolve(path.dirname(page), to.split('#')[0]);
        if (target.endsWith('.md') && fs.existsSync(target)) walk(target);
        // A link to a folder leads to its list.
        else if (fs.existsSync(path.join(target, 'README.md')))
          walk(path.join(target, 'README.md'));
      }
    };
    walk(path.join(DOCS, 'README.md'));
    // What is told beside a decision or a picture is found by who looks into their folders.
    const alone = markdownIn(DOCS)
      .filter((page) => !seen.has(page))
      .map((page) => path.relative(ROOT, page))
      .filter((name) => !/^docs\/(dev\/decisions|pictures)\//.test(name));
    assert.deepEqual(alone, []);
  });
});

describe('support/links', () => {
  let folder;
  before(() => {
    folder = temporaryFolder('links');
    fs.writeFileSync(path.join(folder.path, 'there.md'), "# A `Heading`, isn't it?\n");
  });
  after(() => folder.remove());
  const dead = (/** @type {string} */ text) => {
    const page = path.join(folder.path, 'page.md');
    fs.writeFileSync(page, text);
    return deadLinks(page).map(({ to, why }) => `${to}: ${why}`);
  };

  it('knows files, headings, and headings of the same page', () =>
    assert.deepEqual(
      dead(
        '# Top\n[a](there.md) [b](there.md#a-heading-isnt-it) [c](#top) ' +
          '[d](https://example.invalid/x) [e](mailto:a@b)',
      ),
      [],
    ));
  it('finds a file that is not there', () =>
    assert.deepEqual(dead('[a](gone.md)'), ['gone.md: no such file']));
  it('finds a heading that is not there', () =>
    assert.deepEqual(dead('[a](there.md#b) [c](#d)'), [
      'there.md#b: no such heading',
      '#d: no such heading',
    ]));
  it('leaves code alone', () =>
    assert.deepEqual(dead('`[a](gone.md)`\n```\n[a](gone.md)\n```\n'), []));
});
