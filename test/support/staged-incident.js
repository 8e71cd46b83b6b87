'use strict';

const assert = require('node:assert/strict');
const fs = require('node:fs');
const path = require('node:path');
const { setTimeout: sleep } = require('node:timers/promises');
const { MongoClient } = require('mongodb');
const { stagedServer } = require('./staged-server');
const { fill, steadyLoad } = require('./incident-load');
const { run: incident } = require('../../lib/commands/incident');

/**
 * @import { MongoClientOptions } from 'mongodb'
 * @import { Staged } from './staged-server'
 */

/** Time of normal work before an incident, and of what follows it. */
const QUIET_MS = 15_000;
const AFTER_MS = 8000;

/**
 * What tune.incident() says of these servers. SHOW_INCIDENTS=1 prints it; KEEP_INCIDENTS names a
 * folder that keeps what it was read from.
 * @param {readonly Staged[]} servers
 * @param {object} [more] options
 */
async function told(servers, more = {}) {
  if (process.env.KEEP_INCIDENTS) keep(servers, process.env.KEEP_INCIDENTS);
  const ctx = { signal: new AbortController().signal, progress() {}, home: '/nowhere' };
  const answer = await incident(ctx, {
    dbpath: servers.map(({ dbPath }) => dbPath),
    log: servers.map(({ log }) => log),
    ...more,
  });
  if (process.env.SHOW_INCIDENTS) process.stdout.write(`${answer}\n`);
  return answer;
}

/** @param {readonly Staged[]} servers @param {string} folder */
function keep(servers, folder) {
  servers.forEach(({ dbPath, log }, i) => {
    const to = path.join(folder, String(i));
    const data = 'diagnostic.data';
    fs.rmSync(to, { recursive: true, force: true });
    fs.cpSync(path.join(dbPath, data), path.join(to, data), { recursive: true });
    fs.cpSync(log, path.join(to, 'mongod.log'));
  });
}

/**
 * @param {Awaited<ReturnType<typeof told>>} answer
 * @param {{ first: string[], then?: string[] }} expected `then`: codes in their order, others may be between
 */
function check(answer, { first, then = [] }) {
  const codeOf = (/** @type {string | null} */ id) =>
    answer.events.find((one) => one.id === id)?.code;
  assert.equal(answer.verdict, 'incident', String(answer.all()));
  assert.ok(first.includes(String(codeOf(answer.firstCause))), String(answer.all()));
  const codes = answer.chain.slice(1).map(({ event }) => codeOf(event));
  let at = -1;
  for (const code of then) {
    const found = codes.indexOf(code, at + 1);
    assert.ok(found > at, `${code} is not behind the others in ${codes.join()}\n${answer.all()}`);
    at = found;
  }
  assert.ok(String(answer).split('\n').length <= 24, String(answer));
}

/** Servers and load of one `describe`, ended and removed after each test. */
function useStaged() {
  /** @type {Staged[]} */ let servers = [];
  /** @type {{ stop(): Promise<void> } | null} */ let load = null;
  const remove = async () => {
    await load?.stop();
    load = null;
    await Promise.all(servers.map((server) => server.remove()));
    servers = [];
  };
  afterEach(remove);
  return {
    remove,
    get servers() {
      return servers;
    },
    /** @param {Parameters<typeof stagedServer>[0]} [options] */
    start: async (options) => {
      const server = await stagedServer(options);
      servers.push(server);
      return server;
    },
    /**
     * Normal work on a server.
     * @param {Staged} server
     * @param {NonNullable<Parameters<typeof fill>[1]> & NonNullable<Parameters<typeof steadyLoad>[1]>} [options]
     */
    loaded: async (server, options = {}) => {
      await fill(server.client(), options);
      load = steadyLoad(server.client(), options);
      await sleep(QUIET_MS);
    },
    stopLoad: async () => load?.stop(),
    /** What follows, the end of it, and the answer. @param {object} [more] options */
    finish: async (more = {}) => {
      await sleep(AFTER_MS);
      await load?.stop();
      await Promise.all(servers.map((server) => server.stop().catch(() => {})));
      return told(servers, more);
    },
    /** The answer where the server has ended by itself. */
    answer: () => told(servers),
  };
}

/** The admin database of a server. @param {Staged} server */
const admin = (server) => server.client().db('admin');

/** A client of its own. @param {Staged} server @param {MongoClientOptions} [options] */
const connect = (server, options = {}) =>
  MongoClient.connect(`mongodb://127.0.0.1:${server.port}/?directConnection=true`, options);

module.exports = { QUIET_MS, admin, check, connect, told, useStaged };
