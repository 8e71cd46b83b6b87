'use strict';

const assert = require('node:assert/strict');
const fs = require('node:fs');
const { makeHome, runMongosh, startMongosh } = require('../../support/mongosh');
const { startServer } = require('../../support/server');
const { skipIf } = require('../../support/skip');
const { whyNoTerminal } = require('../../support/terminal');

describe('the mongosh of the tests', () => {
  it('runs to its end with an exit code, both outputs and a home of its own', async () => {
    const { code, stdout, stderr } = await runMongosh([
      '--nodb',
      '--eval',
      'process.stderr.write("aside"); print(process.env.HOME); quit(7)',
    ]);
    assert.deepEqual([code, stderr], [7, 'aside']);
    assert.notEqual(stdout.trim(), process.env.HOME);
    assert.equal(fs.existsSync(stdout.trim()), false);
  });

  it('reads its input, and settings of a home that calls share', async () => {
    const home = makeHome({ config: { historyLength: 7 }, rc: 'globalThis.fromRc = 41' });
    try {
      const { stdout } = await runMongosh(['--nodb', '--quiet'], {
        home: home.path,
        input:
          'fromRc + ' +
          '1\nconfig.get("historyLength")\nconfig.get("enableTelemetry")\nconfig.get("snippetIndexSourceURLs") ' +
          '=== ""\n',
      });
      assert.match(stdout, /42[^]*\b7\b[^]*false[^]*true/);
      assert.ok(fs.existsSync(home.path));
    } finally {
      home.remove();
    }
  });

  it('is ended when it takes too long, with what it printed', async () => {
    await assert.rejects(
      runMongosh(['--nodb', '--eval', 'print("so far"); sleep(60000)'], { timeout: 4000 }),
      /did not end within 4000 ms[^]*so far/,
    );
  });

  describe('on a terminal', () => {
    let server;
    let shell;
    before(async function () {
      skipIf(this, whyNoTerminal());
      server = await startServer();
    });
    beforeEach(async () => {
      shell = await startMongosh([server.uri, '--quiet'], { columns: 90, rows: 20 });
      await shell.waitFor(/test> $/);
    });
    afterEach(() => shell.close());
    after(() => server?.stop());

    it('evaluates a line', async () => {
      shell.type('1+1');
      await shell.waitFor(/\n2\s[^]*test> $/);
      assert.match(shell.screen(), /test> 1\+1\n2\ntest>$/);
    });

    it('has colours, also on a build server', async () => {
      shell.type('[41 + 1]');
      await shell.waitFor(/\[ 42 \]/);

      assert.match(shell.raw, /\[ \x1b\[33m42\x1b\[39m \]/);
    });

    it('completes with TAB', async () => {
      shell.write('db.ver\t');
      // The completer starts a TypeScript service first.
      await shell.waitFor(/db\.version/, 45_000);
      shell.type('()');
      await shell.waitFor(new RegExp(`\\n${server.version.replaceAll('.', '\\.')}`));
    });

    for (const [how, interrupt] of [
      ['Ctrl-C', () => shell.write('\x03')],
      ['SIGINT', () => shell.signal('SIGINT')],
    ]) {
      it(`stops a sleep by ${how}`, async () => {
        shell.type('print("asleep"); sleep(60000)');
        await shell.waitFor(/\nasleep/);
        const started = Date.now();
        interrupt();
        await shell.waitFor(/Stopping execution[^]*test> $/, 5000);
        assert.ok(Date.now() - started < 5000);
      });
    }

    it('follows the size of the window', async () => {
      shell.type(
        'process.stdout.once("resize", () => process.stdout.write(`now ' +
          '${process.stdout.columns}`)); process.stdout.columns',
      );
      await shell.waitFor(/\n90\s/);
      await shell.resize(60, 12);
      await shell.waitFor(/now 60/);
    });

    it('tells the exit code', async () => {
      shell.type('quit(5)');
      assert.equal(await shell.ended, 5);
    });

    it('says what was on the screen when the words waited for do not come', async () => {
      shell.type('"what it said"');
      await assert.rejects(
        shell.waitFor(/never/, 1500),
        /1500 ms went by before \/never\/ was printed\. On the screen:[^]*what it said/,
      );
      shell.type('quit()');
      await assert.rejects(
        shell.waitFor(/never/),
        /The program ended before \/never\/ was printed/,
      );
    });
  });
});
