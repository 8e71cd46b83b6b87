'use strict';

const { EventEmitter } = require('node:events');
const path = require('node:path');

// mongosh's own class, so that the tests do not agree with a copy of ours. It is not exported by
// name.
const { InterruptFlag } = require(
  path.join(path.dirname(require.resolve('@mongosh/shell-api')), 'interruptor.js'),
);

/**
 * What of mongosh's instance state tune touches.
 * @param {{
 *   isInteractive?: boolean, json?: string,
 *   run?: (database: string, command: object) => Promise<unknown>
 * }} [options]
 */
function fakeState({ isInteractive = true, json, run = async () => ({ ok: 1 }) } = {}) {
  const state = {
    isInteractive,
    cliOptions: { json },
    currentDb: { _mongo: { _serviceProvider: { runCommandWithCheck: run } } },
    shellApi: {},
    // Only the mongosh of a terminal has it.
    evaluationListener: { onLoad: async () => {} },
    messageBus: new EventEmitter(),
    interrupted: new InterruptFlag(),
    closed: 0,
    async close() {
      this.closed += 1;
    },
  };
  return state;
}

/**
 * What mongosh does at Ctrl-C: handlers one by one, connections closed and opened, flag taken back.
 * @param {ReturnType<typeof fakeState>} state
 */
async function pressCtrlC(state) {
  await state.interrupted.set();
  state.interrupted.reset();
  state.messageBus.emit('mongosh:interrupt-complete');
}

/** A stream that keeps what is written. @param {{ isTTY?: boolean, columns?: number }} [facts] */
function fakeStream(facts = {}) {
  const stream = Object.assign(new EventEmitter(), facts, {
    text: '',
    write(text) {
      stream.text += text;
    },
  });
  return stream;
}

module.exports = { fakeState, fakeStream, pressCtrlC };
