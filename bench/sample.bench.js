'use strict';

const { startServer } = require('../test/support/server');
const { SAMPLE_STATUS } = require('../lib/server/pure/commands');
const { COUNTERS } = require('../lib/server/pure/counters');
const { cpuMs, median, show } = require('./kit');

/**
 * Server CPU of one sample, against serverStatus with every section switched off that this very
 * server has and no metric needs.
 */
const ROUNDS = 15;
const CALLS = 200;
const BAR_RATIO = 1.1;
const BAR_WATCH_PERCENT = 0.3;
const ALWAYS = new Set([
  'host',
  'version',
  'process',
  'service',
  'pid',
  'uptime',
  'uptimeMillis',
  'uptimeEstimate',
  'localTime',
  'ok',
]);

/** @param {string[]} sections that the server has */
function trimmed(sections) {
  const needed = new Set(
    Object.values(COUNTERS).flatMap(({ spellings }) => spellings.map(({ path }) => path[0])),
  );
  return {
    serverStatus: 1,
    ...Object.fromEntries(
      sections.filter((name) => !needed.has(name) && !ALWAYS.has(name)).map((name) => [name, 0]),
    ),
  };
}

async function run() {
  const server = await startServer();
  const cost = async (/** @type {object} */ command) => {
    const before = cpuMs(server.pid);
    for (let i = 0; i < CALLS; i++) await server.adminCommand(command);
    return (cpuMs(server.pid) - before) / CALLS;
  };
  const reference = trimmed(Object.keys(await server.adminCommand({ serverStatus: 1 })));
  await cost(SAMPLE_STATUS);
  const pairs = [];
  for (let i = 0; i < ROUNDS; i++)
    pairs.push({
      full: await cost({ serverStatus: 1 }),
      reference: await cost(reference),
      ours: await cost(SAMPLE_STATUS),
    });
  await server.stop();
  const ours = median(pairs.map((pair) => pair.ours));
  const ratio = median(pairs.map((pair) => pair.ours / pair.reference));
  const how =
    `server CPU, median of ${ROUNDS} rounds of ${CALLS} calls; ours ${ours.toFixed(2)} ms, a ` +
    `full serverStatus ${median(pairs.map((pair) => pair.full)).toFixed(2)} ms`;
  return [
    show({
      name: 'one sample against a trimmed serverStatus',
      value: ratio,
      bar: BAR_RATIO,
      unit: '×',
      how,
    }),
    show({
      name: 'watching once a second',
      value: ours / 10,
      bar: BAR_WATCH_PERCENT,
      unit: '% of a core',
      how: 'one sample a second',
    }),
  ];
}

module.exports = { run };
