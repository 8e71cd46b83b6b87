'use strict';

/**
 * A shell as a process of its own, which can be stopped, set going again and killed. Its lease, and
 * the calls that must not outlive it, are shorter than in real life, all by about the same factor,
 * so that a round does not take minutes.
 */
const fs = require('node:fs');
const Module = require('node:module');
const path = require('node:path');
const { fork } = require('node:child_process');
const { MongoClient, BSON } = require('mongodb');
const { endWithProcess, killNow } = require('../support/cleanup');

const LEASE_MS = 10_000;
/** What stands in lib/split, and what it is here. @type {readonly [string, RegExp, string][]} */
const SHORTER = Object.freeze([
  ['lease.js', /leaseMs: 45_000, renewEveryMs: 8_000/, `leaseMs: ${LEASE_MS}, renewEveryMs: 1_800`],
  ['server.js', /const CALL_MS = 20_000;/, 'const CALL_MS = 4_500;'],
]);

/** @typedef {{ verb: string, first: string, options: string }} Job both as extended JSON */
/** @typedef {{ ok: boolean, code: string | number | null, message: string }} Ended */

function shortenTimes() {
  const folder = path.join(__dirname, '../../lib/split');
  for (const name of new Set(SHORTER.map(([file]) => file))) {
    const file = path.join(folder, name);
    const source = SHORTER.filter(([one]) => one === name).reduce(
      (text, [, from, to]) => {
        if (!from.test(text)) throw new Error(`lib/split/${name} has no ${from} any more`);
        return text.replace(from, to);
      },
      fs.readFileSync(file, 'utf8'),
    );
    const made = new Module(file, module);
    Object.assign(made, { filename: file, paths: module.paths });
    require.cache[file] = made;
    /** @type {any} */ (made)._compile(source, file);
    made.loaded = true;
  }
}

/** @param {MongoClient} client @param {Job} job @returns {Promise<Ended>} */
async function applyPlan(client, { verb, first, options }) {
  const { contextOf } = require('../support/context');
  try {
    await require(`../../lib/commands/split-${verb}`).run(
      contextOf(client),
      BSON.EJSON.parse(first),
      BSON.EJSON.parse(options),
    );
    return { ok: true, code: null, message: '' };
  } catch (error) {
    return { ok: false, code: error.code ?? error.name, message: String(error.message) };
  }
}

/** @param {string} uri @param {string} name */
async function serve(uri, name) {
  shortenTimes();
  const client = await new MongoClient(uri, { appName: name }).connect();
  process.on('message', async (job) =>
    process.send?.(await applyPlan(client, /** @type {Job} */ (job))),
  );
  process.once('disconnect', () => process.exit());
  process.send?.('ready');
}

if (require.main === module) void serve(process.argv[2], process.argv[3]);

/** @typedef {Awaited<ReturnType<typeof startShell>>} Shell */

/** @param {string} uri @param {string} name */
async function startShell(uri, name) {
  const child = fork(__filename, [uri, name], {
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    env: { ...process.env, TUNE_TEST_LEASE_MS: String(LEASE_MS) },
  });
  const forget = endWithProcess(() => killNow([child]));
  const gone = new Promise((resolve) => {
    child.once('exit', () => resolve({ ok: false, code: 'gone', message: 'the shell is gone' }));
  });
  await Promise.race([
    new Promise((resolve) => {
      child.once('message', resolve);
    }),
    gone,
  ]);
  const state = { stopped: false, gone: false };
  void gone.then(() => {
    state.gone = true;
    forget();
  });
  return {
    name,
    state,
    /**
     * One at a time.
     * @param {string} verb
     * @param {unknown} first
     * @param {object} [options]
     * @returns {Promise<Ended>}
     */
    async call(verb, first, options = { confirm: true }) {
      if (state.gone) return /** @type {any} */ (gone);
      const answer = new Promise((resolve) => {
        child.once('message', resolve);
      });
      child.send(
        { verb, first: BSON.EJSON.stringify(first), options: BSON.EJSON.stringify(options) },
        () => undefined,
      );
      return /** @type {any} */ (Promise.race([answer, gone]));
    },
    stop() {
      child.kill('SIGSTOP');
      state.stopped = true;
    },
    goOn() {
      child.kill('SIGCONT');
      state.stopped = false;
    },
    async kill() {
      child.kill('SIGKILL');
      await gone;
    },
  };
}

module.exports = { startShell, LEASE_MS };
