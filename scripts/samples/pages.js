'use strict';

const fs = require('node:fs');
const path = require('node:path');

/**
 * Samples stand in pages between `<!-- sample: NAME -->` and `<!-- /sample -->`, as a block of
 * code.
 */

const ROOT = path.join(__dirname, '..', '..');
const PLACE = /<!-- sample: ([\w-]+) -->\n[^]*?<!-- \/sample -->/g;

/** @returns {string[]} the pages that may have samples, from the root on */
const pages = () => [
  'README.md',
  ...fs
    .readdirSync(path.join(ROOT, 'docs'))
    .filter((name) => name.endsWith('.md'))
    .sort()
    .map((name) => `docs/${name}`),
];

/** @param {string} page */
const read = (page) => fs.readFileSync(path.join(ROOT, page), 'utf8');

/** @param {string} text of a page @returns {string[]} the names of its samples */
const samplesIn = (text) => [...text.matchAll(PLACE)].map(([, name]) => name);

/**
 * @param {string} text of a page
 * @param {(name: string) => string} render
 * @returns {string} the page with its samples as they print today
 */
const withSamples = (text, render) =>
  text.replace(
    PLACE,
    (_, name) => `<!-- sample: ${name} -->\n\`\`\`\n${render(name)}\n\`\`\`\n<!-- /sample -->`,
  );

/**
 * @param {(name: string) => string} render
 * @returns {{ page: string, text: string }[]} the pages whose samples print otherwise today
 */
const differingPages = (render) =>
  pages()
    .map((page) => ({ page, was: read(page) }))
    .map(({ page, was }) => ({ page, was, text: withSamples(was, render) }))
    .filter(({ was, text }) => was !== text);

/** @param {(name: string) => string} render @returns {string[]} the pages that were written */
function writePages(render) {
  const differing = differingPages(render);
  for (const { page, text } of differing) fs.writeFileSync(path.join(ROOT, page), text);
  return differing.map(({ page }) => page);
}

module.exports = { pages, read, samplesIn, withSamples, differingPages, writePages };
