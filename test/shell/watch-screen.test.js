'use strict';

const assert = require('node:assert/strict');
const fs = require('node:fs');
const path = require('node:path');
const { runMongosh, startMongosh, MONGOSH, NODE } = require('../support/mongosh');
const { startServer, startReplicaSet } = require('../support/server');
const { skipIf } = require('../support/skip');
const { startLoad } = require('../support/load');
const { openTerminal, whyNoTerminal } = require('../support/terminal');
const { LOAD_TUNE, makeTuneHome, evals } = require('./support/place');

const pause = (ms) =>
  new Promise((resolve) => {
    setTimeout(resolve, ms);
  });
const PROMPT = /> $/;
const PATIENCE_MS = 90_000;
/** A look has been drawn: the charts reach back. */
const LOOKED = /\d s ago +now/;
/** Every row of the window is in use, down to the keys. @param {number} rows */
const full = (rows) => new RegExp(`^(?:.*\\n){${rows - 1}}q quit.*$`);

describe('the live screen of tune.watch()', function () {
  this.timeout(300_000);
  let server;
  let load;
  let place;
  before(async function () {
    skipIf(this, whyNoTerminal());
    server = await startServer();
    place = makeTuneHome();
    const collection = server.db('watched').collection('c');
    load = startLoad(
      async () => {
        await collection.insertOne({ text: 'x'.repeat(500) }).catch(() => pause(100));
      },
      { loops: 2 },
    );
  });
  after(async () => {
    await load?.stop();
    await server?.stop();
    place?.remove();
  });

  /** Until the screen, as a person sees it, matches. */
  async function seen(terminal, pattern) {
    const end = Date.now() + PATIENCE_MS;
    for (let shown = terminal.screen(); !pattern.test(shown); shown = terminal.screen()) {
      assert.ok(Date.now() < end, `${pattern} is not on the screen:\n${shown}`);
      await pause(100);
    }
    return terminal.screen();
  }
  /** A mongosh with tune, at its prompt. */
  async function shell({ env, uri = server.uri, columns = 90, rows = 26 } = {}) {
    const terminal = await startMongosh([uri, '--quiet'], {
      env: { ...place.env, ...env },
      columns,
      rows,
    });
    await terminal.waitFor(PROMPT, PATIENCE_MS);
    terminal.type(`${LOAD_TUNE}; "loaded"`);
    await terminal.waitFor(/loaded\s+[^\n]*> $/, PATIENCE_MS);
    return terminal;
  }
  /** The prompt takes a line, edits it, and answers. */
  async function isUsable(terminal) {
    terminal.write('"answer " + (40 + 2)');
    await pause(300);
    terminal.write('\x1b[D\x7f3\r');
    await seen(terminal, /answer 43\n[^\n]*>$/);
  }

  describe('at the prompt', () => {
    let terminal;
    before(async () => {
      terminal = await shell();
    });
    // What one test left open the next one need not find.
    afterEach(function () {
      if (this.currentTest.state === 'failed') terminal.write('\x03');
    });
    after(() => terminal?.close());

    it(
      'opens, follows the window, pauses, changes the area, helps; q leaves what was there, ' +
        'and the summary',
      async () => {
        const before = terminal.screen();
        terminal.type('const first = tune.watch({ everySeconds: 0.5 })');
        await seen(terminal, LOOKED);
        await seen(terminal, full(26));
        assert.doesNotMatch(terminal.screen(), /loaded/);
        await terminal.resize(120, 34);
        assert.match(await seen(terminal, full(34)), /^.{117}now$/m);
        await terminal.resize(60, 12);
        await seen(terminal, full(12));
        await terminal.resize(40, 6);
        await seen(terminal, /^The screen needs 60 × 12\.\nq quit$/);
        await terminal.resize(90, 26);
        terminal.write('\t');
        await seen(terminal, /\[2 cache\]/);
        terminal.write(' ');
        const held = await seen(terminal, /PAUSED/);
        await pause(1500);
        assert.equal(terminal.screen(), held);
        terminal.write('?');
        await seen(terminal, /ends it; Ctrl-C/);
        terminal.write(' \x1b');
        await seen(terminal, /\[2 cache\][^]*space pause/);
        terminal.write('q');
        await seen(terminal, /watch\(\{ everySeconds: 0\.5 \}\)\n[^]*>$/);
        assert.ok(terminal.screen().startsWith(before), terminal.screen());
        await isUsable(terminal);
        terminal.type('"saw " + (first.samples > 3) + first.ended');
        await seen(terminal, /saw truecomplete/);
      },
    );

    it('ends at Ctrl-C within the line, with the value, the summary and a prompt that works', async () => {
      terminal.type('const second = tune.watch()');
      await seen(terminal, LOOKED);
      terminal.write('\x03');
      await seen(
        terminal,
        /samples? in [^]*CLIENTS [^]*Interrupted after \d+ sample[^]*kept as tune\.last\.\n[^]*>$/,
      );
      await isUsable(terminal);
      terminal.type('"saw " + second.ended + (second === tune.last)');
      await seen(terminal, /saw interruptedtrue/);
    });

    it('Ctrl-C ends a loop of watches, too', async () => {
      terminal.type('for (;;) tune.watch()');
      await seen(terminal, LOOKED);
      terminal.write('\x03');
      await seen(terminal, /kept as tune\.last\.\n[^]*>$/);
      await pause(1000);
      await isUsable(terminal);
    });

    it('ends when its time is over, and prints its summary', async () => {
      terminal.type('print("now"); tune.watch({ seconds: 2, everySeconds: 0.5 })');
      await seen(terminal, LOOKED);
      await seen(terminal, /^now\n.* samples? in [^]*CLIENTS [^]*>$/m);
      await isUsable(terminal);
    });

    it('an error comes to the prompt of an untouched screen', async () => {
      terminal.type('tune.watch({ screen: 1 })');
      await seen(terminal, /TUNE-10002[^]*"screen" must be true or false, not 1[^]*>$/);
      await isUsable(terminal);
    });

    it('what is typed ahead of it is no key, what is pasted neither', async () => {
      terminal.write('tune.watch({ seconds: 4 })\r');
      await seen(terminal, LOOKED);
      terminal.write('\x1b[200~quit\x1b[201~');
      await pause(700);
      assert.match(terminal.screen(), /q quit/);
      await seen(terminal, /samples? in [^]*CLIENTS [^]*>$/);
      await isUsable(terminal);
    });

    it('prints lines with { screen: false }', async () => {
      const from = terminal.raw.length;
      terminal.type('tune.watch({ seconds: 0.5, everySeconds: 0.25, screen: false })');
      await terminal.waitFor(/used% dirty%[^]*samples? in [^]*> $/, PATIENCE_MS);
      assert.ok(!terminal.raw.slice(from).includes('\x1b[?1049h'));
    });
  });

  it('draws each frame by what is another one, in colours', async () => {
    const terminal = await shell();
    terminal.type('tune.watch()');
    await seen(terminal, LOOKED);
    await pause(1000);
    const from = terminal.raw.length;
    await pause(3000);
    const drawn = terminal.raw.slice(from);
    assert.ok(!drawn.includes('\x1b[2J') && !drawn.includes('q quit'), drawn);
    assert.match(terminal.raw, /\x1b\[3[1-6]m/);
    terminal.write('q');
    await terminal.close();
  });

  it('has no colour with NO_COLOR', async () => {
    const terminal = await shell({ env: { NO_COLOR: '1' } });
    const from = terminal.raw.length;
    terminal.type('tune.watch()');
    await seen(terminal, LOOKED);
    assert.doesNotMatch(terminal.raw.slice(from), /\x1b\[[1-9][\d;]*m/);
    terminal.write('q');
    await seen(terminal, /samples? in [^]*CLIENTS /);
    await terminal.close();
  });

  it('prints lines on a dumb terminal', async () => {
    const terminal = await shell({ env: { TERM: 'dumb' } });
    terminal.type('tune.watch({ seconds: 0.5, everySeconds: 0.25 })');
    await terminal.waitFor(/used% dirty%[^]*samples? in /, PATIENCE_MS);
    assert.ok(!terminal.raw.includes('\x1b[?1049h'));
    await terminal.close();
  });

  it('works in a script on a terminal: --eval, and a file that is loaded', async () => {
    const file = path.join(place.path, 'script.js');
    fs.writeFileSync(
      file,
      'const seen = tune.watch({ everySeconds: 0.5 }); print(`the script saw ${seen.samples > 0}`);\n',
    );
    const terminal = await startMongosh([server.uri, ...evals(`load(${JSON.stringify(file)})`)], {
      env: place.env,
      columns: 80,
      rows: 24,
    });
    await seen(terminal, LOOKED);
    terminal.write('q');
    await terminal.waitFor(/the script saw true/, PATIENCE_MS);
    assert.equal(await terminal.ended, 0);
  });

  it('prints NDJSON and nothing else where asked, without a terminal', async () => {
    const { stdout, code } = await runMongosh(
      [server.uri, ...evals('tune.watch({ seconds: 1, everySeconds: 0.25, json: true })')],
      { env: place.env },
    );
    const sampleCount = stdout
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
    assert.equal(code, 0);
    assert.ok(
      sampleCount.length >= 3 &&
        sampleCount.slice(0, -1).every(({ metrics }) => metrics['cache.maxBytes'] > 0) &&
        sampleCount.at(-1).samples >= 3,
    );
  });

  describe('under a shell of the user', () => {
    for (const [name, command] of [
      ['bash', ['bash', '--norc']],
      ['sh', ['sh', '-i']],
    ]) {
      for (const signal of name === 'bash'
        ? ['SIGKILL', 'SIGTERM', 'SIGHUP']
        : ['SIGKILL', 'SIGTERM']) {
        it(`${signal} of mongosh leaves the terminal as it was (${name})`, async () => {
          const note = (what) => path.join(place.path, `${name}-${signal}-${what}`);
          const env = {
            PATH: process.env.PATH,
            HOME: place.path,
            TERM: 'xterm-256color',
            PS1: 'READY> ',
            ...place.env,
          };
          const terminal = await openTerminal(command, { env, columns: 90, rows: 26 });
          await terminal.waitFor(/READY> $/, PATIENCE_MS);
          terminal.type(`stty -a > ${note('before')}; echo "what was"" there"`);
          await terminal.waitFor(/what was there\s+READY> $/, PATIENCE_MS);
          terminal.type(
            `sh -c 'echo $$ > ${note('pid')}; exec ${NODE} ${MONGOSH} "${server.uri}" ` +
              `--quiet --eval "load(\\"$0\\")" --eval "tune.watch()"' ` +
              `${path.join(__dirname, '../../index.js')}`,
          );
          await seen(terminal, LOOKED);
          process.kill(Number(fs.readFileSync(note('pid'), 'utf8')), signal);
          await seen(
            terminal,
            /what was there\n[^]*(Killed|Terminated|Hangup)|what was there\n[^]*READY>/,
          );
          await pause(2500);
          terminal.type(`stty -a > ${note('after')}; echo "it"" works"`);
          await seen(terminal, /^it works\nREADY>$/m);
          assert.match(terminal.screen(), /what was there/);
          assert.doesNotMatch(terminal.screen(), /q quit/);
          assert.ok(
            terminal.raw.lastIndexOf('\x1b[?25h') > terminal.raw.lastIndexOf('\x1b[?25l'),
            'the cursor is hidden',
          );
          assert.equal(
            fs.readFileSync(note('after'), 'utf8'),
            fs.readFileSync(note('before'), 'utf8'),
          );
          await terminal.close();
        });
      }
    }
  });
});

describe('the live screen on a replica set', function () {
  this.timeout(300_000);
  let set;
  let place;
  before(async function () {
    skipIf(this, whyNoTerminal());
    place = makeTuneHome();
    set = await startReplicaSet({ members: 3, auth: true });
  });
  after(async () => {
    await set?.stop();
    place?.remove();
  });

  it(
    'goes to the next member with the credentials of the session, and comes back to a prompt ' +
      'that works',
    async () => {
      const terminal = await startMongosh([set.uri, '--quiet'], {
        env: place.env,
        columns: 120,
        rows: 30,
      });
      await terminal.waitFor(PROMPT, PATIENCE_MS);
      terminal.type(`${LOAD_TUNE}; "loaded"`);
      await terminal.waitFor(/loaded\s+[^\n]*> $/, PATIENCE_MS);
      const shown = async (pattern) => {
        const end = Date.now() + PATIENCE_MS;
        while (!pattern.test(terminal.screen())) {
          assert.ok(Date.now() < end, `${pattern} is not on the screen:\n${terminal.screen()}`);
          await pause(100);
        }
        return terminal.screen();
      };
      terminal.type('const seen = tune.watch({ everySeconds: 0.5 })');
      await shown(/▸\S+ primary[^]*m member/);
      terminal.write('m');
      const [, second] = /▸(\S+)/.exec(await shown(/▸\S+ secondary/));
      await shown(new RegExp(`^${second} +MongoDB \\S+ +secondary[^]* s ago +now`));
      terminal.write('q');
      await shown(/tune\.watch\(\{ everySeconds: 0\.5 \}\)\n[^]*> ?$/);
      terminal.type('"saw " + seen.host.split(":").at(-1)');
      await shown(new RegExp(`saw ${second.split(':')[1]}`));
      await terminal.close();
    },
  );
});
