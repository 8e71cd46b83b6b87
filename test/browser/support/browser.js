'use strict';

const { spawnSync } = require('node:child_process');
const fs = require('node:fs');
const { chromium } = require('playwright-core');
const { skipIf } = require('../../support/skip');

/**
 * @import { Browser, BrowserContextOptions } from 'playwright-core'
 */

/** As systems call it; where it is on a Mac. */
const NAMES = [
  'chromium',
  'chromium-browser',
  'google-chrome',
  'google-chrome-stable',
  'chrome',
  'msedge',
];
const ELSEWHERE = [
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
];
/** A busy machine needs long to start one. */
const PATIENCE_MS = 120_000;

/** @returns {string | null} a Chrome of this machine, or the one named in TUNE_CHROMIUM */
function findChrome() {
  const asked = process.env.TUNE_CHROMIUM;
  const found = NAMES.flatMap(
    (name) =>
      spawnSync('sh', ['-c', `command -v ${name}`], { encoding: 'utf8' }).stdout?.trim() || [],
  );
  return [asked, ...found, ...ELSEWHERE].find((file) => file && fs.existsSync(file)) ?? null;
}

/**
 * A browser without a window; the suite is skipped, and counted so, where there is none.
 * @param {Mocha.Context} context
 * @returns {Promise<Browser>}
 */
async function startBrowser(context) {
  const executablePath = findChrome();
  skipIf(context, executablePath === null ? 'there is no Chrome on this machine' : null);
  // Root and many containers may not use the sandbox; the pages are our own.
  return chromium.launch({ executablePath, chromiumSandbox: false, timeout: PATIENCE_MS });
}

/**
 * Opens a file as a person does, and notes what should not be.
 * @param {Browser} browser
 * @param {string} file
 * @param {BrowserContextOptions & { before?: () => void }} [options]
 *   `before`: run in the page before its own script
 */
async function openFile(browser, file, { before, ...options } = {}) {
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, ...options });
  context.setDefaultTimeout(PATIENCE_MS);
  const page = await context.newPage();
  /** @type {string[]} */ const faults = [];
  /** @type {string[]} */ const requests = [];
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type())) faults.push(message.text());
  });
  page.on('pageerror', (error) => faults.push(String(error.stack)));
  page.on('request', (request) => requests.push(request.url()));
  page.on('dialog', (dialog) => {
    faults.push(`a dialog: ${dialog.message()}`);
    dialog.dismiss();
  });
  if (before) await page.addInitScript(before);
  await page.goto(`file://${file}`);
  await page.waitForSelector('html[data-ready=yes]');
  return { page, context, faults, requests, close: () => context.close() };
}

module.exports = { startBrowser, openFile, PATIENCE_MS };
