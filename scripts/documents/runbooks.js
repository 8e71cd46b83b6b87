'use strict';

const { addressOf } = require('../release/address');

const ADDRESS = addressOf(/** @type {object} */ (require('../../package.json')));

/** Folder of the pages about rules, from the root of the repository. */
const FOLDER = 'docs/rules';

/**
 * Address of the page about a rule. It depends on `repository` in package.json alone: as long as the
 * package names none, it is a path in the repository.
 * @param {string} rule
 * @param {string} [home] `https://github.com/owner/name#readme`, or where docs/ is served
 * @returns {string}
 */
function runbookOf(rule, home = ADDRESS) {
  const base = home.replace(/#.*$/, '').replace(/\/+$/, '');
  const page = `${FOLDER}/${rule}.md`;
  if (base === '') return page;
  return /^https:\/\/github\.com\/[^/]+\/[^/]+$/.test(base)
    ? `${base}/blob/main/${page}`
    : `${base}/${page}`;
}

module.exports = { runbookOf };
