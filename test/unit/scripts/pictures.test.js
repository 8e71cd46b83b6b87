'use strict';

const assert = require('node:assert/strict');
const fs = require('node:fs');
const path = require('node:path');
const { drawCells, drawScreen } = require('../../support/screen');
const { terminalPicture } = require('../../../scripts/pictures/terminal-picture');

const DOCS = path.join(__dirname, '../../../docs');

describe('a picture of a terminal', () => {
  const raw = 'a<b \x1b[32m██▁\x1b[39m░░\x1b[2;1H\x1b[1mbold\x1b[22m \x1b[91mx\x1b[0my';
  it('knows the style of each cell', () => {
    const [first, second] = drawCells(raw, 20, 3);
    assert.deepEqual(
      first.map(({ char, style }) => `${char}${style.color ?? ''}`).join(' '),
      'a < b   █32 █32 ▁32 ░ ░',
    );
    assert.deepEqual(
      second
        .map(({ char, style }) => `${char}${style.isBold ? '!' : ''}${style.color ?? ''}`)
        .join(' '),
      'b! o! l! d!   x91 y',
    );
    assert.equal(drawScreen(raw, 20, 3), 'a<b ██▁░░\nbold xy');
  });
  it('draws bars as areas, words as text, and nothing that could end either', () => {
    const svg = terminalPicture(drawCells(raw, 20, 3), {
      columns: 20,
      rows: 3,
      title: 'a "title"',
    });
    assert.match(svg, /aria-label="a &#34;title&#34;"/);
    assert.match(svg, /<text x="12" y="25\.5" textLength="25\.2">a&#60;b<\/text>/);
    assert.match(
      svg,
      /<path fill="#5fd68a" d="M45\.6 12h16\.8v18h-16\.8zM62\.4 27\.75h8\.4v2\.25h-8\.4z"\/>\n<path [^>]* opacity="0\.22" d="M[^>]*h16\.8/,
    );
    assert.match(svg, /<text x="12" y="43\.5" textLength="33\.6" font-weight="bold">bold<\/text>/);
  });
});

describe('the pictures of the documentation', () => {
  const pages = fs
    .readdirSync(DOCS)
    .filter((name) => name.endsWith('.md'))
    .map((name) => fs.readFileSync(path.join(DOCS, name), 'utf8'))
    .join('\n');
  const readme = fs.readFileSync(path.join(DOCS, '..', 'README.md'), 'utf8');
  /** Words and file of each. */
  const named = [
    ...[...pages.matchAll(/!\[([^\]]*)\]\((pictures\/[^)]+)\)/g)].map(([, words, file]) => [
      words,
      file,
    ]),
    // One picture for a light page and one for a dark page share their words.
    ...[...readme.matchAll(/<picture>[^]*?<\/picture>/g)].flatMap(([picture]) =>
      [...picture.matchAll(/(?:src|srcset)="([^"]+)"/g)].map(([, file]) => [
        /alt="([^"]*)"/.exec(picture)?.[1] ?? '',
        file,
      ]),
    ),
  ];
  const kept = fs
    .readdirSync(path.join(DOCS, 'pictures'))
    .filter((name) => /\.(png|svg)$/.test(name));
  it('are there, and each is shown by a page, with words for those who see none', () => {
    assert.deepEqual(
      [...new Set(named.map(([, file]) => path.basename(file)))].sort(),
      kept.sort(),
    );
    for (const [words, file] of named) assert.ok(words.length > 20, file);
  });
  it('are small', () => {
    const sizes = kept.map((name) => fs.statSync(path.join(DOCS, 'pictures', name)).size);
    assert.ok(
      sizes.length > 0 &&
        sizes.every((bytes) => bytes < 120_000) &&
        sizes.reduce((a, b) => a + b) < 500_000,
      sizes.join(),
    );
  });
});
