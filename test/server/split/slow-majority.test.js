'use strict';

/**
 * Most members stall for longer than a command may take, just when neither name takes writes:
 * the cutover comes to its end by itself.
 */
const assert = require('node:assert/strict');
const { ALONE, BEFORE, beginSplit, takesWrites } = require('../../support/begun-split');
const { contextOf } = require('../../support/context');
const { renames } = require('../../support/sent');
const { useSet } = require('../../support/split');
const { run: splitCutover } = require('../../../lib/commands/split-cutover');

/** Longer than one command may take (lib/split/server.js, CALL_MS). */
const STALL_MS = 25_000;
const PATIENT_MS = 120_000;
/** @param {any} spec */
const isMerge = ({ pipeline }) =>
  Boolean(pipeline?.some((/** @type {any} */ stage) => stage.$merge));

describe('a majority that stalls while the rest is brought over', function () {
  this.timeout(300_000);
  let server;
  let client;
  let ctx;
  useSet(
    (set) => {
      ({ server, client, ctx } = set);
    },
    { members: 3 },
  );
  let stopped = [];
  after(() => {
    for (const pid of stopped) process.kill(pid, 'SIGCONT');
  });

  it('ends with the switch once they go on', async () => {
    // Or the primary would step down, which is another matter.
    const { config } = await client.db('admin').command({ replSetGetConfig: 1 });
    await client
      .db('admin')
      .command({
        replSetReconfig: {
          ...config,
          version: config.version + 1,
          settings: { ...config.settings, electionTimeoutMillis: PATIENT_MS },
        },
      });
    const { id, name, from, into } = await beginSplit(client, ctx);
    const primary = await server.primary();
    const others = server
      .processes()
      .filter((_, i) => server.hosts[i] !== primary)
      .map(({ pid }) => pid);
    const shell = contextOf(client);
    let isLate = false;
    let went = null;
    const stall = () => {
      stopped = others;
      for (const pid of others) process.kill(pid, 'SIGSTOP');
      went = new Promise((resolve) => {
        setTimeout(() => {
          for (const pid of others) process.kill(pid, 'SIGCONT');
          stopped = [];
          resolve(undefined);
        }, STALL_MS);
      });
    };
    const { command } = shell.port;
    shell.port.command = async (db, spec) => {
      // After the last time that everything was brought over, and before the cut.
      if (!isLate && renames(spec, `app.${name}`))
        isLate = Boolean(await from.insertOne({ _id: 'last' }));
      if (isLate && !went && isMerge(spec)) stall();
      return command(db, spec);
    };
    shell.port.adminCommand = (spec) => shell.port.command('admin', spec);
    const began = Date.now();
    const {
      splits: [{ phase }],
    } = await splitCutover(shell, id, ALONE);
    assert.ok(went, 'nothing was brought over after the cut');
    await went;
    assert.equal(phase, 'switched');
    assert.ok(Date.now() - began >= STALL_MS);
    assert.deepEqual(await takesWrites(client, name), ['app2']);
    assert.equal(await into.countDocuments(), BEFORE + 1);
  });
});
