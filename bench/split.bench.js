'use strict';

const path = require('node:path');
const { spawn } = require('node:child_process');
const { filled, splitOf } = require('./split-kit');
const { median, timed, show } = require('./kit');

/**
 * Copy and indexes against what people do instead, on the same server and data, in turn:
 * `mongodump | mongorestore` with four workers (MONGO_TOOLS: the folder that has both) and
 * renameCollection to another database.
 */
const DOCUMENTS = Number(process.env.SPLIT_DOCUMENTS || 1_000_000);
const ROUNDS = Number(process.env.SPLIT_ROUNDS || 3);
/** 353 bytes with it. */
const PAD_BYTES = 240;
const TIMES_DUMP = 1.2;
const TIMES_RENAME = 4;
const BAR_CORES = 0.05;
const BAR_MB = 150;

async function run() {
  const server = await filled({ documents: DOCUMENTS, padBytes: PAD_BYTES });
  try {
    const rounds = [];
    for (let round = 0; round < ROUNDS; round += 1) rounds.push(await oneRound(server, round));
    const rename = await timed(() =>
      server.adminCommand({ renameCollection: 'shop.events', to: 'renamed.events' }),
    );
    return judge(rounds, rename);
  } finally {
    await server.stop();
  }
}

/** @typedef {{ ours: Awaited<ReturnType<typeof splitOf>>, dumpMs: number | null }} Round */

/**
 * @param {Awaited<ReturnType<typeof filled>>} server
 * @param {number} round
 * @returns {Promise<Round>}
 */
async function oneRound(server, round) {
  const ours = async () => {
    const done = await splitOf(server.uri, `ours${round}`);
    await abort(server, done.id);
    return done;
  };
  const foreign = async () => {
    if (!process.env.MONGO_TOOLS) return null;
    const ms = await timed(() => dumpAndRestore(server.uri, `theirs${round}`));
    await server.db(`theirs${round}`).dropDatabase();
    return ms;
  };
  if (round % 2 === 0) return { ours: await ours(), dumpMs: await foreign() };
  const dumpMs = await foreign();
  return { ours: await ours(), dumpMs };
}

/** @param {Awaited<ReturnType<typeof filled>>} server @param {string} id */
async function abort(server, id) {
  const { tune } = require('../lib/node');
  await tune(server.client).split.abort(id, { confirm: true });
}

/** @param {string} uri @param {string} into @returns {Promise<void>} */
function dumpAndRestore(uri, into) {
  const [dump, restore] = ['mongodump', 'mongorestore'].map((name) =>
    path.join(String(process.env.MONGO_TOOLS), name),
  );
  const line =
    `"${dump}" --quiet --uri "${uri}" --db shop --collection events --archive | "${restore}" ` +
    `--quiet --uri "${uri}" --archive --numInsertionWorkersPerCollection 4 --nsInclude ` +
    `shop.events --nsFrom shop.events --nsTo ${into}.events`;
  return new Promise((resolve, reject) => {
    spawn('bash', ['-o', 'pipefail', '-c', line], { stdio: ['ignore', 'ignore', 'inherit'] })
      .on('error', reject)
      .on('close', (code) =>
        code === 0 ? resolve() : reject(new Error(`mongodump | mongorestore ended with ${code}`)),
      );
  });
}

/** @param {Round[]} rounds @param {number} renameMs */
function judge(rounds, renameMs) {
  const ms = median(rounds.map(({ ours }) => ours.ms));
  const how =
    `${DOCUMENTS} documents of 353 bytes, 3 indexes, ${rounds[0].ours.method}: ` +
    `${rounds.map(({ ours }) => (ours.ms / 1000).toFixed(1)).join(', ')} s`;
  const dumps = rounds.flatMap(({ ours, dumpMs }) =>
    dumpMs === null ? [] : [{ ratio: ours.ms / dumpMs, dumpMs }],
  );
  if (dumps.length === 0) console.log('skip  mongodump | mongorestore: MONGO_TOOLS is not set');
  return [
    ...(dumps.length > 0
      ? [
          show({
            name: 'a split against mongodump | mongorestore with 4 workers',
            value: median(dumps.map(({ ratio }) => ratio)),
            bar: Number((1 / TIMES_DUMP).toFixed(3)),
            unit: '× its time',
            how:
              `${how}; theirs ` +
              `${dumps.map(({ dumpMs }) => (dumpMs / 1000).toFixed(1)).join(', ')} s`,
          }),
        ]
      : []),
    show({
      name: 'a split against renameCollection',
      value: ms / renameMs,
      bar: 1 / TIMES_RENAME,
      unit: '× its time',
      how: `${(renameMs / 1000).toFixed(1)} s, once`,
    }),
    show({
      name: 'processor time of the client',
      value: median(rounds.map(({ ours }) => ours.cores)),
      bar: BAR_CORES,
      unit: 'cores',
      how: 'while it runs',
    }),
    show({
      name: 'memory of the client',
      value: Math.max(...rounds.map(({ ours }) => ours.peakMB)),
      bar: BAR_MB,
      unit: 'MB',
      how: 'at most, with Node.js and the driver',
    }),
  ];
}

module.exports = { run };
