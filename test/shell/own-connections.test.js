'use strict';

const assert = require('node:assert/strict');
const { MongoClient } = require('mongodb');
const { entriesOf } = require('../../lib/change/pure/journal');
const { readLines } = require('../../lib/change/journal');
const { startReplicaSet } = require('../support/server');
const { runMongosh } = require('../support/mongosh');
const { evals, makeTuneHome } = require('./support/place');

/** @param {string} name */
const logIn = (name) => `db.getSiblingDB("admin").auth("${name}", "${name}-password")`;
const ONE = 'tune.apply({ evictionThreadsMax: 6 }, { confirm: true })';
const ALL = 'tune.apply({ evictionThreadsMax: 6 }, { members: "all", confirm: true })';

describe('a shell of a replica set in which another user has logged in', function () {
  this.timeout(180_000);
  /** @type {Awaited<ReturnType<typeof startReplicaSet>>} */ let server;
  /** @type {Record<string, string>} */ let uris;
  let place;
  before(async () => {
    server = await startReplicaSet({ members: [{}, { priority: 0 }], auth: true });
    uris = {
      looker: await server.addUser('looker', ['clusterMonitor']),
      changer: await server.addUser('changer', ['clusterMonitor', 'hostManager']),
    };
    place = makeTuneHome();
  });
  after(async () => {
    await server?.stop();
    place?.remove();
  });
  /** @param {string | null} name in the connection string @param {...string} lines */
  async function shell(name, ...lines) {
    const uri = name === null ? uris.looker.replace(/looker:[^@]*@/, '') : uris[name];
    const ended = await runMongosh([uri, '--json=relaxed', ...evals(...lines)], { env: place.env });
    assert.doesNotMatch(ended.stdout + ended.stderr, /(looker|changer)-password/);
    return ended;
  }
  const sent = () => entriesOf(readLines(place.path).lines).flatMap((entry) => entry.sent).length;

  for (const [what, name] of [
    ['the one of the connection string may only read', 'looker'],
    ['there is none in the connection string', null],
  ])
    for (const [of, call] of [
      ['this member', ONE],
      ['all members', ALL],
    ])
      it(`${of}: ${what}, and the one who logged in changes it`, async () => {
        const { code, stdout, stderr } = await shell(name, logIn('changer'), call);
        assert.equal(code, 0, stdout + stderr);
        const done = JSON.parse(stdout);
        assert.equal(done.verified, true);
        const back = await shell('changer', `tune.undo("${done.id}", { confirm: true })`);
        assert.equal(back.code, 0, back.stdout + back.stderr);
      });

  for (const [of, call] of [
    ['this member', ONE],
    ['all members', ALL],
  ])
    it(`${of}: the one who logged in may only read, so nothing is changed with the user of before`, async () => {
      const before = sent();
      const { code, stdout, stderr } = await shell('changer', logIn('looker'), call);
      assert.notEqual(code, 0, stdout);
      assert.match(stdout + stderr, /TUNE-20005/);
      assert.equal(sent(), before);
    });
});

describe('a replica set that requires an API version', function () {
  this.timeout(180_000);
  /** @type {Awaited<ReturnType<typeof startReplicaSet>>} */ let server;
  let place;
  /** @param {boolean} isRequired */
  const setRequired = async (isRequired) => {
    for (const host of server.hosts) {
      const client = new MongoClient(server.uriOf(host), isRequired ? {} : { serverApi: '1' });
      await client.db('admin').command({ setParameter: 1, requireApiVersion: isRequired });
      await client.close();
    }
  };
  before(async () => {
    server = await startReplicaSet({ members: [{}, { priority: 0 }] });
    place = makeTuneHome();
    await setRequired(true);
  });
  after(async () => {
    if (server) await setRequired(false);
    await server?.stop();
    place?.remove();
  });

  it('its members are changed with the one of the shell', async () => {
    const { code, stdout, stderr } = await runMongosh(
      [server.uri, '--apiVersion', '1', '--json=relaxed', ...evals(ALL)],
      { env: place.env },
    );
    assert.equal(code, 0, stdout + stderr);
    const { verified, order } = JSON.parse(stdout);
    assert.deepEqual([verified, order.length], [true, 2]);
  });
});
