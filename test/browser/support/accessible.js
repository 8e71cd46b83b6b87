'use strict';

const fs = require('node:fs');

/**
 * @import { Page } from 'playwright-core'
 */

const AXE = fs.readFileSync(require.resolve('axe-core/axe.min.js'), 'utf8');

/**
 * All that axe finds. The policy of the page keeps every script but its own out, so it is handed
 * over past it.
 * @param {Page} page
 * @returns {Promise<string[]>}
 */
async function axeFaults(page) {
  await page.evaluate(AXE);
  const { violations } = await page.evaluate(() =>
    globalThis.axe.run(document, { resultTypes: ['violations'] }),
  );
  return violations.map(
    ({ id, impact, nodes }) =>
      `${impact} ${id}: ${nodes
        .slice(0, 3)
        .map(({ html, failureSummary }) => `${html.slice(0, 160)} ${failureSummary}`)
        .join(' | ')}`,
  );
}

module.exports = { axeFaults };
