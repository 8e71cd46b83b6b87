'use strict';

const assert = require('node:assert/strict');
const fs = require('node:fs');
const os = require('node:os');
const path = require('node:path');
const zlib = require('node:zlib');
const { spawnSync } = require('node:child_process');
const { fieldPath, absent } = require('../support/field');
const { skipIf } = require('../support/skip');
const { summarize, parseExact } = require('../support/ftdc-summary');
const { run: ftdc } = require('../../lib/commands/ftdc');

const folder = fieldPath('field', 'ftdc');
const names = folder === null ? [] : fs.readdirSync(folder).filter((name) => !name.endsWith('.gz'));
/** @type {any} */
const CONTEXT = { signal: new AbortController().signal, progress: () => {} };
const MIB = 2 ** 20;
/**
 * What the recordings show; those of the table that are not named here are idle development
 * machines.
 */
const KNOWN = /** @type {[RegExp, string[], string][]} */ ([
  [/b1ron_ftdc__files/, ['none'], 'inserts, then scans by a single client out of the cache'],
  [/abhaypatil-code/, ['none'], 'a minute of 4,400 inserts a second, else idle'],
  [/b1ron_ftdc__diagnostic/, ['none', 'idle'], 'scans by a single client'],
  [
    /b1ron_ftdc__metrics/,
    ['disk'],
    'a cold start: one client reads 139 pages a second of 7 ms each into an empty cache',
  ],
]);
const VERDICTS = 'idle';

describe("diagnostic data of strangers' servers", function () {
  this.timeout(60_000);
  /** @type {string[][]} */ const table = [];
  it('recordings are at hand', function () {
    skipIf(this, absent(folder));
  });

  for (const name of names) {
    it(`every value of ${name.slice(0, 20)}… is that of the reference decoding`, async () => {
      const file = path.join(String(folder), name);
      const reference = parseExact(
        zlib.gunzipSync(fs.readFileSync(`${file}.summary.json.gz`)).toString(),
      );
      const ours = await summarize(file);
      assert.deepEqual(
        [ours.chunks, ours.samples, ours.metrics.size],
        [reference.chunks, reference.samples, Object.keys(reference.metrics).length],
      );
      for (const [metric, wanted] of Object.entries(reference.metrics)) {
        const { sum, n, ...rest } = /** @type {any} */ (ours.metrics.get(metric));
        const { sum: wantedSum, n: wantedN, ...wantedRest } = wanted;
        assert.deepEqual(
          [n, rest, sum],
          [
            wantedN,
            Object.fromEntries(
              Object.entries(wantedRest).map(([key, value]) => [
                key,
                BigInt(/** @type {any} */ (value)),
              ]),
            ),
            BigInt.asUintN(64, BigInt(wantedSum)),
          ],
          metric,
        );
      }
    });

    it(`${name.slice(0, 20)}… gets no confident wrong answer`, async () => {
      const [, verdicts, what] = KNOWN.find(([pattern]) => pattern.test(name)) ?? [
        null,
        [VERDICTS],
        'an idle development machine',
      ];
      const advice = await ftdc(CONTEXT, path.join(String(folder), name));
      table.push([
        name.replace(/_.*?diagnostic|__.*/, '').slice(0, 24),
        String(advice.version),
        String(advice.window.samples),
        advice.bottleneck,
        advice.others.map(({ bottleneck }) => bottleneck).join(' '),
        what,
      ]);
      assert.ok(verdicts.includes(advice.bottleneck), `${advice.bottleneck}: ${advice.because}`);
      assert.equal(advice.change, null);
      assert.deepEqual(
        advice.findings.filter(({ status }) => status === 'error'),
        [],
      );
      const [whole, worst] = [advice.window, advice.worst];
      assert.ok(
        worst &&
          whole.from &&
          whole.to &&
          worst.from >= whole.from &&
          worst.to <= whole.to &&
          worst.seconds <= 121,
      );
      assert.doesNotMatch(String(advice), /undefined|NaN|Infinity/);
    });
  }

  it('reads a whole folder in the order of time', async function () {
    skipIf(this, absent(folder));
    const two = names.filter((name) => name.startsWith('b1ron') && name.includes('diagnostic'));
    const made = fs.mkdtempSync(path.join(os.tmpdir(), `mongosh-tune-${process.pid}-folder-`));
    for (const name of two)
      fs.copyFileSync(
        path.join(String(folder), name),
        path.join(
          made,
          name.includes('interim') ? 'metrics.interim' : 'metrics.2025-07-10T15-58-48Z-00000',
        ),
      );
    const advice = await ftdc(CONTEXT, made);
    fs.rmSync(made, { recursive: true });
    // The interim file holds 19:22:13 to 19:22:31 of a server whose other file goes on to 20:23:20,
    // at another pace.
    assert.equal(advice.window.samples, 17_715);
    assert.match(advice.notes.join('\n'), /181 duplicate samples were ignored/);
  });

  it('loses one chunk to a byte that is wrong, and says which time is missing', async function () {
    skipIf(this, absent(folder));
    const name = /** @type {string} */ (names.find((one) => one.startsWith('RayFlows')));
    const bytes = fs.readFileSync(path.join(String(folder), name));
    bytes[bytes.length >> 1] ^= 0x55;
    const file = path.join(os.tmpdir(), `mongosh-tune-${process.pid}-wrong`);
    fs.writeFileSync(file, bytes);
    const advice = await ftdc(CONTEXT, file);
    assert.equal(advice.window.samples, 1500);
    assert.match(
      advice.notes.join('\n'),
      /1 of 6 chunks are unreadable and were skipped, the first from 2025-06-18 13:.*not zlib/,
    );
    assert.match(advice.notes.join('\n'), /No samples between .* \(5 min 1 s\)/);
    fs.writeFileSync(file, bytes.subarray(0, bytes.length - 5000));
    assert.match((await ftdc(CONTEXT, file)).notes.join('\n'), /are damaged or truncated/);
    fs.rmSync(file);
  });

  it('needs little memory for many megabytes', function () {
    skipIf(this, absent(folder));
    // All of 200 MB takes a while on a small machine: that is for the long run and the bench.
    const copies = process.env.TUNE_LONG ? 82 : 12;
    const made = fs.mkdtempSync(path.join(os.tmpdir(), `mongosh-tune-${process.pid}-large-`));
    const name = /** @type {string} */ (names.find((one) => one.startsWith('b1ron_ftdc__files')));
    for (let i = 0; i < copies; i++)
      fs.symlinkSync(path.join(String(folder), name), path.join(made, `metrics.${i}`));
    const script = `
      const { Recording } = require(${JSON.stringify(require.resolve('../../lib/recording/ftdc/recording'))});
      const { RecordingScan } = require(${JSON.stringify(require.resolve('../../lib/series/recording-scan'))});
      (async () => {
        const exam = new RecordingScan();
        for (let i = 0; i < ${copies}; i++) for await (const { block, server } of new Recording([${JSON.stringify(made)} + '/metrics.' + i]).pieces()) exam.add(block, server);
        console.log(JSON.stringify({ samples: exam.gaps.samples, maxRssKiB: process.resourceUsage().maxRSS }));
      })();`;
    const { stdout, stderr } = spawnSync(process.execPath, ['-e', script], {
      encoding: 'utf8',
      env: { ...process.env, NODE_V8_COVERAGE: '' },
    });
    fs.rmSync(made, { recursive: true });
    assert.equal(stderr, '');
    const { samples, maxRssKiB } = JSON.parse(stdout);
    assert.equal(samples, copies * 17_715);
    assert.ok(
      maxRssKiB / 1024 < 300,
      `${Math.round(maxRssKiB / 1024)} MiB for ` +
        `${Math.round((copies * fs.statSync(path.join(String(folder), name)).size) / MIB)} MiB ` +
        'of files',
    );
  });

  after(() => {
    if (table.length === 0) return;
    const rows = [
      ['recording', 'version', 'samples', 'verdict', 'other minutes', 'what it is'],
      ...table,
    ];
    const widths = rows[0].map((_, column) => Math.max(...rows.map((row) => row[column].length)));
    process.stdout.write(
      `\n${rows
        .map(
          (row) =>
            `    ${row
              .map((cell, column) => cell.padEnd(widths[column]))
              .join('  ')
              .trimEnd()}`,
        )
        .join('\n')}\n`,
    );
  });
});
