'use strict';

const assert = require('node:assert/strict');
const { PassThrough } = require('node:stream');
const { canOpen, openScreen, inkOn, terminalOn } = require('../../../lib/shell/terminal');
const { drawScreen } = require('../../support/screen');
const { fakeStream } = require('../../support/fake-shell');

/** stdin of a terminal; what it gets is passed on as typed. */
function keyboard({ isRaw = false } = {}) {
  return Object.assign(new PassThrough(), {
    isTTY: true,
    isRaw,
    modes: [],
    setRawMode(mode) {
      this.isRaw = mode;
      this.modes.push(mode);
    },
  });
}

function open({ stdin = keyboard(), isRaw } = {}) {
  if (isRaw !== undefined) stdin.isRaw = isRaw;
  const stdout = fakeStream({ isTTY: true, columns: 20, rows: 5 });
  const seen = { keys: [], resized: 0, guarded: 0 };
  stdout.write('before');
  const screen = openScreen(
    {
      stdin,
      stdout,
      guard: () => {
        seen.guarded += 1;
        return () => {
          seen.guarded -= 1;
        };
      },
    },
    {
      onKeys: (text) => seen.keys.push(text),
      onResize: () => {
        seen.resized += 1;
      },
    },
  );
  return { stdin, stdout, seen, screen, shown: () => drawScreen(stdout.text, 20, 5) };
}
const tick = () =>
  new Promise((resolve) => {
    setTimeout(resolve, 10);
  });
const of = (text) => [{ text, width: text.length }];

describe('shell/terminal', () => {
  it('draws on a screen of its own, and gives back what was there', () => {
    const { screen, shown, seen } = open();
    screen.draw(of('hello'));
    assert.deepEqual([shown(), seen.guarded], ['hello', 1]);
    screen.close();
    screen.close();
    screen.draw(of('too late'));
    assert.deepEqual([shown(), seen.guarded], ['before', 0]);
  });

  it('hides the cursor and shows it again', () => {
    const { screen, stdout } = open();
    screen.close();
    assert.ok(stdout.text.indexOf('\x1b[?25l') < stdout.text.indexOf('\x1b[?25h'));
  });

  it('takes the keys, and gives stdin back with its listeners and its modes', async () => {
    const stdin = keyboard();
    const typed = [];
    stdin.on('data', (text) => typed.push(String(text)));
    const { screen, seen } = open({ stdin });
    assert.ok(stdin.isRaw);
    stdin.write('q');
    await tick();
    screen.close();
    stdin.write('1+1');
    await tick();
    assert.deepEqual(
      [seen.keys, typed, stdin.isRaw, stdin.readableFlowing],
      [['q'], ['1+1'], false, true],
    );
  });

  it('leaves a stdin that nobody reads alone afterwards', () => {
    const { screen, stdin } = open();
    assert.equal(stdin.readableFlowing, true);
    screen.close();
    assert.deepEqual([stdin.listenerCount('data'), stdin.isPaused()], [0, true]);
  });

  it('lets Ctrl-C do what it does', async () => {
    const { screen, stdin, seen } = open();
    let pressed = 0;
    // mocha listens, too, and would end the run.
    const others = process.rawListeners('SIGINT');
    process.removeAllListeners('SIGINT');
    process.on('SIGINT', () => {
      pressed += 1;
    });
    stdin.write('\x03');
    await tick();
    process.removeAllListeners('SIGINT');
    for (const other of others) process.on('SIGINT', /** @type {any} */ (other));
    screen.close();
    assert.deepEqual([pressed, seen.keys], [1, []]);
  });

  it('draws anew when the window is another size, or the shell had stopped it', () => {
    const { screen, stdout, stdin, seen, shown } = open();
    screen.draw(of('hello'));
    stdout.emit('resize');
    screen.draw(of('hello'));
    assert.equal(seen.resized, 1);
    stdout.text += '\x1b[2J';
    process.emit('SIGCONT');
    screen.draw(of('hello'));
    assert.deepEqual([seen.resized, shown(), stdin.modes], [2, 'hello', [true, false, true]]);
    screen.close();
  });

  it('gives the terminal back when the process ends, or is told to by somebody who listens', () => {
    const listener = () => {};
    process.on('SIGTERM', listener);
    for (const event of ['exit', 'SIGTERM']) {
      const { shown, screen } = open();
      screen.draw(of('hello'));
      process.listeners(event).at(-1)(event);
      assert.equal(shown(), 'before', event);
    }
    process.removeListener('SIGTERM', listener);
  });

  it('leaves no listener behind', () => {
    const count = () =>
      ['exit', 'SIGCONT', 'SIGTERM', 'SIGHUP', 'SIGQUIT', 'SIGINT'].map((event) =>
        process.listenerCount(event),
      );
    const before = count();
    const { screen, stdout } = open();
    assert.notDeepEqual(count(), before);
    screen.close();
    assert.deepEqual([count(), stdout.listenerCount('resize')], [before, 0]);
  });

  for (const [what, streams, expected] of [
    ['a terminal', {}, true],
    ['a dumb terminal', { env: { TERM: 'dumb' } }, false],
    ['keys from elsewhere', { stdin: {} }, false],
    ['a file', { stdout: {} }, false],
  ])
    it(`${expected ? 'can' : 'cannot'} be opened on ${what}`, () =>
      assert.equal(
        canOpen({
          stdin: { isTTY: true },
          stdout: { isTTY: true },
          env: { TERM: 'xterm' },
          ...streams,
        }),
        expected,
      ));

  it('is offered by a terminal that has keys', () => {
    const stdout = fakeStream({ isTTY: true, columns: 80, rows: 24 });
    assert.equal(terminalOn(stdout).openScreen, undefined);
    assert.equal(terminalOn(stdout, { isTTY: false }).openScreen, undefined);
  });
});

describe('shell/terminal: colours', () => {
  it('has the colours of util.inspect, where the terminal has colours', () => {
    const ink = inkOn({ hasColors: () => true });
    assert.deepEqual(
      [ink('a', 'good'), ink('a', 'strong')],
      ['\x1b[32ma\x1b[39m', '\x1b[1ma\x1b[22m'],
    );
    assert.equal(inkOn({ hasColors: () => false })('a', 'good'), 'a');
    assert.equal(inkOn({})('a', 'good'), 'a');
  });
});
