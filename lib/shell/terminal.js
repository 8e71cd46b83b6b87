'use strict';

const { spawn, spawnSync } = require('node:child_process');
const { inspect } = require('node:util');
const { visible } = require('../base/pure/printable');
const { makeFrames, ENTER, LEAVE } = require('../report/pure/screen/frame');
const { STYLES } = require('../text/report');

/**
 * @import { Terminal, Screen, ScreenHandlers } from '../base/context'
 * @import { Ink } from '../base/types'
 */

/** The width of a terminal that does not report one. */
const DEFAULT_COLUMNS = 80;
const CLEAR_LINE = '\r\x1b[K';

/** @typedef {Pick<NodeJS.WriteStream, 'write' | 'isTTY' | 'columns' | 'rows'>} Stream */

/**
 * Makes the terminal that commands use.
 * @param {Stream} stream
 * @param {NodeJS.ReadStream} [stdin] the source of keys; without it there is no live screen
 * @returns {Terminal} its size is read at every use, for a window can be resized
 */
const terminalOn = (stream, stdin) => ({
  get isTTY() {
    return Boolean(stream.isTTY);
  },
  get columns() {
    return stream.columns || DEFAULT_COLUMNS;
  },
  get rows() {
    return stream.rows;
  },
  write: (text) => {
    stream.write(text);
  },
  get openScreen() {
    return stdin && screenOn({ stdin, stdout: /** @type {NodeJS.WriteStream} */ (stream) });
  },
});

/**
 * Finds the function that opens the live screen, where there can be one.
 * @param {Streams} streams
 * @returns {Terminal['openScreen']}
 */
function screenOn(streams) {
  const { canOpen, openScreen } = require('./terminal');
  return canOpen(streams) ? (handlers) => openScreen(streams, handlers) : undefined;
}

/**
 * Shows one line that replaces the one before; nothing at all unless the stream is a terminal.
 * @param {Stream} stream
 * @returns {(text: string | null) => void} null removes the line
 */
function progressOn(stream) {
  let shown = false;
  return (text) => {
    if (!stream.isTTY || (text === null && !shown)) return;
    // A wrapped line could not be replaced, and a name that the server reports must not move the
    // cursor.
    const fits = visible(text ?? '').slice(0, (stream.columns || DEFAULT_COLUMNS) - 1);
    stream.write(CLEAR_LINE + fits);
    shown = text !== null;
  };
}

/**
 * Opens a separate screen on the terminal, and reads the keys pressed on it. However it or the
 * process ends, the terminal is restored.
 * @typedef {{
 *   stdin: NodeJS.ReadStream, stdout: NodeJS.WriteStream, env?: NodeJS.ProcessEnv,
 *   guard?: () => () => void
 * }} Streams
 */

/** These signals end a process that does not handle them. */
const DEADLY = Object.freeze(/** @type {NodeJS.Signals[]} */ (['SIGTERM', 'SIGHUP', 'SIGQUIT']));
const CTRL_C = '\x03';

/** @param {Streams} streams @returns {boolean} */
const canOpen = ({ stdin, stdout, env = process.env }) =>
  Boolean(stdin.isTTY && stdout.isTTY && env.TERM !== 'dumb');

/**
 * Opens the live screen.
 * @param {Streams} streams
 * @param {ScreenHandlers} handlers
 * @returns {Screen}
 */
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
    // The process was stopped and continued: the shell in between has set the terminal its own way.
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
 * Adds listeners.
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
 * Lets a deadly signal end the process after the terminal was restored.
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
 * Takes the keys. While a command runs, mongosh keeps typed text for its next prompt: so its
 * listeners are set aside, and the terminal passes each key at once, without showing it.
 * @param {NodeJS.ReadStream} stdin
 * @param {(text: string) => void} onText
 * @returns {() => void} restores stdin
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
 * Sends the signal that the terminal would have made of the key. On Windows process.kill does not
 * reach handlers, so they are called.
 * @param {() => void} close
 */
function pressCtrlC(close) {
  if (process.listenerCount('SIGINT') > 0) return void process.emit('SIGINT', 'SIGINT');
  close();
  dieBy('SIGINT');
}

/** Ends the process by the signal, unless another handler exists. @param {NodeJS.Signals} signal */
function dieBy(signal) {
  if (process.listenerCount(signal) === 0) process.kill(process.pid, signal);
}

/**
 * Makes the colours of a terminal: the palette of util.inspect, which all output of tune has.
 * @param {Partial<Pick<NodeJS.WriteStream, 'hasColors'>>} stream `hasColors` knows NO_COLOR and
 *   TERM
 * @returns {Ink}
 */
function inkOn(stream) {
  if (!stream.hasColors?.()) return (text) => text;
  return (text, tone) => {
    const [on, off] = tone === 'strong' ? (inspect.colors.bold ?? [1, 22]) : colourOf(STYLES[tone]);
    return `\x1b[${on}m${text}\x1b[${off}m`;
  };
}

/** @param {string} style a style of util.inspect @returns {readonly [number, number]} */
const colourOf = (style) =>
  /** @type {any} */ (inspect.colors)[/** @type {any} */ (inspect.styles)[style]] ?? [0, 0];

const OVER = 'over\n';
/**
 * A script in POSIX sh, but for the fraction. $1: the output of `stty -g` before; $2: the control
 * sequences. It must outlive what ends the shell's other processes.
 */
const SCRIPT = [
  "trap '' INT QUIT HUP TERM TSTP TTIN TTOU",
  'IFS= read -r word; [ "$word" = over ] && exit 0',
  'printf "$2" >/dev/tty',
  'sleep 0.3 || sleep 1',
  'case $(stty -a </dev/tty) in *-isig*-icanon* | *-icanon*-isig*) stty "$1" </dev/tty ;; esac',
].join('\n');
/** ESC in the form that printf of POSIX takes. */
const OCTAL = LEAVE.replaceAll('\x1b', '\\033');

/**
 * Starts a small shell that restores the terminal should this process be killed. It waits at the
 * other end of a pipe: when the pipe ends without a word, it restores the earlier state. Shells
 * such as bash set the modes of the terminal themselves; so it waits for them, and changes the
 * modes only if they are still those of the screen (neither lines nor Ctrl-C), as under dash. Call
 * it before the terminal is changed.
 * @returns {() => void} ends the guard, because the terminal was restored in order; it does nothing
 *   where there is no sh or stty, as on Windows
 */
function startGuard() {
  const { status, stdout } = spawnSync('stty', ['-g'], {
    stdio: ['inherit', 'pipe', 'ignore'],
    encoding: 'utf8',
  });
  if (status !== 0) return () => {};
  const guard = spawn('sh', ['-c', SCRIPT, 'tune', stdout.trim(), OCTAL], {
    stdio: ['pipe', 'ignore', 'ignore'],
  });
  // All works without the guard, unless this process is killed.
  guard.on('error', () => {});
  guard.stdin.on('error', () => {});
  guard.unref();
  /** @type {any} */ (guard.stdin).unref?.();
  return () => {
    guard.stdin.end(OVER);
  };
}

module.exports = { terminalOn, progressOn, openScreen, canOpen, inkOn };
