'use strict';

const { makeFrames, ENTER, LEAVE } = require('../report/pure/screen/frame');
const { inkOn } = require('./ink');
const { startGuard } = require('./terminal-restorer');

/**
 * @import { Screen, ScreenHandlers } from '../base/context'
 */

/**
 * A screen of its own on the terminal, and the keys pressed on it. Whatever ends it or the process,
 * the terminal is as it was.
 * @typedef {{
 *   stdin: NodeJS.ReadStream, stdout: NodeJS.WriteStream, env?: NodeJS.ProcessEnv,
 *   guard?: () => () => void
 * }} Streams
 */

/** Signals that end a process which has no handler of its own. */
const DEADLY = Object.freeze(/** @type {NodeJS.Signals[]} */ (['SIGTERM', 'SIGHUP', 'SIGQUIT']));
const CTRL_C = '\x03';

/** @param {Streams} streams @returns {boolean} */
const canOpen = ({ stdin, stdout, env = process.env }) =>
  Boolean(stdin.isTTY && stdout.isTTY && env.TERM !== 'dumb');

/** @param {Streams} streams @param {ScreenHandlers} handlers @returns {Screen} */
function openScreen({ stdin, stdout, guard = startGuard }, { onKeys, onResize }) {
  const frames = makeFrames();
  const endGuard = guard();
  const redraw = () => {
    frames.forget();
    onResize();
  };
  let isOpen = true;
  function close() {
    if (!isOpen) return;
    isOpen = false;
    forget();
    giveBack();
    stdout.write(LEAVE);
    endGuard();
  }
  const giveBack = takeKeys(stdin, (text) => {
    if (text.includes(CTRL_C)) pressCtrlC(close);
    else onKeys(text);
  });
  const forget = listen([
    [stdout, 'resize', redraw],
    [process, 'exit', close],
    // Stopped from outside and gone on: the shell between has set the terminal its own way.
    [
      process,
      'SIGCONT',
      () => {
        stdin.setRawMode(false);
        stdin.setRawMode(true);
        stdout.write(ENTER);
        redraw();
      },
    ],
    ...DEADLY.map((signal) => closeOn(signal, close)),
  ]);
  stdout.write(ENTER);
  return {
    get columns() {
      return stdout.columns;
    },
    get rows() {
      return stdout.rows;
    },
    ink: inkOn(stdout),
    draw(lines) {
      const text = isOpen ? frames.next(lines, stdout.columns) : '';
      if (text !== '') stdout.write(text);
    },
    close,
  };
}

/**
 * @typedef {[NodeJS.EventEmitter, string, (...args: any[]) => void]} Listening
 * @param {readonly Listening[]} all
 * @returns {() => void}
 */
function listen(all) {
  for (const [emitter, event, listener] of all) emitter.on(event, listener);
  return () => {
    for (const [emitter, event, listener] of all) emitter.removeListener(event, listener);
  };
}

/**
 * A deadly signal ends the process, but not before the terminal was given back.
 * @param {NodeJS.Signals} signal
 * @param {() => void} close
 * @returns {Listening}
 */
const closeOn = (signal, close) => [
  process,
  signal,
  () => {
    close();
    dieBy(signal);
  },
];

/**
 * While a command runs, mongosh keeps what is typed for its next prompt. So its listeners are set
 * aside, and the terminal tells each key at once, without showing it.
 * @param {NodeJS.ReadStream} stdin
 * @param {(text: string) => void} onText
 * @returns {() => void} gives stdin back as it was
 */
function takeKeys(stdin, onText) {
  const wasRaw = stdin.isRaw;
  const wasFlowing = stdin.readableFlowing;
  const others = stdin.rawListeners('data');
  const listener = (/** @type {Buffer | string} */ chunk) => onText(chunk.toString());
  stdin.removeAllListeners('data');
  stdin.on('data', listener);
  stdin.setRawMode(true);
  stdin.resume();
  return () => {
    stdin.removeListener('data', listener);
    for (const other of others) stdin.on('data', /** @type {(chunk: unknown) => void} */ (other));
    stdin.setRawMode(wasRaw);
    if (!wasFlowing) stdin.pause();
  };
}

/**
 * What the terminal would have made of it: a signal. On Windows process.kill does not reach
 * handlers, so they are called.
 * @param {() => void} close
 */
function pressCtrlC(close) {
  if (process.listenerCount('SIGINT') > 0) return void process.emit('SIGINT', 'SIGINT');
  close();
  dieBy('SIGINT');
}

/** As if nobody had listened, unless somebody else does. @param {NodeJS.Signals} signal */
function dieBy(signal) {
  if (process.listenerCount(signal) === 0) process.kill(process.pid, signal);
}

module.exports = { openScreen, canOpen };
