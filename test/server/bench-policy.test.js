'use strict';

const assert = require('node:assert/strict');
const fs = require('node:fs');
const path = require('node:path');
const { startServer } = require('../support/server');
const { tuneOf } = require('../support/policy-tune');
const { isReading } = require('../../lib/policy/pure/server-commands');

/**
 * @import { Server } from '../support/server'
 */

const DATABASE = 'tune_bench';
const SMALL = Object.freeze({
  workload: 'ycsb-b',
  records: 200,
  seconds: 1,
  warmSeconds: 0,
  threads: 1,
  rounds: 2,
});

describe('a policy and a comparison of servers', function () {
  this.timeout(120_000);
  /** @type {Server} */ let listed;
  /** @type {Server} */ let unlisted;
  before(async () => {
    listed = await startServer();
    unlisted = await startServer();
  });
  after(async () => {
    await listed?.stop();
    await unlisted?.stop();
  });
  /** @param {Server} server */
  const nameOf = async (server) => (await server.adminCommand({ serverStatus: 1 })).host;
  /** Every command that writes there, from now on. @param {Server} server */
  async function logged(server) {
    await server.adminCommand({ profile: 0, slowms: 0, sampleRate: 1 });
    await server.adminCommand({ setParameter: 1, logLevel: 1 });
    return async () => {
      const { log } = await server.adminCommand({ getLog: 'global' });
      return log
        .map((/** @type {string} */ line) => JSON.parse(line))
        .filter(
          (/** @type {any} */ { attr }) =>
            attr?.ns?.startsWith(`${DATABASE}.`) && attr.command && !isReading(attr.command),
        );
    };
  }

  for (const order of ['listed first', 'listed last'])
    it(`writes to no server where one of them may not be changed: ${order}`, async () => {
      const { tune } = tuneOf(listed.client, {
        system: JSON.stringify({ changeHosts: [await nameOf(listed)] }),
      });
      const uris = [listed.uri, unlisted.uri];
      const read = await Promise.all([logged(listed), logged(unlisted)]);
      await assert.rejects(
        tune.bench.compare(order === 'listed first' ? uris : uris.toReversed(), {
          ...SMALL,
          confirm: true,
        }),
        { code: 'TUNE-30012', value: 'changeHosts' },
      );
      for (const of of read) assert.deepEqual(await of(), []);
    });

  it('is judged without a server of its own', async () => {
    const client = /** @type {any} */ ({
      db: () => ({
        command: async () => {
          throw Object.assign(new Error('no server'), { code: 'TUNE-20001' });
        },
      }),
    });
    const { tune } = tuneOf(client, { system: 'changeHosts: ["other:27017"]' });
    await assert.rejects(
      tune.bench.compare([listed.uri, unlisted.uri], { ...SMALL, confirm: true }),
      { code: 'TUNE-30012', value: 'changeHosts' },
    );
  });

  it('carries the ticket in each command but the load, and leaves nothing', async () => {
    const { tune, home } = tuneOf(listed.client, { system: 'ticket: "CHG-*"\nchangeHosts: ["*"]' });
    const read = await Promise.all([logged(listed), logged(unlisted)]);
    const done = await tune.bench.compare([listed.uri, unlisted.uri], {
      ...SMALL,
      confirm: true,
      ticket: 'CHG-7',
    });
    assert.equal(done.dryRun, false);
    await tune.report(path.join(home, 'page.html'), { of: done });
    assert.match(
      fs.readFileSync(path.join(home, 'page.html'), 'utf8'),
      /its commands carry the comment &quot;mongosh-tune bench\.compare \w{6} CHG-7&quot;/,
    );
    for (const of of read) {
      const lines = await of();
      const drops = lines.filter(({ attr }) => attr.command?.drop ?? attr.command?.dropDatabase);
      assert.ok(drops.length > 0, JSON.stringify(lines.at(-1)));
      for (const { attr } of drops)
        assert.match(attr.command.comment, /^mongosh-tune bench\.compare \w{6} CHG-7$/);
    }
  });
});
