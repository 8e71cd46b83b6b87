'use strict';

const path = require('node:path');
const { startServer } = require('../test/support/server');
const { contextOf } = require('../test/support/context');
const { makeHome, runMongosh } = require('../test/support/mongosh');
const { run: check } = require('../lib/commands/check');
const { median, timed, show } = require('./kit');

/**
 * tune.check({ seconds: 1 }) from call to answer, over a connection that is there; and check.js as
 * a monitor runs it, against what a user would write instead: a script for mongosh that takes two
 * serverStatus a second apart and prints the difference of one counter.
 */
const RUNS = 7;
const BAR_SECONDS = 1.5;
const BAR_RATIO = 1.25;
const SCRIPT = path.join(__dirname, '../snippets/check.js');
const BY_HAND =
  'const a = db.serverStatus(); sleep(1000); const b = db.serverStatus(); ' +
  'print(b.opcounters.query - a.opcounters.query); quit(0)';

async function run() {
  const server = await startServer();
  const home = makeHome();
  try {
    const times = [];
    for (let i = 0; i < RUNS; i++)
      times.push(await timed(() => check(contextOf(server.client), { seconds: 1 })));
    const mongosh = (/** @type {string[]} */ args) =>
      timed(() =>
        runMongosh([server.uri, '--quiet', ...args], { home: home.path, coverage: false }),
      );
    /** @type {{ ours: number, byHand: number }[]} */
    const pairs = [];
    // In turn, so that both see the same machine.
    for (let i = 0; i < RUNS; i++)
      pairs.push({
        ours: await mongosh(['--file', SCRIPT]),
        byHand: await mongosh(['--eval', BY_HAND]),
      });
    const [ours, byHand] = [
      median(pairs.map((pair) => pair.ours)),
      median(pairs.map((pair) => pair.byHand)),
    ];
    return [
      show({
        name: 'tune.check({ seconds: 1 })',
        value: median(times) / 1000,
        bar: BAR_SECONDS,
        unit: 's',
        how: `median of ${RUNS}, the slowest ${(Math.max(...times) / 1000).toFixed(2)} s`,
      }),
      show({
        name: 'mongosh --file check.js ÷ two serverStatus by hand',
        value: median(pairs.map((pair) => pair.ours / pair.byHand)),
        bar: BAR_RATIO,
        unit: '×',
        how:
          `median of ${RUNS} pairs in turn; ${(ours / 1000).toFixed(2)} s against ` +
          `${(byHand / 1000).toFixed(2)} s`,
      }),
    ];
  } finally {
    await server.stop();
    home.remove();
  }
}

module.exports = { run };
