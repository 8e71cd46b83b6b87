'use strict';

const fs = require('node:fs');
const path = require('node:path');
const assert = require('node:assert/strict');
const { makeTune } = require('../../lib/shell/tune');
const { addressOf } = require('../../lib/shell/member-connection');
const { openerOf, senderOf } = require('../../lib/shell/port');
const { listCommands, allCommands } = require('../../lib/shell/registry');
const { assertNoSecret, callsOf, filesIn, said, urisWith, CORE } = require('../support/canary');
const { temporaryFolder } = require('../support/cleanup');

const COMMANDS = listCommands();

/**
 * Every command there is, on servers that cannot be reached, that refuse, each with the connection
 * string in what they say, and that answer nonsense.
 */

const HOST = '127.0.0.1:1';
/**
 * They make load in processes of their own and wait for them: with a real server, in
 * test/server/secrets.test.js.
 */
const NEED_PROCESSES = /^(bench)/;
const LIMIT_MS = 20_000;

const failing =
  (/** @type {string} */ name, /** @type {object} */ fields = {}) =>
  (/** @type {string} */ uri) =>
  async () => {
    throw Object.assign(new Error(`${name} of ${uri}`, { cause: new Error(`inner ${uri}`) }), {
      name,
      ...fields,
    });
  };
/** @type {Record<string, (uri: string) => (...args: any[]) => Promise<any>>} */
const STATES = {
  'out of reach': failing('MongoServerSelectionError'),
  'gone in the middle': failing('MongoNetworkError'),
  'an address that is none': failing('MongoParseError'),
  'without the right': failing('MongoServerError', { code: 13 }),
  'an unknown refusal': failing('MongoServerError', { code: 999 }),
  'a defect': failing('TypeError'),
  nonsense: () => async () => ({
    ok: 1,
    host: 'h',
    version: 'x',
    databases: [{ name: 'a' }],
    cursor: { id: 0, firstBatch: [] },
  }),
};

describe('no secret, ever', () => {
  /** @type {{ path: string, remove(): void }} */ let folder;
  let written = '';
  before(() => {
    folder = temporaryFolder('secrets');
  });
  after(() => folder?.remove());

  /** @param {string} uri @param {(uri: string) => (...args: any[]) => Promise<any>} state */
  function tuneOn(uri, state) {
    const send = state(uri);
    const source = {
      getURI: () => uri,
      runCommandWithCheck: send,
      runCommand: send,
      aggregate: () => ({ tryNext: send, toArray: send, close: async () => {} }),
      watch: () => ({ tryNext: send, close: async () => {} }),
      getNewConnection: send,
    };
    const write = (/** @type {string | null} */ text) => {
      written += text ?? '';
    };
    return makeTune(COMMANDS, {
      send: senderOf(source),
      open: openerOf(() => source),
      address: () => addressOf(source),
      connect: send,
      home: path.join(folder.path, 'home'),
      reach: send,
      terminal: { isTTY: true, columns: 80, write },
      progress: () => write,
      guard: (job) => job.run(AbortSignal.timeout(LIMIT_MS)),
    });
  }

  it('every command has an example that can be called', () => {
    const called = new Set(callsOf(COMMANDS).map(({ name }) => name));
    assert.deepEqual(
      allCommands(COMMANDS)
        .map(([name]) => name)
        .filter((name) => !called.has(name)),
      [],
    );
  });

  for (const [name, state] of Object.entries(STATES)) {
    it(name, async function () {
      this.timeout(120_000);
      const before = process.cwd();
      process.chdir(folder.path);
      try {
        const [first, ...others] = urisWith(HOST);
        fs.writeFileSync('servers.txt', `${urisWith(HOST).join('\n')}\n`, { mode: 0o600 });
        // All at once: what answers nonsense is waited for.
        await Promise.all(
          callsOf(COMMANDS)
            .filter((one) => !NEED_PROCESSES.test(one.name))
            .map(async ({ name: command, call }) => {
              assertNoSecret(
                call,
                await said(tuneOn(first, state), call, { plan: { id: first, moves: [] } }),
              );
              for (const uri of ['status', 'apply', 'members'].includes(command) ? others : [])
                assertNoSecret(`${call} on ${uri}`, await said(tuneOn(uri, state), call));
            }),
        );
      } finally {
        process.chdir(before);
      }
      assertNoSecret('the terminal', written);
      fs.rmSync(path.join(folder.path, 'servers.txt'));
      for (const [file, text] of filesIn(folder.path)) assertNoSecret(file, text);
    });
  }

  it('what was typed wrongly is not said again', async () => {
    const tune = tuneOn('mongodb://h/', STATES['out of reach']);
    for (const uri of urisWith(HOST)) {
      for (const [command] of allCommands(COMMANDS).filter(
        ([name]) => !NEED_PROCESSES.test(name) || name === 'bench.compare',
      )) {
        for (const args of [
          `(${JSON.stringify(uri)})`,
          `(${JSON.stringify(uri)}, ${JSON.stringify(uri)})`,
          `([${JSON.stringify(uri)}])`,
          `({ ${JSON.stringify(uri)}: 1 })`,
          `({ seconds: ${JSON.stringify(uri)} })`,
        ]) {
          assertNoSecret(
            `tune.${command}${args.replaceAll(CORE, '…')}`,
            await said(tune, `tune.${command}${args}`),
          );
        }
      }
    }
  });
});
