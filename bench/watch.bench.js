'use strict';

const { startServer } = require('../test/support/server');
const { contextOf } = require('../test/support/context');
const vm = require('node:vm');
const v8 = require('node:v8');
const { run: status } = require('../lib/commands/status');
const { run: watch } = require('../lib/commands/watch');
const { show } = require('./kit');

v8.setFlagsFromString('--expose-gc');
const collectGarbage = vm.runInNewContext('gc');

/**
 * An hour of watching once a second over recorded answers, with the clock running ahead: memory
 * after the first third must not grow.
 */
const SAMPLES = 3600;
const LOOKS_PER_MEASURE = 50;
/** What V8 keeps in reserve from one collection to the next, not what we keep. */
const BAR_MIB = 2;
const MIB = 2 ** 20;

/**
 * Answers a command once for real, and from memory ever after; only the uptime goes on.
 * @param {import('../lib/base/context').Port} real
 */
function recorded(real) {
  const answers = new Map();
  let ticks = 0;
  return {
    ...real,
    adminCommand: async (/** @type {Record<string, unknown>} */ command) => {
      const key = JSON.stringify(command);
      if (!answers.has(key)) answers.set(key, await real.adminCommand(command));
      const answer = answers.get(key);
      return answer.uptimeMillis === undefined
        ? answer
        : { ...answer, uptimeMillis: Number(answer.uptimeMillis) + ++ticks * 1000 };
    },
  };
}

/**
 * Timers fire at once and the clock jumps over what was waited.
 * @returns {() => void} puts the real ones back
 */
function hurry() {
  const [now, later] = [performance.now.bind(performance), setTimeout];
  let skipped = 0;
  performance.now = () => now() + skipped;
  globalThis.setTimeout = /** @type {any} */ (
    (/** @type {() => void} */ work, /** @type {number} */ ms) => {
      skipped += ms;
      return later(work, 0);
    }
  );
  return () => {
    performance.now = now;
    globalThis.setTimeout = later;
  };
}

async function run() {
  const server = await startServer();
  const real = contextOf(server.client);
  await status({ ...real }, { seconds: 0.2 });
  /** @type {number[]} */ const memory = [];
  let samples = 0;
  const stop = new AbortController();
  const write = () => {
    samples += 1;
    if (samples % LOOKS_PER_MEASURE === 0) memory.push(heap());
    if (samples >= SAMPLES) stop.abort();
  };
  const slow = hurry();
  await watch(
    {
      ...real,
      port: recorded(real.port),
      signal: stop.signal,
      terminal: { ...real.terminal, write },
    },
    { everySeconds: 1 },
  ).finally(slow);
  await server.stop();
  const third = Math.floor(memory.length / 3);
  const grown = Math.min(...memory.slice(-third)) - Math.min(...memory.slice(third, 2 * third));
  return [
    show({
      name: 'memory of an hour of watching',
      value: grown / MIB,
      bar: BAR_MIB,
      unit: 'MiB',
      how: `growth of the live heap from the second to the last third of ${samples} lines`,
    }),
  ];
}

function heap() {
  collectGarbage();
  return process.memoryUsage().heapUsed;
}

module.exports = { run };
