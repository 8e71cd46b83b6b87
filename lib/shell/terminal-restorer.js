'use strict';

const { spawn, spawnSync } = require('node:child_process');
const { LEAVE } = require('../report/pure/screen/frame');

/**
 * A process that dies by SIGKILL can not give its terminal back. So a small shell waits beside the
 * live screen, at the other end of a pipe: when the pipe ends without a word, the screen was
 * killed, and it puts back what was there. Shells such as bash and zsh put the modes of the
 * terminal back themselves, and then set their own; so it waits for them, and touches the modes
 * only if they are still those of the screen (neither lines nor Ctrl-C), as under dash.
 */

const OVER = 'over\n';
/**
 * In POSIX sh, but for the fraction. $1: what `stty -g` said before; $2: the control sequences. It
 * must outlive what ends the shell's other processes.
 */
const SCRIPT = [
  "trap '' INT QUIT HUP TERM TSTP TTIN TTOU",
  'IFS= read -r word; [ "$word" = over ] && exit 0',
  'printf "$2" >/dev/tty',
  'sleep 0.3 || sleep 1',
  'case $(stty -a </dev/tty) in *-isig*-icanon* | *-icanon*-isig*) stty "$1" </dev/tty ;; esac',
].join('\n');
/** ESC as printf of POSIX takes it. */
const OCTAL = LEAVE.replaceAll('\x1b', '\\033');

/**
 * To be called before the terminal is changed.
 * @returns {() => void} takes the guard away: the terminal was given back in order. Nothing where
 *   there is no sh or stty, as on Windows
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
  // Without it all works as well, as long as nobody kills us.
  guard.on('error', () => {});
  guard.stdin.on('error', () => {});
  guard.unref();
  /** @type {any} */ (guard.stdin).unref?.();
  return () => {
    guard.stdin.end(OVER);
  };
}

module.exports = { startGuard };
