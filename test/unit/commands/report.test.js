'use strict';

const assert = require('node:assert/strict');
const fs = require('node:fs');
const path = require('node:path');
const { contextOf } = require('../../support/context');
const { temporaryFolder } = require('../../support/cleanup');
const answers = require('../../support/answers');
const { run: writeReport } = require('../../../lib/commands/report');
const { run: compareReports } = require('../../../lib/commands/report-compare');
const { pageAssets } = require('../../../lib/report/write-report');
const { createHash } = require('node:crypto');

describe('tune.report', () => {
  const folder = temporaryFolder('pages').path;
  const ctx = contextOf(null);
  const of = answers.advice.answer;
  let number = 0;
  const file = () => path.join(folder, `page-${number++}.html`);
  const refused = (code, words) => (error) =>
    (error.code === code && words.test(error.message)) || assert.fail(error.stack);

  it('writes one file, whole, for its owner alone, and says where', async () => {
    const name = file();
    const made = await writeReport(ctx, name, { of });
    assert.deepEqual(
      { ...made },
      {
        file: name,
        bytes: fs.statSync(name).size,
        host: 'db1:27017',
        of: ['an advice'],
        points: 0,
        sampleCount: 0,
      },
    );
    assert.equal(fs.statSync(name).mode & 0o777, 0o600);
    assert.match(fs.readFileSync(name, 'utf8'), /^<!doctype html>[^]*<\/html>\n$/);
    assert.match(`${made}`, /^OPEN {9}in any browser/m);
    assert.deepEqual(fs.readdirSync(folder), [path.basename(name)], 'no draft is left');
  });
  it('takes several answers, and what it is given as JSON', async () => {
    const made = await writeReport(ctx, file(), {
      of: [of, JSON.parse(JSON.stringify(answers.bench.answer)), answers.collections.answer],
    });
    assert.deepEqual(made.of, ['an advice', 'a benchmark', 'collections']);
    assert.equal(made.sampleCount, 2);
  });
  it('does not write over a file, unless it is asked to', async () => {
    const name = file();
    fs.writeFileSync(name, 'mine');
    await assert.rejects(
      () => writeReport(ctx, name, { of }),
      refused('TUNE-40005', /it already exists; \{ force: true \} overwrites it/),
    );
    assert.equal(fs.readFileSync(name, 'utf8'), 'mine');
    await writeReport(ctx, name, { of, force: true });
    assert.match(fs.readFileSync(name, 'utf8'), /^<!doctype/);
  });
  it('notices a file that comes between', async () => {
    const { targetFor, writePage } = require('../../../lib/base/named-files');
    const target = targetFor(file(), false);
    fs.writeFileSync(target.file, 'mine');
    assert.throws(() => writePage(target, 'x'), refused('TUNE-40005', /already/));
    assert.equal(fs.readFileSync(target.file, 'utf8'), 'mine');
  });
  it('refuses a folder, a folder that is not there, and no name, before anything is measured', async () => {
    await assert.rejects(() => writeReport(ctx, folder), refused('TUNE-40005', /it is a folder/));
    await assert.rejects(
      () => writeReport(ctx, path.join(folder, 'no', 'a.html')),
      refused('TUNE-40005', /there is no folder/),
    );
    for (const name of [undefined, '', of])
      await assert.rejects(
        () => writeReport(ctx, name),
        refused('TUNE-10004', /give the name of a new file/),
      );
  });
  it('refuses what no page can be made of', async () => {
    for (const wrong of [{}, 3, null, [], [of, 3], '', { findings: [] }])
      await assert.rejects(
        () => writeReport(ctx, file(), { of: wrong }),
        refused('TUNE-10002', /it is made of an advice, a trial/),
      );
    await assert.rejects(
      () => writeReport(ctx, file(), { of, seconds: 3 }),
      refused('TUNE-10002', /with "of" nothing is sampled/),
    );
    await assert.rejects(
      () => writeReport(ctx, file(), { off: of }),
      refused('TUNE-10001', /"off"/),
    );
    await assert.rejects(
      () => writeReport(ctx, file(), { of: path.join(folder, 'no.ndjson') }),
      refused('TUNE-40002', /no\.ndjson/),
    );
  });
  it('knows ~', async () => {
    const before = process.env.HOME;
    process.env.HOME = folder;
    try {
      assert.equal(
        (await writeReport(ctx, '~/home.html', { of })).file,
        path.join(folder, 'home.html'),
      );
    } finally {
      process.env.HOME = before;
    }
  });
  it('reads recordings by their paths', async () => {
    const recording = path.join(folder, 'a.ndjson');
    const status = (i) =>
      JSON.stringify({
        t: 1_700_000_000 + i,
        uptime: i + 9,
        host: 'h',
        version: '6.0.5',
        process: 'mongod',
        opcounters: { query: i * 10 },
        wiredTiger: {
          cache: {
            'maximum bytes configured': 1e9,
            'bytes currently in the cache': 5e8,
            'tracked dirty bytes in the cache': 1e6 * i,
          },
        },
      });
    fs.writeFileSync(recording, Array.from({ length: 40 }, (_, i) => status(i)).join('\n'));
    const made = await writeReport(ctx, file(), { of: recording });
    assert.deepEqual(
      [made.of, made.sampleCount, made.points, made.host],
      [['an advice'], 40, 40, 'h'],
    );
    const both = await compareReports(ctx, recording, recording, { output: file() });
    assert.deepEqual([both.of, both.sampleCount], [['an advice', 'an advice'], 80]);
    await assert.rejects(
      () => writeReport(ctx, file(), { of: folder }),
      refused('TUNE-40004', /./),
    );
  });
  it('compare: needs two, and finds a name for itself', async () => {
    await assert.rejects(() => compareReports(ctx, of), refused('TUNE-10004', /"b" is missing/));
    await assert.rejects(
      () => compareReports(ctx, of, [of, of]),
      refused('TUNE-10002', /not of an array/),
    );
    const before = process.cwd();
    process.chdir(folder);
    try {
      assert.match(
        path.basename((await compareReports(ctx, of, of)).file),
        /^tune-compare-\d{14}\.html$/,
      );
    } finally {
      process.chdir(before);
    }
  });
  it('has hashes of its style and script in the policy, and neither can end early', () => {
    const { style, script, styleHash, scriptHash } = pageAssets();
    const hash = (text) => `sha256-${createHash('sha256').update(text).digest('base64')}`;
    assert.deepEqual([styleHash, scriptHash], [hash(style), hash(script)]);
    assert.doesNotMatch(style + script, /<\/(style|script)/i);
    assert.doesNotMatch(script, /\beval\(|new Function|https?:\/\/(?!github\.com\/leeoniya)/);
  });
});
