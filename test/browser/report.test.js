'use strict';

const assert = require('node:assert/strict');
const path = require('node:path');
const { startServer } = require('../support/server');
const { contextOf } = require('../support/context');
const { temporaryFolder } = require('../support/cleanup');
const { startLoad } = require('../support/load');
const { run: advise } = require('../../lib/commands/advise');
const { run: bench } = require('../../lib/commands/bench');
const { run: collections } = require('../../lib/commands/collections');
const { run: host } = require('../../lib/commands/host');
const { run: splitPlan } = require('../../lib/commands/split-plan');
const { run: trial } = require('../../lib/commands/trial');
const { run: writeReport } = require('../../lib/commands/report');
const { run: compareReports } = require('../../lib/commands/report-compare');
const { startBrowser, openFile, PATIENCE_MS } = require('./support/browser');
const { pixelsOf } = require('./support/pixels');
const { axeFaults } = require('./support/accessible');

/**
 * @import { Server } from '../support/server'
 * @import { Browser } from 'playwright-core'
 */

/** What somebody may call a collection who means no good. */
const HOSTILE = '</script><img src=x onerror=alert(1)><!--"\'&';

/** An A4 page within its margins. */
const PAPER_PX = 720;

/** Texts of those elements that are wider than their place. */
const overflowing = (page, selector) =>
  page.evaluate(
    (asked) =>
      [...document.querySelectorAll(asked)]
        .filter(({ scrollWidth, clientWidth }) => clientWidth > 0 && scrollWidth > clientWidth)
        .map(({ textContent }) => textContent),
    selector,
  );

describe('a report of a real server, in a browser', function () {
  this.timeout(3 * PATIENCE_MS);
  /** @type {Browser} */ let browser;
  /** @type {Server} */ let server;
  /** @type {Awaited<ReturnType<typeof openFile>>} */ let opened;
  const folder = temporaryFolder('reports').path;
  const [one, two, three] = ['one.html', 'two.html', 'three.html'].map((name) =>
    path.join(folder, name),
  );
  before(async function () {
    browser = await startBrowser(this);
    server = await startServer();
    const collection = server.db('shop').collection(HOSTILE);
    await collection.insertMany(
      Array.from({ length: 500 }, (_, _id) => ({ _id, n: 0, body: 'x'.repeat(2000) })),
    );
    let turn = 0;
    const load = startLoad(async () => {
      turn += 1;
      await collection.updateOne(
        { _id: turn % 500 },
        { $inc: { n: 1 }, $set: { body: String(turn).padStart(2000, 'y') } },
      );
      for (const _id of [1, 2, 3]) await collection.findOne({ _id });
    });
    const ctx = contextOf(server.client);
    const before = await advise(ctx, { seconds: 6 });
    await server.adminCommand({ fsync: 1 });
    const after = await advise(ctx, { seconds: 6 });
    const rest = [await host(ctx, { seconds: 1 }), await collections(ctx, { seconds: 1 })];
    const tried = await trial(
      ctx,
      { evictionDirtyTrigger: 30 },
      { confirm: true, blocks: 4, blockSeconds: 1, keep: 'never' },
    );
    await load.stop();
    const plan = await splitPlan(ctx, { source: 'shop', seconds: 0.2 });
    const measured = await bench(ctx, {
      workload: 'ycsb-a',
      records: 500,
      seconds: 2,
      warmSeconds: 0.2,
      threads: 2,
      processes: 1,
      confirm: true,
      force: true,
    });
    await writeReport(ctx, three, { of: [tried, measured, plan] });
    // An answer with a change, whatever this machine is like.
    const change = {
      ...after,
      change: { cacheSizeGB: 1, evictionThreadsMax: 8 },
      conf: 'storage:\n  wiredTiger:\n    engineConfig:\n      cacheSizeGB: 1 # <b>\n',
    };
    const { attachSeries, attachedSeries } = require('../../lib/series/chart-data');
    await writeReport(ctx, one, { of: [attachSeries(change, attachedSeries(after)), ...rest] });
    await compareReports(ctx, before, after, { output: two });
  });
  after(async () => {
    await browser?.close();
    await server?.stop();
  });
  afterEach(() => opened?.close());
  const open = async (file = one, options = {}) => {
    opened = await openFile(browser, file, options);
    return opened.page;
  };
  const rangeText = (page) => page.textContent('#charts .range');

  it('draws lines: pixels in the colours of the series, over the width of the chart', async () => {
    const page = await open();
    const { colored, columns } = await pixelsOf(page, 'chart-operations');
    assert.ok(colored['--s1'] > 100 && colored['--s2'] > 100, JSON.stringify(colored));
    assert.ok(columns > 0.5, `${columns} of the columns`);
    assert.ok((await pixelsOf(page, 'chart-dirty')).colored['--level'] > 50, 'the trigger');
  });

  it('zooms all charts by drag, button and key, and back by double click', async () => {
    const page = await open();
    const whole = await rangeText(page);
    assert.match(whole, /\(all\)$/);
    const before = await pixelsOf(page, 'chart-fill');
    await page.locator('#chart-operations').scrollIntoViewIfNeeded();
    const box = await page.locator('#chart-operations .u-over').boundingBox();
    await page.mouse.move(box.x + box.width * 0.3, box.y + 40);
    await page.mouse.down();
    await page.mouse.move(box.x + box.width * 0.6, box.y + 60, { steps: 5 });
    await page.mouse.up();
    const near = await rangeText(page);
    assert.notEqual(near, whole);
    assert.doesNotMatch(near, /all/);
    const after = await pixelsOf(page, 'chart-fill');
    assert.notDeepEqual(after, before, 'another chart follows');
    await page.locator('#chart-latency .u-over').dblclick();
    assert.equal(await rangeText(page), whole);
    await page.click('[data-act=in]');
    const closer = await rangeText(page);
    assert.notEqual(closer, whole);
    await page.click('[data-act=later]');
    assert.notEqual(await rangeText(page), closer);
    await page.focus('#chart-fill');
    await page.keyboard.press('0');
    assert.equal(await rangeText(page), whole);
    await page.keyboard.press('+');
    assert.notEqual(await rangeText(page), whole);
  });

  it('tells under one cursor what every chart has there, by mouse and by key', async () => {
    const page = await open();
    const here = () =>
      page.evaluate(() =>
        [...document.querySelectorAll('#charts td.now')].map((cell) => cell.textContent),
      );
    assert.ok((await here()).every((text) => text === '–'));
    await page.locator('#chart-operations .u-over').hover();
    const seen = await here();
    assert.ok(seen.filter((text) => text !== '–').length > 8, seen.join());
    assert.ok(
      seen.some((text) => /\d\/s$/.test(text)) && seen.some((text) => /\d%$/.test(text)),
      seen.join(),
    );
    await page.focus('#chart-fill');
    // Any one of them may be the moment under the mouse.
    const byKey = new Set();
    for (let i = 0; i < 12; i++) {
      await page.keyboard.press('ArrowRight');
      byKey.add((await here()).join());
    }
    assert.ok(byKey.size > 1, [...byKey].join('; '));
  });

  it('hides and shows a series', async () => {
    const page = await open();
    const button = page.locator('figure:has(#chart-operations) button.series').first();
    await button.click();
    assert.equal(await button.getAttribute('aria-pressed'), 'false');
    assert.equal((await pixelsOf(page, 'chart-operations')).colored['--s1'], 0);
    await button.press('Enter');
    assert.ok((await pixelsOf(page, 'chart-operations')).colored['--s1'] > 100);
  });

  it('copies commands and the fragment of mongod.conf', async () => {
    const page = await open(one, { permissions: ['clipboard-read', 'clipboard-write'] });
    const copied = () => page.evaluate(() => navigator.clipboard.readText());
    await page.click('[data-copy=apply]');
    await page.waitForSelector('[data-copy=apply].done');
    assert.equal(
      await copied(),
      'tune.apply({ cacheSizeGB: 1, evictionThreadsMax: 8 }, { confirm: true })',
    );
    assert.equal(await page.textContent('#said'), 'Copied.');
    await page.click('[data-copy=conf]');
    await page.waitForSelector('[data-copy=conf].done');
    assert.equal(
      await copied(),
      'storage:\n  wiredTiger:\n    engineConfig:\n      cacheSizeGB: 1 # <b>',
    );
  });

  it('copies where there is no clipboard to write to', async () => {
    const page = await open(one, {
      permissions: ['clipboard-read'],
      before: () => Object.defineProperty(Navigator.prototype, 'clipboard', { value: undefined }),
    });
    await page.click('[data-copy=undo]');
    await page.waitForFunction(() => document.getElementById('said').textContent !== '');
    assert.equal(
      await page.evaluate(() => getSelection().toString().trim()),
      'tune.undo({ confirm: true })',
    );
    assert.match(await page.textContent('[data-copy=undo]'), /Copied|Selected/);
  });

  it('filters rules by status and by text, and tells how many are left', async () => {
    const page = await open();
    const shown = () => page.locator('#rules tbody tr:visible').count();
    const all = await page.locator('#rules tbody tr').count();
    assert.equal(await shown(), 0, 'folded at first');
    await page.click('#findings summary:has-text("Other rules")');
    const ok = page.locator('[data-filters=rules] [data-status=ok]');
    const withOk = await shown();
    assert.equal(withOk, all);
    await ok.press('Space');
    assert.ok((await shown()) < withOk);
    assert.match(
      await page.textContent('[data-filters=rules] .count'),
      new RegExp(`^${await shown()} of ${all} shown$`),
    );
    await ok.click();
    await page.fill('[data-filters=rules] input', 'tickets');
    const found = await shown();
    assert.ok(found >= 1 && found < all, `${found}`);
    await page.fill('[data-filters=collections-table-3] input', 'onerror');
    assert.ok((await page.locator('#collections-table-3 tbody tr:visible').count()) >= 1);
  });

  it('shows a hostile name as text, writes no error, and asks nobody for anything', async () => {
    const page = await open();
    assert.match(
      await page.textContent('#collections-3'),
      /<\/script><img src=x onerror=alert\(1\)>/,
    );
    assert.equal(await page.locator('img').count(), 0);
    await page.locator('#chart-operations .u-over').hover();
    await page.click('#theme');
    assert.deepEqual(opened.faults, []);
    assert.deepEqual(opened.requests, [`file://${one}`]);
  });

  it('lets nothing else run: its policy forbids scripts that are put into it', async () => {
    const page = await open();
    await page.evaluate(() => {
      const script = document.createElement('script');
      script.textContent = 'window.intruder = true';
      document.body.append(script);
    });
    assert.equal(await page.evaluate(() => window.intruder), undefined);
    assert.match(opened.faults.join(), /Content Security Policy/);
  });

  for (const [name, options] of [
    ['light', {}],
    ['dark', { colorScheme: 'dark' }],
    ['800 px wide', { viewport: { width: 800, height: 900 } }],
    ['390 px wide', { viewport: { width: 390, height: 844 } }],
  ]) {
    it(`${name}: axe finds nothing, nothing overflows, lines are drawn`, async () => {
      for (const file of [one, two, three]) {
        const page = await open(file, options);
        assert.deepEqual(await axeFaults(page), [], file);
        const [wide, room] = await page.evaluate(() => [
          document.documentElement.scrollWidth,
          innerWidth,
        ]);
        assert.ok(wide <= room, `${wide} px on ${room}`);
        assert.deepEqual(await overflowing(page, '.legend td, .legend th'), [], file);
        assert.ok(
          (await pixelsOf(page, file === two ? 'chart-operations-1' : 'chart-operations')).colored[
            '--s1'
          ] > 50,
        );
        assert.deepEqual(opened.faults, []);
        await opened.close();
      }
    });
  }

  it('is dark where the system is, and can be switched', async () => {
    const page = await open(one, { colorScheme: 'dark' });
    const light = () =>
      page.evaluate(
        () =>
          getComputedStyle(document.body)
            .backgroundColor.match(/\d+/g)
            .reduce((sum, n) => sum + Number(n), 0) / 3,
      );
    assert.ok((await light()) < 60);
    await page.click('#theme');
    assert.ok((await light()) > 200);
    assert.ok(
      (await pixelsOf(page, 'chart-operations')).colored['--s1'] > 100,
      'drawn anew in its colours',
    );
  });

  it('prints: all that is folded away, without what is only for the screen', async () => {
    const page = await open();
    await page.evaluate(() => dispatchEvent(new Event('beforeprint')));
    await page.emulateMedia({ media: 'print' });
    assert.equal(
      await page.locator('.toolbar button:visible, .copy:visible, nav:visible').count(),
      0,
    );
    assert.equal(await page.locator('details:not([open])').count(), 0);
    await page.setViewportSize({ width: PAPER_PX, height: 1000 });
    assert.ok((await page.evaluate(() => document.documentElement.scrollWidth)) <= PAPER_PX);
    const pdf = await page.pdf({ format: 'A4' });
    assert.ok(pdf.length > 30_000, `${pdf.length} bytes`);
  });

  it('can be gone through with the keyboard alone: the first stop leads to the content', async () => {
    const page = await open();
    await page.keyboard.press('Tab');
    assert.equal(await page.evaluate(() => document.activeElement.className), 'skip');
    await page.keyboard.press('Enter');
    assert.equal(await page.evaluate(() => document.activeElement.id), 'main');
    const levels = await page.evaluate(() =>
      [...document.querySelectorAll('h1, h2, h3')].map(({ tagName }) => Number(tagName[1])),
    );
    assert.ok(
      levels.every((level, i) => (i === 0 ? level === 1 : level <= levels[i - 1] + 1)),
      levels.join(),
    );
  });

  it('a trial: bands of A and B with their names, lines through them, and what each was like', async () => {
    const page = await open(three);
    const { share, colored, columns } = await pixelsOf(page, 'chart-operations');
    // What is washed out lies between the bands.
    assert.ok(
      share > 0.1 && columns > 0.5 && colored['--s2'] > 50,
      JSON.stringify({ share, columns, colored }),
    );
    assert.match(await page.textContent('#charts .keys'), /A active.*B active/);
    assert.match(
      await page.textContent('figure:has(#chart-operations) .legend'),
      /mean A.*mean B.*max/,
    );
    assert.match(await page.textContent('#charts'), /4 blocks; \d+ samples/);
    assert.ok(
      (await pixelsOf(page, 'chart-latency-2')).painted > 100,
      'the benchmark, second by second',
    );
    assert.deepEqual(opened.faults, []);
  });

  it('two side by side: the same scales, one cursor, ratios', async () => {
    const page = await open(two);
    const tops = await page.evaluate(() =>
      ['chart-operations-0', 'chart-operations-1'].map(
        (id) => document.getElementById(id).querySelectorAll('canvas').length,
      ),
    );
    assert.deepEqual(tops, [1, 1]);
    assert.match(await page.textContent('#figures'), /Operations: writes.*×/);
    await page.locator('#chart-operations-0 .u-over').hover();
    assert.notEqual(await page.textContent('figure:has(#chart-operations-1) td.now'), '–');
  });
});
