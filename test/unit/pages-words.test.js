'use strict';

const assert = require('node:assert/strict');
const fs = require('node:fs');
const path = require('node:path');
const { whyNotSentence } = require('../../scripts/lint/strings');

const ROOT = path.join(__dirname, '../..');
/** Pages for people who write tune. */
const SKIPPED = ['docs/dev/'];

/** @param {string} folder @returns {string[]} */
const pagesIn = (folder) =>
  fs
    .readdirSync(path.join(ROOT, folder), { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith('.md'))
    .map((entry) =>
      path.relative(ROOT, path.join(entry.parentPath, entry.name)).split(path.sep).join('/'),
    );

/** Without code, which shows what a program prints or takes. @param {string} text */
const prose = (text) =>
  text
    .replace(/^```[^]*?^```/gm, '')
    .replace(/`[^`\n]*`/g, '`')
    .replace(/<!--[^]*?-->/g, '');

const faultsOf = (/** @type {string} */ page) =>
  prose(fs.readFileSync(path.join(ROOT, page), 'utf8'))
    .split('\n')
    .flatMap((line) => whyNotSentence(line) ?? []);

describe('the words of the pages', () => {
  const pages = ['README.md', 'CHANGELOG.md', ...pagesIn('docs')].filter(
    (page) => !SKIPPED.some((skipped) => page.startsWith(skipped)),
  );
  it('are those of the glossary', () =>
    assert.deepEqual(
      pages.map((page) => [page, faultsOf(page)]).filter(([, faults]) => faults.length > 0),
      [],
    ));
});

describe('the lint rule own/strings', () => {
  for (const text of [
    'The server was looked at twice',
    'what it tells of the cache',
    'somebody lowered the trigger',
    'the cache has room',
    '20 % of the cache',
    'taken back on every member',
  ])
    it(`refuses: ${text}`, () => assert.match(String(whyNotSentence(text)), /^Not ".*glossary/));
  for (const text of [
    'Look up the name',
    'a page of its own kind',
    '20% of the cache is dirty',
    'room',
  ])
    it(`takes: ${text}`, () => assert.equal(whyNotSentence(text), null));
});
