'use strict';

const assert = require('node:assert/strict');
const fs = require('node:fs');
const path = require('node:path');
const { run: demo } = require('../../../lib/commands/demo');
const { DEMO_NOTE, STEPS } = require('../../../lib/commands/pure/demo-text');
const { checkHost, requestedChange } = require('../../../lib/change/plan-change');
const { tune: tuneFor } = require('../../../lib/node');
const { demoRecording } = require('../../../scripts/documents/demo-recording');
const { readFixture } = require('../../../scripts/samples/fixtures');
const { contextOf } = require('../../support/context');
const { temporaryFolder } = require('../../support/cleanup');

const FILE = path.join(__dirname, '../../../lib/recording/pure/demo-recording.json');
const MAX_BYTES = 40_000;
const SCREEN = { lines: 24, columns: 80 };
/** The note, without what wrapping does to it. */
const said = (/** @type {unknown} */ text) => String(text).replace(/\s+/g, ' ');

describe('tune.demo', () => {
  const folder = temporaryFolder('demo');
  const output = path.join(folder.path, 'demo.html');
  after(() => folder.remove());
  /** No server: whatever is asked fails. @param {string} [step] @param {object} [options] */
  const ask = (step, options) => demo(contextOf(null), step, options);
  const optionsOf = (/** @type {string} */ step) => (step === 'report' ? { output } : {});
  beforeEach(() => fs.rmSync(output, { force: true }));

  for (const step of STEPS)
    it(`${step}: says on one screen that it is a recording, and what to type next`, async () => {
      const answer = await ask(step, optionsOf(step));
      const lines = String(answer).split('\n');
      assert.ok(lines.length <= SCREEN.lines, `${lines.length} lines`);
      // A path is as long as it is.
      if (step !== 'report') assert.ok(lines.every((line) => line.length <= SCREEN.columns));
      assert.ok(said(answer).includes(DEMO_NOTE), `${answer}`);
      assert.ok(lines.some((line) => line.startsWith('NEXT ')));
      assert.ok(
        ['status', 'advice', 'explanation', 'page'].filter(
          (name) => /** @type {any} */ (answer)[name] !== null,
        ).length === 1,
      );
    });

  it('leads from step to step by the lines it prints, then to a server of one’s own', async () => {
    const typed = [];
    for (let call = 'tune.demo()'; call.startsWith('tune.demo(');) {
      typed.push(call);
      const step = /"(\w+)"/.exec(call)?.[1];
      ({ call } = (await ask(step, optionsOf(String(step)))).next);
    }
    assert.deepEqual(typed, [
      'tune.demo()',
      'tune.demo("advise")',
      'tune.demo("explain")',
      'tune.demo("report")',
    ]);
    assert.match(String(await ask('report', { output, force: true })), /mongosh "mongodb:\/\/HOST/);
  });

  it('names the bottleneck, a change, and no line that would change a server', async () => {
    const { advice } = await ask('advise');
    assert.equal(advice?.bottleneck, 'cache-dirty');
    assert.deepEqual(advice.change, { cacheSizeGB: 1 });
    assert.equal(advice.source, 'recording');
    assert.doesNotMatch(String(await ask('advise')), /tune\.(apply|trial|undo)/);
  });

  it('its advice is refused on every server', async () => {
    const { advice } = await ask('advise');
    const { host } = requestedChange('tune.apply', advice);
    assert.throws(() => checkHost(host, 'db1:27017'), { code: 'TUNE-20010' });
  });

  it('writes a page that says what it is, and no other page over it', async () => {
    const { page } = await ask('report', { output });
    assert.equal(page?.file, output);
    assert.ok(fs.readFileSync(output, 'utf8').includes(DEMO_NOTE));
    await assert.rejects(ask('report', { output }), { code: 'TUNE-40005' });
    await ask('report', { output, force: true });
    await assert.rejects(ask('report', { output: path.join(folder.path, 'no', 'x.html') }), {
      code: 'TUNE-40005',
    });
  });

  it('refuses a step that there is not, and options in its place', async () => {
    for (const wrong of ['toString', '', 7, { output }, ['advise']])
      await assert.rejects(ask(/** @type {any} */ (wrong)), { code: 'TUNE-10003' });
  });

  it('works in Node.js without a connection', async () => {
    const { status } = await tuneFor(null, { home: '/nonexistent' }).demo();
    assert.equal(status.host, 'demo-recording:27017');
  });

  it('is a real server’s recording of at most 40 kB, as it is kept in test/samples', () => {
    assert.equal(fs.readFileSync(FILE, 'utf8'), demoRecording());
    assert.ok(fs.statSync(FILE).size <= MAX_BYTES);
    assert.deepEqual(
      JSON.parse(fs.readFileSync(FILE, 'utf8')).samples,
      JSON.parse(JSON.stringify(readFixture('sick').samples)),
    );
  });
});
