'use strict';

const fs = require('node:fs');
const { startServer } = require('../test/support/server');
const { contextOf } = require('../test/support/context');
const { run: who } = require('../lib/commands/who');
const { median, show } = require('./kit');

/**
 * What tune.who() costs the server: CPU time of the whole process while it runs, less that of as long a
 * time without it. The server does nothing else, so that the difference is not noise; it has as many
 * operations in progress and as full a log as a busy one.
 */
const SECONDS = 10;
const RUNS = 5;
/** In progress all the time; they sleep. */
const OPERATIONS = 50;
/** More lines than getLog keeps. */
const LOGGED = 1100;
/** Of the CPU time of one core. */
const BAR_PERCENT = 1;
/** In /proc/PID/stat, behind the name: user time, and that of the system behind it. */
const USER_AT = 11;
const MS_PER_TICK = 10;

/** Of the whole process, with threads that have ended. @param {number} pid @returns {number} ms */
function processMs(pid) {
  const fields = fs.readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1].split(' ');
  return (Number(fields[USER_AT]) + Number(fields[USER_AT + 1])) * MS_PER_TICK;
}

/** @param {number} pid @param {() => Promise<unknown>} work @returns {Promise<number>} ms a second */
async function load(pid, work) {
  const [began, before] = [performance.now(), processMs(pid)];
  await work();
  return ((processMs(pid) - before) * 1000) / (performance.now() - began);
}

async function run() {
  const server = await startServer();
  const ctx = contextOf(server.client);
  const collection = server.db('app').collection('c');
  await collection.insertOne({});
  const admin = server.db('admin');
  const sleeper = await server.connect(`${server.uri}&maxPoolSize=${OPERATIONS}`);
  // Slow operations in the log, none of them from within a window.
  await server.db('app').command({ profile: 0, slowms: 0 });
  for (let i = 0; i < LOGGED; i += 1) await collection.findOne({ n: i, shape: `s${i}` });
  await server.db('app').command({ profile: 0, slowms: 100 });
  const sleeping = Promise.allSettled(
    Array.from({ length: OPERATIONS }, () =>
      sleeper.db('app').collection('c').find({ $where: 'sleep(600000) || true' }).toArray(),
    ),
  );
  const quiet = () => new Promise((go) => setTimeout(go, SECONDS * 1000));
  await who(ctx, { seconds: 1 });
  const costs = [];
  for (let i = 0; i < RUNS; i += 1) {
    const without = await load(server.pid, quiet);
    costs.push((await load(server.pid, () => who(ctx, { seconds: SECONDS }))) - without);
  }
  await admin.command({ killAllSessions: [] }).catch(() => null);
  await server.stop();
  await sleeping;
  return [
    show({
      name: `tune.who({ seconds: ${SECONDS} }), CPU time of the server`,
      value: median(costs) / 10, // ms a second, in percent of a core
      bar: BAR_PERCENT,
      unit: '% of a core',
      how:
        `median of ${RUNS}, from ${(Math.min(...costs) / 10).toPrecision(2)} to ` +
        `${(Math.max(...costs) / 10).toPrecision(2)}; ${OPERATIONS} operations in progress`,
    }),
  ];
}

module.exports = { run };
