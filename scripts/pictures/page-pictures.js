'use strict';

const { startBrowser, openFile } = require('../../test/browser/support/browser');

/**
 * @import { BrowserContextOptions } from 'playwright-core'
 */

/**
 * @typedef {{
 *   file: string, page: string, from?: string,
 *   options: BrowserContextOptions
 * }} Shot `page`: an HTML file; `from`: what is at the top
 *   of the picture, a selector
 */

/** Pictures of pages, as a browser shows them. @param {readonly Shot[]} shots */
async function takePictures(shots) {
  const browser = await startBrowser(
    /** @type {any} */ ({
      skip: () => {
        throw new Error('Pictures of pages need Chrome or Chromium.');
      },
    }),
  );
  try {
    for (const { file, page: html, from, options } of shots) {
      const { page, close } = await openFile(browser, html, options);
      if (from)
        await page
          .locator(from)
          .evaluate((element) => element.scrollIntoView({ block: 'start', behavior: 'instant' }));
      await page.screenshot({ path: file });
      await close();
    }
  } finally {
    await browser.close();
  }
}

module.exports = { takePictures };
