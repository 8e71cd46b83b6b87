'use strict';

const assert = require('node:assert/strict');
const fs = require('node:fs');
const path = require('node:path');
const { contextOf } = require('../support/context');
const { fieldPath, absent } = require('../support/field');
const { skipIf } = require('../support/skip');
const { temporaryFolder } = require('../support/cleanup');
const { run: ftdc } = require('../../lib/commands/ftdc');
const { run: replay } = require('../../lib/commands/replay');
const { run: writeReport } = require('../../lib/commands/report');
const { startBrowser, openFile, PATIENCE_MS } = require('./support/browser');
const { pixelsOf } = require('./support/pixels');

/**
 * @import { Browser } from 'playwright-core'
 */

const SAMPLES = 100_000;
const SPIKE_AT = 61_234;
const MAX_BYTES = 1.5e6;
/** Of processor time, which a busy machine does not stretch as it does the clock. */
const READY_SECONDS = 2;

/**
 * A day and more of a server, a sample a second, as tune.record() writes it; one second of it is not
 * like the others.
 * @param {string} file
 */
function writeLongRecording(file) {
  const out = fs.openSync(file, 'w');
  let ops = 0;
  for (let from = 0; from < SAMPLES; from += 5000) {
    fs.writeSync(
      out,
      Array.from({ length: 5000 }, (_, k) => {
        const i = from + k;
        ops +=
          i === SPIKE_AT
            ? 90_000
            : 900 + Math.round(400 * Math.sin(i / 5000) + 100 * Math.sin(i / 7));
        const wiredTiger = {
          cache: {
            'maximum bytes configured': 1e9,
            'bytes currently in the cache': 7e8 + 5e7 * Math.sin(i / 900),
            'tracked dirty bytes in the cache': 5e7 + 4e7 * Math.sin(i / 60),
            'bytes read into cache': i * 1e6,
            'bytes written from cache': i * 2e6,
          },
          transaction: {
            'transaction checkpoints': Math.floor(i / 60),
            'transaction checkpoint total time (msecs)': Math.floor(i / 60) * 1500,
            'transaction checkpoint currently running': i % 60 === 59 ? 1 : 0,
          },
        };
        return `${JSON.stringify({ t: 1_700_000_000 + i, uptime: 1000 + i, host: 'long', version: '6.0.5', process: 'mongod', opcounters: { query: ops, insert: 0, update: ops / 2, delete: 0, getmore: 0 }, opLatencies: { reads: { latency: ops * 300, ops }, writes: { latency: ops * 500, ops: ops / 2 } }, wiredTiger })}\n`;
      }).join(''),
    );
  }
  fs.closeSync(out);
}

describe('a report of a long recording, in a browser', function () {
  this.timeout(5 * PATIENCE_MS);
  /** @type {Browser} */ let browser;
  const folder = temporaryFolder('long-reports').path;
  before(async function () {
    browser = await startBrowser(this);
  });
  after(() => browser?.close());

  it(
    `${SAMPLES.toLocaleString('en')} samples: under 1.5 MB, every extreme in it, at work in ` +
      `less than ${READY_SECONDS} s`,
    async () => {
      const [recording, file] = ['long.ndjson', 'long.html'].map((name) => path.join(folder, name));
      writeLongRecording(recording);
      const ctx = contextOf(null);
      const { bytes, sampleCount } = await writeReport(ctx, file, {
        of: await replay(ctx, recording),
      });
      assert.equal(sampleCount, SAMPLES);
      assert.ok(bytes < MAX_BYTES, `${bytes} bytes`);
      const context = await browser.newContext();
      const blank = await context.newPage();
      const session = await context.newCDPSession(blank);
      await session.send('Performance.enable', { timeDomain: 'threadTicks' });
      const spent = async () =>
        (await session.send('Performance.getMetrics')).metrics.find(
          ({ name }) => name === 'TaskDuration',
        ).value;
      const before = await spent();
      await blank.goto(`file://${file}`);
      await blank.waitForSelector('html[data-ready=yes]', { timeout: PATIENCE_MS });
      await blank.click('[data-act=in]');
      const seconds = (await spent()) - before;
      assert.ok(seconds < READY_SECONDS, `${seconds} s of processor time`);
      await blank.click('[data-act=all]');
      assert.match(
        await blank.textContent('#charts'),
        /100,000 samples; downsampled to [\d,]+ buckets/,
      );
      assert.match(await blank.textContent('figure:has(#chart-operations) .legend'), /90,000\/s/);
      const { colored, columns } = await pixelsOf(blank, 'chart-operations');
      assert.ok(colored['--s1'] > 100 && columns > 0.5, JSON.stringify(colored));
      await context.close();
    },
  );

  it("diagnostic data of a stranger's server", async function () {
    const place = fieldPath('field', 'ftdc');
    skipIf(this, absent(place));
    const name = fs
      .readdirSync(place)
      .filter((one) => !one.endsWith('.gz'))
      .sort(
        (a, b) => fs.statSync(path.join(place, b)).size - fs.statSync(path.join(place, a)).size,
      )[0];
    const ctx = contextOf(null);
    const file = path.join(folder, 'stranger.html');
    const { bytes } = await writeReport(ctx, file, { of: await ftdc(ctx, path.join(place, name)) });
    assert.ok(bytes < MAX_BYTES);
    const { page, faults, requests, close } = await openFile(browser, file);
    assert.ok((await pixelsOf(page, 'chart-fill')).colored['--s1'] > 100);
    assert.deepEqual([faults, requests], [[], [`file://${file}`]]);
    await close();
  });
});
