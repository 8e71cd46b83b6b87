'use strict';

const assert = require('node:assert/strict');
const fs = require('node:fs');
const path = require('node:path');
const { pack } = require('../../../../scripts/release/contents');
const { relativeLinks } = require('../../../support/links');

const ROOT = path.join(__dirname, '../../../..');
/** Pages for makers stay in the repository, with the sources that they are about. */
const IN_REPOSITORY = /^(CONTRIBUTING\.md|docs\/dev\/|test\/|scripts\/|bench\/)/;
/** Pages that a reader of the package may begin with. */
const ENTRIES = ['README.md', 'docs/README.md', 'CHANGELOG.md'];
const PICTURE = /<(?:img|source)\b[^>]*?\b(?:src|srcset)="([^"\s]+)/g;

/** @param {string} page from the folder of the project on @returns {string[]} what it links, likewise */
function linksOf(page) {
  const file = path.join(ROOT, page);
  const pictures = [...fs.readFileSync(file, 'utf8').matchAll(PICTURE)].map(([, to]) => to);
  return [...relativeLinks(file), ...pictures.filter((to) => !/^[a-z]+:/.test(to))]
    .map((to) => to.split('#')[0])
    .filter((to) => to !== '')
    .map((to) => path.posix.join(path.posix.dirname(page), decodeURI(to)));
}

describe('the package, as npm packs it', function () {
  this.timeout(60_000);
  /** @type {Set<string>} */ let packed;
  before(() => {
    const manifest = JSON.parse(fs.readFileSync(path.join(ROOT, 'package.json'), 'utf8'));
    packed = new Set(
      pack({ root: ROOT, env: process.env, manifest }).files.map((file) => file.path),
    );
  });
  const has = (/** @type {string} */ name) =>
    packed.has(name) ||
    [...packed].some((file) => file.startsWith(name.endsWith('/') ? name : `${name}/`));

  it('has every page and picture that README.md and docs/README.md lead to', () => {
    const seen = new Set(ENTRIES);
    /** @type {string[]} */ const dead = [];
    for (const page of seen)
      for (const to of linksOf(page)) {
        if (IN_REPOSITORY.test(to)) continue;
        if (!has(to)) dead.push(`${page}: ${to}`);
        else if (to.endsWith('.md')) seen.add(to);
      }
    assert.deepEqual(dead, []);
    assert.ok(seen.size > 100, `${seen.size} pages`);
  });

  it('has no page that nobody is led to', () => {
    const linked = new Set([...packed].filter((name) => name.endsWith('.md')).flatMap(linksOf));
    const alone = [...packed]
      .filter((name) => /^docs\/.+\.(md|png|svg)$/.test(name) && !ENTRIES.includes(name))
      .filter((name) => !linked.has(name) && !linked.has(path.posix.dirname(name)));
    assert.deepEqual(alone, []);
  });

  it('has no page for makers', () =>
    assert.deepEqual(
      [...packed].filter((name) => IN_REPOSITORY.test(name)),
      [],
    ));
});
