'use strict';

const { startServer } = require('../test/support/server');
const { contextOf } = require('../test/support/context');
const { run: collections } = require('../lib/commands/collections');
const { timed, show } = require('./kit');

/**
 * tune.collections() over thousands of collections, its five seconds between the two samples
 * included, while some are written.
 */
const COLLECTIONS = 5000;
const MADE_AT_ONCE = 64;
const WRITTEN = 20;
const BAR_SECONDS = 20;
const BAR_IN_FLIGHT = 4;

async function run() {
  const server = await startServer({ args: ['--syncdelay', '0'] });
  const names = Array.from({ length: COLLECTIONS }, (_, i) => `c${i}`);
  while (names.length > 0)
    await Promise.all(
      names.splice(0, MADE_AT_ONCE).map((name) => server.db('many').createCollection(name)),
    );
  const { ctx, max } = counting(contextOf(server.client));
  let over = false;
  const writer = (async () => {
    for (let i = 0; !over; i++)
      await server
        .db('many')
        .collection(`c${i % WRITTEN}`)
        .insertOne({ i });
  })();
  let seen = 0;
  const ms = await timed(async () => {
    seen = (await collections(ctx)).collections;
  });
  over = true;
  await writer;
  await server.stop();
  return [
    show({
      name: `tune.collections() on ${COLLECTIONS}`,
      value: ms / 1000,
      bar: BAR_SECONDS,
      unit: 's',
      how: `${seen} collections seen`,
    }),
    show({
      name: 'its commands at once',
      value: max(),
      bar: BAR_IN_FLIGHT,
      unit: 'commands',
      how: 'at most',
    }),
    show({
      name: 'collections missed',
      value: Math.max(0, COLLECTIONS - seen),
      bar: 0,
      unit: 'collections',
      how: `of ${COLLECTIONS}`,
    }),
  ];
}

/**
 * @param {import('../lib/base/types').Context} ctx
 * @returns {{ ctx: import('../lib/base/types').Context, max(): number }} `max`: commands that were
 *   in flight at once
 */
function counting(ctx) {
  let flying = 0;
  let max = 0;
  const counted = async (/** @type {Promise<any>} */ running) => {
    max = Math.max(max, ++flying);
    return running.finally(() => {
      flying -= 1;
    });
  };
  const port = {
    adminCommand: (/** @type {any} */ c) => counted(ctx.port.adminCommand(c)),
    command: (/** @type {string} */ d, /** @type {any} */ c) => counted(ctx.port.command(d, c)),
  };
  return { ctx: { ...ctx, port }, max: () => max };
}

module.exports = { run };
