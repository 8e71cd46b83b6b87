'use strict';

const fs = require('node:fs');
const path = require('node:path');

/** @typedef {{ from: string, to: string, why: string }} DeadLink */

/** Markdown in a folder, and below. @param {string} folder @returns {string[]} */
const markdownIn = (folder) =>
  fs
    .readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.md'))
    .sort()
    .map((name) => path.join(folder, name));

/** What a reader sees as code is no link. @param {string} text */
const prose = (text) => text.replace(/^```[^]*?^```/gm, '').replace(/`[^`\n]*`/g, '');

/**
 * The anchor that a page gets for a heading: small letters, no punctuation, blanks become hyphens.
 * @param {string} heading
 */
const anchorOf = (heading) =>
  heading
    .trim()
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .replace(/ /g, '-');

/** @param {string} file @returns {string[]} */
const anchorsOf = (file) =>
  [
    ...fs
      .readFileSync(file, 'utf8')
      .replace(/^```[^]*?^```/gm, '')
      .matchAll(/^#+ (.+)$/gm),
  ].map(([, heading]) => anchorOf(heading));

/** @param {string} file @returns {string[]} the links of a page that lead into the same project */
const relativeLinks = (file) =>
  [...prose(fs.readFileSync(file, 'utf8')).matchAll(/\]\(([^)\s]+)\)/g)]
    .map(([, to]) => to)
    .filter((to) => !/^[a-z]+:/.test(to));

/** @param {string} file @returns {DeadLink[]} */
function deadLinks(file) {
  return relativeLinks(file).flatMap((to) => {
    const [name, anchor] = decodeURI(to).split('#');
    const target = name === '' ? file : path.resolve(path.dirname(file), name);
    if (!fs.existsSync(target)) return [{ from: file, to, why: 'no such file' }];
    return anchor && target.endsWith('.md') && !anchorsOf(target).includes(anchor)
      ? [{ from: file, to, why: 'no such heading' }]
      : [];
  });
}

module.exports = { markdownIn, relativeLinks, deadLinks };
