'use strict';

const assert = require('node:assert/strict');
const fs = require('node:fs');
const path = require('node:path');
const { runMongosh, startMongosh } = require('../support/mongosh');
const { startServer } = require('../support/server');
const { skipIf } = require('../support/skip');
const { whyNoTerminal } = require('../support/terminal');
const { LOAD_TEST_COMMANDS, makeTuneHome } = require('./support/place');

/**
 * The commands here would take a minute. How long mongosh itself takes to end is the machine's
 * matter.
 */
const AT_ONCE_MS = 20_000;
const pause = (ms) =>
  new Promise((resolve) => {
    setTimeout(resolve, ms);
  });

// What a command may do at Ctrl-C is that of support/commands.js, on a real server in a real shell.
describe('Ctrl-C', function () {
  this.timeout(120_000);
  let server;
  let place;
  let log;
  before(async () => {
    server = await startServer();
    place = makeTuneHome();
  });
  beforeEach(() => {
    log = path.join(place.path, `log-${Math.random()}`);
    fs.writeFileSync(log, '');
  });
  after(async () => {
    await server?.stop();
    place?.remove();
  });
  const logged = () => fs.readFileSync(log, 'utf8').split('\n').filter(Boolean);
  const lines = () => logged().filter((line) => line !== 'at work');
  /** Until a command has begun; mongosh registers its handlers of SIGINT right after. */
  async function atWork() {
    while (!logged().includes('at work')) await pause(20);
    await pause(100);
  }

  describe('in a script', () => {
    /**
     * Runs the line, sends SIGINT once the command is at work, and `again` milliseconds later if
     * given.
     */
    async function interrupt(line, { again, args = [server.uri] } = {}) {
      let pressed = 0;
      const onStart = async (child) => {
        await atWork();
        pressed = Date.now();
        child.kill('SIGINT');
        if (again === undefined) return;
        await pause(again);
        child.kill('SIGINT');
      };
      const scripts = [LOAD_TEST_COMMANDS, line, 'tune.note(); print("NOT HERE")'];
      const ended = await runMongosh(
        [...args, '--quiet', ...scripts.flatMap((script) => ['--eval', script])],
        { env: { ...place.env, TUNE_TEST_LOG: log }, onStart },
      );
      return { ...ended, ms: Date.now() - pressed };
    }

    for (const command of ['sample', 'follow']) {
      it(`ends it with 1 at once, prints what was seen, runs nothing further (${command})`, async () => {
        const { code, stdout, ms } = await interrupt(`const seen = tune.${command}(); tune.note()`);
        assert.equal(code, 1);
        assert.match(stdout, /\n\{ seen: '[\w ]+' \}\n/);
        assert.doesNotMatch(stdout, /NOT HERE/);
        assert.deepEqual(lines(), []);
        assert.ok(ms < AT_ONCE_MS, `${ms} ms`);
      });
    }

    it('does so without a connection, too', async () => {
      const { code, stdout } = await interrupt('tune.sample()', { args: ['--nodb'] });
      assert.equal(code, 1);
      assert.doesNotMatch(stdout, /NOT HERE/);
    });

    it('lets a change be finished on the open connection', async () => {
      const { code, stdout } = await interrupt('tune.change(); tune.note()');
      assert.equal(code, 1);
      assert.deepEqual(lines(), [
        'change: interrupted',
        'change: outcome written, server answered ok 1',
      ]);
      assert.match(stdout, /\[TUNE-30005\] The change was taken back\./);
    });

    it('ends one that is stuck at the second Ctrl-C', async () => {
      const { code, stdout, ms } = await interrupt('tune.stuck()', { again: 1300 });
      assert.equal(code, 1);
      assert.match(stdout, /Ctrl-C again stops that[^]*tune\.history\(\) shows what became of it/);
      assert.ok(ms < AT_ONCE_MS, `${ms} ms`);
    });
  });

  describe('at the prompt', () => {
    let terminal;
    before(async function () {
      skipIf(this, whyNoTerminal());
      log = path.join(place.path, 'log-prompt');
      terminal = await startMongosh([server.uri, '--quiet'], {
        env: { ...place.env, TUNE_TEST_LOG: log },
        columns: 120,
      });
      await terminal.waitFor(/test> $/);
      terminal.type(`${LOAD_TEST_COMMANDS}; "loaded"`);
      await terminal.waitFor(/loaded\s+test> $/);
    });
    beforeEach(() => {
      log = path.join(place.path, 'log-prompt');
      fs.writeFileSync(log, '');
    });
    after(() => terminal?.close());

    /** @returns {Promise<number>} milliseconds from Ctrl-C to the prompt */
    async function interrupt(line, expected) {
      terminal.type(line);
      await atWork();
      const pressed = Date.now();
      terminal.write('\x03');
      await terminal.waitFor(expected);
      return Date.now() - pressed;
    }
    async function isUsable() {
      terminal.type('"answer " + db.adminCommand({ ping: 1 }).ok');
      await terminal.waitFor(/answer 1\s+test> $/);
    }

    it('prints what was seen and is back at once', async () => {
      const ms = await interrupt(
        'const v = tune.sample(); tune.note()',
        /seen: 'so far'[^]*kept as tune\.last\.\s+test> $/,
      );
      assert.ok(ms < AT_ONCE_MS, `${ms} ms`);
      await isUsable();
      assert.deepEqual(lines(), []);
    });

    it('goes on with the value of a command that ends so, but with no other command', async () => {
      await interrupt(
        'const all = tune.follow(); tune.note()',
        /Stopping execution\.\.\.[^]*test> $/,
      );
      await pause(300);
      terminal.type('"it saw " + all.seen');
      await terminal.waitFor(/it saw all\s+test> $/);
      await isUsable();
      assert.deepEqual(lines(), []);
    });

    it('ends a loop', async () => {
      await interrupt('for (;;) tune.follow()', /Stopping execution\.\.\.[^]*test> $/);
      await pause(300);
      await isUsable();
    });

    it('lets a change be finished before mongosh closes its connections', async () => {
      await interrupt(
        'tune.change(); tune.note()',
        /\[TUNE-30005\] The change was taken back\.[^]*test> $/,
      );
      assert.deepEqual(lines(), [
        'change: interrupted',
        'change: outcome written, server answered ok 1',
      ]);
      await isUsable();
    });

    it('gives up a command that does not stop: from then on it can send nothing', async () => {
      const ms = await interrupt('tune.deaf()', /Stopping execution\.\.\.\s+test> $/);
      assert.ok(ms < AT_ONCE_MS, `${ms} ms`);
      await isUsable();
      const sent = () => lines().filter((line) => line === 'deaf: ping').length;
      const before = sent();
      assert.ok(before > 0);
      await pause(500);
      assert.equal(sent(), before);
      assert.match(lines().at(-1), /TUNE-30009/);
    });

    it('takes the progress line away', async () => {
      await interrupt('tune.progress()', /waiting for the test[^]*test> $/);
      assert.doesNotMatch(terminal.screen(), /waiting for the test/);
      await isUsable();
    });
  });
});
