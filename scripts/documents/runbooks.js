'use strict';

const { homepage = '' } = /** @type {{ homepage?: string }} */ (require('../../package.json'));

/**
 * Where a page of a rule is read: on the web once the package names its home there, else in the
 * repository. docs/monitoring.md tells how to put another place here.
 */
const PAGES = homepage.startsWith('https://github.com/')
  ? `${homepage.replace(/#.*$/, '')}/blob/main/docs/rules`
  : 'docs/rules';

/** @param {string} rule @returns {string} */
const runbookOf = (rule) => `${PAGES}/${rule}.md`;

module.exports = { runbookOf };
