'use strict';

const { startServer } = require('../test/support/server');
const { contextOf } = require('../test/support/context');
const { run: status } = require('../lib/commands/status');
const { median, timed, show } = require('./kit');

/** tune.status({ seconds: 1 }) from call to answer. */
const RUNS = 5;
const BAR_SECONDS = 1.2;

async function run() {
  const server = await startServer();
  const ctx = contextOf(server.client);
  const times = [];
  for (let i = 0; i < RUNS; i++) times.push(await timed(() => status(ctx, { seconds: 1 })));
  await server.stop();
  return [
    show({
      name: 'tune.status({ seconds: 1 })',
      value: median(times) / 1000,
      bar: BAR_SECONDS,
      unit: 's',
      how: `median of ${RUNS}`,
    }),
  ];
}

module.exports = { run };
