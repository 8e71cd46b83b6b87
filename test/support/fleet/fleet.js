'use strict';

const { fork } = require('node:child_process');
const { once } = require('node:events');
const fs = require('node:fs');
const path = require('node:path');
const { serialize } = require('bson');
const { endWithProcess, temporaryFolder } = require('../cleanup');
const { contextOf } = require('../context');
const { observe } = require('../../../lib/observe/observe');
const { keyOf } = require('./answers');

/**
 * @import { Kind } from './answers'
 * @import { MongoClient } from 'mongodb'
 */

/** @typedef {{ uri: string, kind: Kind }} Simulated */

/** Of a hundred servers; the rest is well. @type {readonly [Kind, number][]} */
const OF_A_HUNDRED = Object.freeze([
  ['busy', 10],
  ['dead', 4],
  ['refusing', 4],
  ['slow', 2],
]);
/** What those with a login are logged in with, and nobody may ever see. */
const PASSWORD = 's3cret-of-the-fleet';

/**
 * Of server number 0, 1, 2 …: the same kinds again each hundred, spread out.
 * @param {number} number
 * @returns {Kind}
 */
function kindOf(number) {
  let at = (number * 61) % 100;
  for (const [kind, share] of OF_A_HUNDRED) {
    if (at < share) return kind;
    at -= share;
  }
  return 'well';
}

/**
 * What a real server answers to all that is asked of one server of a fleet.
 * @param {MongoClient} client @returns {Promise<{ key: string, answer: any }[]>}
 */
async function record(client) {
  const ctx = contextOf(client);
  const answers = new Map();
  const adminCommand = async (/** @type {Record<string, unknown>} */ command) => {
    const answer = await ctx.port.adminCommand(command);
    answers.set(keyOf(command), answer);
    return answer;
  };
  await observe(
    { ...ctx, port: { ...ctx.port, adminCommand } },
    { seconds: 0.2, every: 0.1, machineLevel: 'diagnostics' },
  );
  await adminCommand({ buildInfo: 1 });
  return [...answers].map(([key, answer]) => ({ key, answer }));
}

/**
 * @param {MongoClient} client of a real server, whose answers are given
 * @param {{ servers: number, kinds?: readonly Kind[] }} options
 * @returns {Promise<{ servers: Simulated[], stop(): Promise<void> }>}
 */
async function startFleet(
  client,
  { servers: number, kinds = Array.from({ length: number }, (_, i) => kindOf(i)) },
) {
  const folder = temporaryFolder('fleet');
  const file = path.join(folder.path, 'answers.bson');
  fs.writeFileSync(file, serialize({ answers: await record(client) }));
  const child = fork(path.join(__dirname, 'simulator.js'), [file, JSON.stringify(kinds)], {
    execArgv: [],
  });
  const forget = endWithProcess(() => child.kill('SIGKILL'));
  const [message] = await Promise.race([
    once(child, 'message'),
    once(child, 'exit').then(() => {
      throw new Error('the simulator ended');
    }),
  ]);
  return {
    servers: message.ports.map((port, i) => ({
      kind: kinds[i],
      uri: `mongodb://${kinds[i] === 'refusing' ? `watcher:${PASSWORD}@` : ''}127.0.0.1:${port}/`,
    })),
    async stop() {
      forget();
      if (child.exitCode === null) {
        child.kill('SIGKILL');
        await once(child, 'exit');
      }
      folder.remove();
    },
  };
}

module.exports = { startFleet, kindOf, PASSWORD };
