'use strict';

const assert = require('node:assert/strict');
const { listCommands } = require('../../lib/shell/registry');
const { startMongosh } = require('../support/mongosh');
const { startServer } = require('../support/server');
const { skipIf } = require('../support/skip');
const { whyNoTerminal } = require('../support/terminal');
const { LOAD_TUNE, makeTuneHome } = require('./support/place');

const COMMANDS = listCommands();

const pause = (ms) =>
  new Promise((resolve) => {
    setTimeout(resolve, ms);
  });
const PROMPT = /test> $/;

describe('tune at the prompt of a terminal', function () {
  this.timeout(120_000);
  let server;
  let place;
  let terminal;
  before(async function () {
    skipIf(this, whyNoTerminal());
    server = await startServer();
    place = makeTuneHome();
    terminal = await startMongosh([server.uri, '--quiet'], { env: place.env, columns: 120 });
    await terminal.waitFor(PROMPT);
    await type(LOAD_TUNE);
  });
  after(async () => {
    await terminal?.close();
    await server?.stop();
    place?.remove();
  });

  /** @param {string} line @returns {Promise<string>} what was printed until the next prompt */
  async function type(line) {
    const before = terminal.output.length;
    terminal.type(line);
    await terminal.waitFor(PROMPT);
    return terminal.output.slice(before);
  }
  /**
   * Presses TAB behind the text, and takes the text away again.
   * @param {string} text
   * @returns {Promise<string>} what the line became, and the list if there is one
   */
  async function tab(text, expected) {
    const before = terminal.output.length;
    terminal.write(text);
    // One key press at a time: readline takes text that comes in one piece with a TAB for pasted
    // text.
    await pause(300);
    terminal.write('\t');
    await pause(700);
    // The first TAB completes what is certain, the second one lists.
    terminal.write('\t');
    await terminal.waitFor(expected);
    const shown = terminal.output.slice(before);
    await clear();
    return shown;
  }
  /** A key that comes while the shell still looks for completions is lost. */
  async function clear() {
    for (let tries = 0; tries < 40; tries++) {
      terminal.write('\x05\x15');
      await pause(250);
      if (/(^|\n)test>$/.test(terminal.screen().trimEnd())) return;
    }
  }

  it('alone prints an overview, in colour what has colours', async () => {
    assert.match(await type('tune'), /tune \d+\.\d+\.\d+: .*[^]*tune\.help\(\)/);
    const before = terminal.raw.length;
    await type('tune.status({ seconds: 0.2 })');

    assert.match(terminal.raw.slice(before), /\x1b\[3\dm/);
  });

  it('prints a TuneError once, with its code and what to do', async () => {
    const text = await type('tune.status({ secs: 1 })');
    assert.equal(text.match(/TUNE-10001/g).length, 1);
    assert.match(text, /there is no option "secs"\. Allowed: seconds\./);
  });

  it('completes the names of commands after "tune."', async () => {
    const shown = await tab('tune.', /watch/);
    for (const name of Object.keys(COMMANDS)) assert.ok(shown.includes(`tune.${name}`), shown);
    assert.doesNotMatch(shown, /hasOwnProperty|__proto__/);
    await tab('tune.sta', /tune\.status/);
  });

  it('offers behind a command what it has, and nothing that every function has', async () => {
    const shown = await tab('tune.host.', /tune\.host\.help/);
    assert.match(shown, /tune\.host\.collect/);
    assert.doesNotMatch(shown, /apply|bind|call|prototype|toString|length/);
    await tab('tune.advise.', /tune\.advise\.help/);
  });

  it('completes command words, and their options', async () => {
    await tab('tune sta', /tune status/);
    const options = await tab('tune watch --', /--every[^]*--seconds|--seconds[^]*--everySeconds/);
    assert.doesNotMatch(options, /--confirm/);
    await tab('tune apply --cacheSizeGB 1 --conf', /--confirm/);
  });

  it('watch ends at Ctrl-C within a second, and the line has its value', async () => {
    terminal.type('const seen = tune.watch({ everySeconds: 0.2, screen: false })');
    await terminal.waitFor(/\d\d:\d\d:\d\d .*\n.*\d\d:\d\d:\d\d /);
    const pressed = Date.now();
    terminal.write('\x03');
    await terminal.waitFor(/Stopping execution\.\.\.[^]*test> $/);
    assert.ok(Date.now() - pressed < 1000, `${Date.now() - pressed} ms`);
    assert.match(await type('seen.samples >= 2 && seen === tune.last'), /true/);
    assert.match(terminal.screen(), /^test>$/m);
  });

  it('advise at Ctrl-C prints what it saw, keeps it, and does not run the rest of the line', async () => {
    terminal.type('const advice = tune.advise({ seconds: 30 }); print("NOT" + " HERE")');
    await pause(2500);
    terminal.write('\x03');
    await terminal.waitFor(
      /Stopping execution\.\.\.[^]*Interrupted after \d+ samples[^]*kept as tune\.last\.\s+test> /,
    );
    assert.match(
      await type('"it says " + tune.last.bottleneck + ", " + tune.last.window.samples'),
      /it says \w+, \d/,
    );
    assert.doesNotMatch(terminal.output, /NOT HERE/);
    assert.match(await type('db.adminCommand({ ping: 1 }).ok'), /1/);
  });
});
