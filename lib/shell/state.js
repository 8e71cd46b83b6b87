'use strict';

/**
 * @import { EventEmitter } from 'node:events'
 */

const STATE = Symbol.for('@@mongosh.instanceState');

/**
 * The parts of mongosh's ShellInstanceState that tune uses. It holds the password of the connection
 * too (cliOptions): never print it.
 * @typedef {{
 *   isInteractive: boolean, currentDb: any, initialServiceProvider?: any,
 *   cliOptions: { json?: unknown }, shellApi: Record<string, any>,
 *   evaluationListener?: { onExit?(code: number): Promise<unknown>, runtimeState?(): { repl?:
 *     unknown }, ioProvider?: { close?(): Promise<void> } },
 *   messageBus: EventEmitter, close(): Promise<void>,
 *   interrupted: { isSet(): boolean, checkpoint(): void, withOverrideInterruptBehavior<T>(run: ()
 *     => Promise<T>, onInterrupt: () => Promise<void>): Promise<T>, },
 * }} State
 */

/**
 * @param {any} shell the global object of mongosh
 * @returns {State | undefined} undefined outside mongosh
 */
function findState(shell) {
  // The symbol came with mongosh 1.x; `config` is the older way. Neither touches `db`, which throws
  // in --nodb.
  return shell?.[STATE] ?? shell?.config?._instanceState;
}

module.exports = { findState };
