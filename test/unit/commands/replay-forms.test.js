'use strict';

const assert = require('node:assert/strict');
const fs = require('node:fs');
const os = require('node:os');
const path = require('node:path');
const zlib = require('node:zlib');
const { statuses, T0 } = require('../../support/statuses');
const { run: replay } = require('../../../lib/commands/replay');

/** @type {any} */
const CONTEXT = { signal: new AbortController().signal, progress: () => {} };
const thirsty = { readMicros: 7e6, busyMicros: 8e6, used: 81 };
const hungry = statuses(120, () => thirsty);
const calm = (/** @type {number} */ seconds = 120) => statuses(seconds, () => ({}));
/** @param {readonly any[]} list @param {number} seconds @param {object} [more] the same later */
const later = (list, seconds, more = {}) =>
  list.map((one) => ({
    ...one,
    localTime: new Date(one.localTime.getTime() + seconds * 1000),
    uptimeMillis: one.uptimeMillis + seconds * 1000,
    ...more,
  }));
const lines = (/** @type {readonly object[]} */ list) =>
  list.map((one) => `${JSON.stringify(one)}\n`).join('');
/** As a shell's Long comes out of JSON.stringify. @param {unknown} doc */
const withLongs = (doc) =>
  JSON.stringify(doc, (key, value) =>
    Number.isSafeInteger(value) && !['high', 'low'].includes(key)
      ? { high: Math.floor(value / 2 ** 32), low: value | 0, unsigned: false }
      : value,
  );
/** As mongoexport and EJSON.stringify do. @param {any} doc */
const canonical = (doc) =>
  JSON.stringify(doc, function form(key, value) {
    if (this[key] instanceof Date) return { $date: { $numberLong: String(this[key].getTime()) } };
    return typeof value === 'number' ? { $numberLong: String(value) } : value;
  });

describe('what tune.replay reads', () => {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), `mongosh-tune-${process.pid}-forms-`));
  after(() => fs.rmSync(folder, { recursive: true }));
  let files = 0;
  const put = (/** @type {string | Buffer} */ content) => {
    const file = path.join(folder, `r${files++}`);
    fs.writeFileSync(file, content);
    return file;
  };

  const pretty = JSON.stringify(hungry, null, 2);
  for (const [name, content] of /** @type {[string, () => string | Buffer][]} */ ([
    ['a line each', () => lines(hungry)],
    ['without an end of the last line', () => lines(hungry).trimEnd()],
    ['of Windows', () => `\uFEFF${lines(hungry).replaceAll('\n', '\r\n')}`],
    ['of PowerShell', () => Buffer.from(`\uFEFF${lines(hungry)}`, 'utf16le')],
    ['packed', () => zlib.gzipSync(lines(hungry))],
    ['one list in one line', () => JSON.stringify(hungry)],
    ['one list laid out', () => pretty],
    ['one list laid out, of Windows', () => `\uFEFF${pretty.replaceAll('\n', '\r\n')}`],
    [
      'laid out one after the other',
      () => hungry.map((one) => JSON.stringify(one, null, 4)).join('\n'),
    ],
    [
      'laid out with commas between',
      () => hungry.map((one) => JSON.stringify(one, null, 1)).join(',\n'),
    ],
    [
      'with what a shell writes in between',
      () =>
        hungry.map((one) => `test> db.serverStatus()\n${JSON.stringify(one, null, 2)}`).join('\n'),
    ],
    ['with Longs of JSON.stringify', () => hungry.map(withLongs).join('\n')],
    ['in canonical extended JSON', () => hungry.map(canonical).join('\n')],
    [
      'as the old shell prints them',
      () =>
        hungry
          .map((one) =>
            JSON.stringify(one, null, '\t')
              .replace(/"(\d{4}-\d\d-\d\dT[^"]*)"/g, 'ISODate("$1")')
              .replace(/: (\d+)(,?)$/gm, ': NumberLong($1)$2'),
          )
          .join('\n'),
    ],
  ])) {
    it(`statuses ${name}`, async () => {
      const { bottleneck, window, notes } = await replay(CONTEXT, put(content()));
      assert.deepEqual(
        [bottleneck, window.samples, window.from],
        ['cache-read', 120, new Date(T0)],
        notes.join(),
      );
    });
  }

  it('a list of any length in one line, with braces and escapes in its strings', async () => {
    const wordy = hungry.map((one, i) => ({
      ...one,
      said: `}{"\\${'\\'.repeat(i % 5)}" ${'é{'.repeat(20_000)}`,
    }));
    const text = JSON.stringify(wordy);
    assert.ok(text.length > 4 * 2 ** 20);
    assert.equal((await replay(CONTEXT, put(text))).window.samples, 120);
  });

  it('what comes behind a status that was cut off, laid out', async () => {
    const [one, two, three] = [0, 1, 2].map((i) => JSON.stringify(hungry[i], null, 2));
    const { window, notes } = await replay(
      CONTEXT,
      put([one, two.slice(0, 300), three, two.slice(0, 100)].join('\n')),
    );
    assert.equal(window.samples, 2);
    assert.match(notes.join(), /lines are not serverStatus documents/);
  });

  it('passes over 70 MB that open a document and never end', async () => {
    assert.equal(
      (
        await replay(
          CONTEXT,
          put(
            Buffer.concat([
              Buffer.from(`${lines(hungry)}{\n`),
              Buffer.alloc(70 * 2 ** 20, `"${'x'.repeat(20_000)}"\n`),
              Buffer.from(`\n${lines(later(hungry, 120))}`),
            ]),
          ),
        )
      ).window.samples,
      240,
    );
  });

  for (const every of [10, 60]) {
    it(`a status every ${every} seconds: the same verdict, and no gap`, async () => {
      const { bottleneck, notes, window } = await replay(
        CONTEXT,
        put(lines(statuses(every * 40, () => thirsty).filter((_, i) => i % every === 0))),
      );
      assert.deepEqual([bottleneck, window.samples], ['cache-read', 40]);
      assert.doesNotMatch(notes.join(), /Nothing was recorded/);
    });
  }

  it('several files in any order, as one recording', async () => {
    const [first, second, third] = [calm(), later(hungry, 120), later(calm(), 240)].map((list) =>
      put(lines(list)),
    );
    const { window, bottleneck, worst, notes } = await replay(CONTEXT, [
      third,
      first,
      second,
      first,
    ]);
    assert.deepEqual(
      [window.samples, window.from, window.to],
      [360, new Date(T0), new Date(T0 + 359_000)],
    );
    assert.equal(bottleneck, 'cache-read');
    assert.ok(worst && worst.from.getTime() >= T0 + 110_000 && worst.to.getTime() <= T0 + 250_000);
    assert.doesNotMatch(notes.join(), /recorded between|order of time|more than once/);
  });

  it('files that overlap: each line once, in the order of time', async () => {
    const all = calm(200);
    const { window, notes } = await replay(CONTEXT, [
      put(lines(all.slice(80))),
      put(lines(all.slice(0, 120))),
    ]);
    assert.equal(window.samples, 200);
    assert.match(notes.join(), /40 duplicate lines were ignored/);
    assert.doesNotMatch(notes.join(), /order of time/);
  });

  it('a file of several that has nothing is told', async () => {
    const { window, notes } = await replay(CONTEXT, [put('text\n'), put(lines(calm(60)))]);
    assert.equal(window.samples, 60);
    assert.match(notes.join(), /1 of 61 lines are not serverStatus documents/);
  });

  it('lines of other servers are left out and told', async () => {
    const mixed = calm(120).flatMap((one, i) => [one, { ...hungry[i], host: 'other:27017' }]);
    const { bottleneck, window, notes, host } = await replay(CONTEXT, put(lines(mixed)));
    assert.deepEqual([bottleneck, window.samples, host], ['none', 120, 'db1:27017']);
    assert.match(notes.join(), /120 of 240 lines belong to other servers \(other:27017\)/);
  });

  it('a restart inside, and a clock that was set back', async () => {
    const restarted = later(calm(100), 130).map((one, i) => ({
      ...one,
      uptimeMillis: 1000 + i * 1000,
    }));
    assert.match(
      (await replay(CONTEXT, put(lines([...calm(100), ...restarted])))).notes.join(),
      /restarted once/,
    );
    const back = later(calm(100), 100).map((one) => ({
      ...one,
      localTime: new Date(one.localTime.getTime() - 3_600_000),
    }));
    assert.match(
      (await replay(CONTEXT, put(lines([...calm(100), ...back])))).notes.join(),
      /clock was set back once/,
    );
  });

  it('only what is asked for', async () => {
    const { window } = await replay(CONTEXT, put(lines(calm())), {
      from: new Date(T0 + 30_000),
      to: '2026-01-01T00:00:59Z',
    });
    assert.deepEqual(
      [window.samples, window.from, window.to],
      [30, new Date(T0 + 30_000), new Date(T0 + 59_000)],
    );
  });

  it('a name with ~, which no shell has replaced', async () => {
    const home = process.env.HOME;
    const name = path.basename(put(lines(calm(60))));
    process.env.HOME = folder;
    try {
      assert.equal((await replay(CONTEXT, `~/${name}`)).window.samples, 60);
    } finally {
      process.env.HOME = home;
    }
  });

  it('another recording beside it', async () => {
    const [before, now] = [
      put(lines(hungry)),
      put(
        lines(
          later(
            statuses(120, () => ({ ops: 400, busyMicros: 4e5 })),
            600,
          ),
        ),
      ),
    ];
    const advice = /** @type {any} */ (await replay(CONTEXT, now, { compare: before }));
    assert.deepEqual(
      [
        advice.bottleneck,
        advice.compared.bottleneck,
        advice.compared.files,
        advice.compared.samples,
      ],
      ['none', 'cache-read', [before], 120],
    );
    const ops = advice.compared.rows.find(
      (/** @type {any} */ { series }) => series === 'opsPerSec',
    );
    assert.deepEqual(ops.usual, { before: 100, now: 400, ratio: 4 });
    assert.match(
      String(advice),
      /BOTTLENECK {3}cache-read before, none now\n[^]*operations\/s +100 +400 +×4 /,
    );
    String(advice)
      .split('\n')
      .forEach((line) => assert.ok(line.length <= 80, line));
  });

  it('nothing beside it', async () =>
    assert.deepEqual(
      /** @type {any} */ (await replay(CONTEXT, put(lines(calm(60))), { compare: put('') }))
        .compared.rows,
      [],
    ));

  for (const [name, call, code] of /** @type {[string, () => Promise<unknown>, string][]} */ ([
    ['no file', () => replay(CONTEXT, []), 'TUNE-10004'],
    [
      'a list with a name that is none',
      () => replay(CONTEXT, /** @type {any} */ (['a', 7])),
      'TUNE-10004',
    ],
    ['a comparison with nothing', () => replay(CONTEXT, 'a', { compare: '' }), 'TUNE-10002'],
    [
      'a comparison with what is not there',
      () => replay(CONTEXT, put(lines(calm(3))), { compare: path.join(folder, 'none') }),
      'TUNE-40002',
    ],
    ['a folder', () => replay(CONTEXT, folder), 'TUNE-40004'],
    ['what is no file', () => replay(CONTEXT, '/dev/null'), 'TUNE-40002'],
    [
      'a span that ends before it begins',
      () => replay(CONTEXT, 'a', { from: '2026-01-02', to: '2026-01-01' }),
      'TUNE-10002',
    ],
  ]))
    it(`refuses ${name}`, () => assert.rejects(call(), { code }));
});
