'use strict';

const { setMaxListeners } = require('node:events');
const { TuneError } = require('./pure/errors');

/**
 * @import { Ink, Context } from './types'
 */

/**
 * The only doors out of a command. Below `shell/` nothing knows mongosh: a port is made from the
 * shell's service provider, from a NodeDriverServiceProvider or from a driver's client, and errors
 * come through it as the driver throws them.
 *
 * @typedef {{
 *   adminCommand(command: Record<string, unknown>): Promise<any>,
 *   command(
 *     database: string, command: Record<string, unknown>, options?: Record<string, unknown>
 *   ): Promise<any>,
 *   readonly isHeld?: boolean
 * }} Port `command` throws unless the server answers ok: 1; `options`: how the driver reads the
 *   answer, where it can; `isHeld`: all of it goes over one connection, to one process
 *
 * @typedef {Port & {
 *   aggregate(
 *     database: string, collection: string, pipeline: object[], options?: Record<string, unknown>
 *   ): DocumentCursor,
 *   watch(database: string, pipeline: object[], options?: Record<string, unknown>): EventCursor,
 *   transaction(): Transaction, maxConnections?(): number | null
 * }} DataPort what moves data needs besides; `watch` follows a whole database, since a stream of one
 *   collection cannot be taken up again once that has another name; `maxConnections`: at once, null:
 *   not known
 *
 * @typedef {{
 *   readonly session: unknown,
 *   command(database: string, command: Record<string, unknown>): Promise<any>,
 *   commit(): Promise<void>, abort(): Promise<void>
 * }} Transaction
 *   the first command begins it; `session`: what killSessions ends it by; `abort` never rejects,
 *   and may be called when it is over
 *
 * @typedef {{ tryNext(): Promise<any | null>, toArray(): Promise<any[]>, close(): Promise<void> }}
 *   DocumentCursor null: no more
 * @typedef {{
 *   tryNext(): Promise<any | null>, close(): Promise<void>, readonly resumeToken: unknown
 * }} EventCursor null: none at the moment
 *
 * @typedef {{ onKeys(text: string): void, onResize(): void }} ScreenHandlers `onKeys`: what was
 *   typed, Ctrl-C apart, which does what it always does
 * @typedef {{
 *   readonly columns: number, readonly rows: number, ink: Ink,
 *   draw(lines: readonly { text: string, width: number }[]): void, close(): void
 * }} Screen `draw`: what the whole screen shows now; `close`: gives the terminal back as it was,
 *   may be called twice
 *
 * @typedef {{
 *   isTTY: boolean, columns: number, rows?: number, write(text: string): void,
 *   openScreen?: (handlers: ScreenHandlers) => Screen
 * }} Terminal `openScreen`: absent where there is no terminal to draw on and to take keys from
 *
 * @typedef {{ port: Port, close(): Promise<unknown>, hold?(): Promise<boolean>, isLost?(): boolean }}
 *   Connected `hold`: from then on no command goes over another connection than the one there is,
 *   where it answers true; `isLost`: that has ended
 */

/** @typedef {Context & { port: DataPort }} DataContext */

/**
 * Waits, unless it is interrupted.
 * @param {number} ms @param {AbortSignal} signal
 * @returns {Promise<void>} rejects with TUNE-30009 at once when the signal is or gets aborted
 */
function sleep(ms, signal) {
  return new Promise((resolve, reject) => {
    if (signal.aborted) return void reject(interrupted());
    const stop = () => {
      clearTimeout(timer);
      reject(interrupted());
    };
    const timer = setTimeout(() => {
      signal.removeEventListener('abort', stop);
      resolve();
    }, ms);
    // Many that wait for one signal at once are no leak, of which Node would warn.
    setMaxListeners(0, signal);
    signal.addEventListener('abort', stop, { once: true });
  });
}

/** @returns {TuneError} */
const interrupted = () => new TuneError('TUNE-30009', 'Interrupted.');

module.exports = { sleep, interrupted };
