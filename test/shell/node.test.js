'use strict';

const assert = require('node:assert/strict');
const { inspect } = require('node:util');
const { EJSON } = require('bson');
const { NodeDriverServiceProvider } = require('@mongosh/service-provider-node-driver');
const tune = require('../..');
const { runMongosh } = require('../support/mongosh');
const { startServer } = require('../support/server');
const { evals, makeTuneHome, ROOT } = require('./support/place');

const PRODUCT = { productName: 'mongosh-tune tests', productDocsLink: 'https://example.invalid/' };
/** The names of the fields, all the way down: values differ from second to second. */
const fieldsOf = (value) => {
  if (value === null || typeof value !== 'object' || Array.isArray(value) || value instanceof Date)
    return Object.prototype.toString.call(value);
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, fieldsOf(inner)]));
};

describe('require("mongosh-tune") in Node.js', function () {
  this.timeout(60_000);
  let server;
  let place;
  let provider;
  before(async () => {
    server = await startServer();
    place = makeTuneHome();
    provider = await NodeDriverServiceProvider.connect(server.uri, PRODUCT);
  });
  after(async () => {
    await provider?.close();
    await server?.stop();
    place?.remove();
  });

  it('gives the fields that the shell gives, over a driver client and over a service provider', async () => {
    const { stdout } = await runMongosh([
      server.uri,
      '--json=relaxed',
      ...evals('tune.status({ seconds: 1 })'),
    ]);
    const inShell = fieldsOf(EJSON.parse(stdout));
    for (const connection of [server.client, provider]) {
      const status = await tune(connection, { home: place.path }).status({ seconds: 1 });
      assert.deepEqual(fieldsOf(status), inShell);
      assert.match(inspect(status), /CACHE .* of 256 MiB/);
    }
  });

  it('has the same commands, help and last answer', async () => {
    const here = tune(server.client, { home: place.path });
    const { stdout } = await runMongosh([
      '--nodb',
      '--json=relaxed',
      ...evals('Object.keys(tune)'),
    ]);
    assert.deepEqual(JSON.parse(stdout), Object.keys(here));
    assert.match(inspect(here.help()), /tune\.status  +Shows cache/);
    const status = await here.status({ seconds: 0.5 });
    assert.equal(here.last, status);
  });

  it('is interrupted by a signal of the caller', async () => {
    const status = tune(server.client, {
      home: place.path,
      signal: AbortSignal.timeout(1500),
    }).status({ seconds: 60 });
    assert.match((await status).notes.join(), /Interrupted/);
  });

  it('throws the same errors', async () => {
    await assert.rejects(tune(server.client).status({ secs: 1 }), {
      name: 'TuneError',
      code: 'TUNE-10001',
    });
    assert.throws(() => tune('mongodb://127.0.0.1'), { code: 'TUNE-10002' });
  });

  it('puts tune into a shell that is given, as a script of mongosh may want it', async () => {
    const { stdout, stderr } = await runMongosh([
      '--nodb',
      '--quiet',
      '--eval',
      `require(${JSON.stringify(ROOT)})(globalThis)`,
      '--eval',
      'tune',
    ]);
    assert.match(stdout, /^tune \d/, stderr);
  });
});
