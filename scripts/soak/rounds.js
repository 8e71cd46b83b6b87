'use strict';

const fs = require('node:fs');
const path = require('node:path');

/**
 * What a user does in weeks, one after the other and as short as it can be: so many rounds of each
 * in a hundred.
 * @typedef {{ tune: any, folder: string, cacheMB: number, uri: string, dbPath: string }} Place
 * @typedef {{ name: string, inHundred: number, run(place: Place): Promise<unknown> }} Round
 */

const SECONDS = 0.1;
let number = 0;

/** @type {readonly Round[]} */
const ROUNDS = Object.freeze([
  { name: 'status', inHundred: 30, run: ({ tune }) => tune.status({ seconds: SECONDS }) },
  { name: 'advise', inHundred: 10, run: ({ tune }) => tune.advise({ seconds: SECONDS }) },
  {
    name: 'watch',
    inHundred: 6,
    run: ({ tune }) => tune.watch({ everySeconds: SECONDS, seconds: 3 * SECONDS }),
  },
  { name: 'collections', inHundred: 8, run: ({ tune }) => tune.collections({ seconds: SECONDS }) },
  { name: 'checkpoints', inHundred: 2, run: ({ tune }) => tune.checkpoints({ seconds: 1 }) },
  { name: 'ttl', inHundred: 4, run: ({ tune }) => tune.ttl() },
  { name: 'config', inHundred: 8, run: ({ tune }) => tune.settings() },
  { name: 'conf', inHundred: 4, run: ({ tune }) => tune.mongodConf() },
  { name: 'history', inHundred: 4, run: ({ tune }) => tune.history() },
  {
    name: 'lint',
    inHundred: 4,
    run: ({ tune }) => tune.lint('eviction=(threads_min=4,threads_max=8)'),
  },
  { name: 'host', inHundred: 2, run: ({ tune }) => tune.host({ seconds: 1 }) },
  { name: 'check', inHundred: 4, run: ({ tune }) => tune.check?.({ seconds: SECONDS }) },
  { name: 'metrics', inHundred: 2, run: ({ tune }) => tune.metrics?.({ seconds: SECONDS }) },
  { name: 'members', inHundred: 3, run: ({ tune }) => tune.members({ seconds: SECONDS }) },
  {
    name: 'fleet',
    inHundred: 3,
    run: ({ tune, uri }) => tune.fleet([uri, uri], { seconds: SECONDS }),
  },
  { name: 'drift', inHundred: 2, run: ({ tune }) => tune.drift() },
  { name: 'ftdc', inHundred: 1, run: ({ tune, dbPath }) => tune.ftdc(dbPath) },
  { name: 'auto, shown', inHundred: 1, run: ({ tune }) => tune.auto({ seconds: 1 }) },
  {
    name: 'bench',
    inHundred: 0.25,
    run: ({ tune }) =>
      tune.bench({
        workload: 'ycsb-b',
        records: 500,
        seconds: 1,
        warmSeconds: 0.3,
        threads: 2,
        processes: 1,
        confirm: true,
        force: true,
      }),
  },
  { name: 'record, replay, report', inHundred: 2, run: recorded },
  { name: 'apply, shown', inHundred: 4, run: ({ tune }) => tune.apply({ evictionTarget: 75 }) },
  { name: 'apply and undo', inHundred: 2, run: applied },
  {
    name: 'refused',
    inHundred: 3,
    run: ({ tune }) =>
      tune.apply({ cacheSizeGB: -1 }).then(
        () => {
          throw new Error('it was taken');
        },
        (/** @type {any} */ error) => {
          if (error.code !== 'TUNE-30001') throw error;
        },
      ),
  },
  {
    name: 'trial',
    inHundred: 0.25,
    run: ({ tune, cacheMB }) =>
      tune.trial(
        { cacheSizeGB: (cacheMB + 16) / 1024 },
        { confirm: true, force: true, blocks: 4, blockSeconds: 1, keep: 'never' },
      ),
  },
  {
    name: 'rules, explain, help',
    inHundred: 2,
    run: async ({ tune }) => {
      String(await tune.rules());
      String(await tune.explain('dirty-ratio'));
      tune.status.help();
    },
  },
]);

/** @param {Place} place */
async function recorded({ tune, folder }) {
  const [file, page] = [`r${number}.ndjson.gz`, `r${number++}.html`].map((name) =>
    path.join(folder, name),
  );
  await tune.record(file, { seconds: 1, everySeconds: 0.5 });
  String(await tune.replay(file));
  await tune.report(page, { of: file });
  fs.rmSync(file);
  fs.rmSync(page);
}

/** @param {Place} place */
async function applied({ tune, cacheMB }) {
  const { id } = await tune.apply(
    { cacheSizeGB: (cacheMB + 16) / 1024 },
    { confirm: true, force: true },
  );
  const { verified } = await tune.undo(id, { confirm: true, force: true });
  if (verified !== true) throw new Error(`${id} was not taken back`);
}

/**
 * Which round comes when: spread evenly, the rare ones too.
 * @returns {() => Round}
 */
function makeOrder() {
  const due = ROUNDS.map(() => 0);
  return () => {
    ROUNDS.forEach(({ inHundred }, i) => {
      due[i] += inHundred;
    });
    const next = due.indexOf(Math.max(...due));
    due[next] -= ROUNDS.reduce((sum, { inHundred }) => sum + inHundred, 0);
    return ROUNDS[next];
  };
}

module.exports = { makeOrder };
