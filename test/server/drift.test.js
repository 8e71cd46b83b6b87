'use strict';

const assert = require('node:assert/strict');
const fs = require('node:fs');
const path = require('node:path');
const { startServer } = require('../support/server');
const { contextOf } = require('../support/context');
const { temporaryFolder } = require('../support/cleanup');
const { skipIf } = require('../support/skip');
const { run: drift } = require('../../lib/commands/drift');
const { serversFile, namedFile } = require('../../lib/host/conf-file');

/**
 * @import { Server } from '../support/server'
 */

const CONF =
  'operationProfiling:\n  slowOpThresholdMs: 150\nsetParameter:\n  ttlMonitorSleepSecs: 45\n';

describe('drift on a real server with a mongod.conf', () => {
  /** @type {Server} */ let server;
  /** @type {{ path: string, remove(): void }} */ let folder;
  /** @type {string} */ let file;
  const lines = async (options = {}) =>
    (await drift(contextOf(server.client), options)).drift
      .filter(({ kind }) => kind !== 'command-line')
      .map(({ kind, name, running, other }) => `${kind} ${name} ${running} ${other}`);
  before(async () => {
    folder = temporaryFolder('conf');
    file = path.join(folder.path, 'mongod.conf');
    fs.writeFileSync(file, CONF);
    server = await startServer({ args: ['--config', file] });
  });
  after(async () => {
    await server?.stop();
    folder.remove();
  });

  it('reads the file of a server that is proven to run here, and tells what the command line says', async function () {
    skipIf(this, process.platform === 'linux' ? null : 'no /proc');
    const seen = await drift(contextOf(server.client));
    assert.deepEqual([seen.file, seen.fileRead, seen.notes], [file, true, []]);
    assert.deepEqual(
      seen.drift.filter(({ kind }) => kind !== 'command-line'),
      [],
      String(seen),
    );
    const given = seen.drift.map(({ name }) => name);
    for (const name of [
      'net.port',
      'storage.dbPath',
      'storage.wiredTiger.engineConfig.cacheSizeGB',
    ])
      assert.ok(given.includes(name), `${name} is not among ${given}`);
  });

  it('what was edited since the start, and what was set since', async function () {
    skipIf(this, process.platform === 'linux' ? null : 'no /proc');
    fs.writeFileSync(file, CONF.replace('150', '20'));
    await server.adminCommand({ setParameter: 1, ttlMonitorSleepSecs: 5 });
    await server.adminCommand({
      setParameter: 1,
      wiredTigerEngineRuntimeConfig: 'eviction=(threads_max=6)',
    });
    assert.deepEqual(await lines(), [
      'file operationProfiling.slowOpThresholdMs 150 20',
      'runtime ttlMonitorSleepSecs 5 45',
      'runtime evictionThreadsMax 6 4',
    ]);
  });

  it('a copy of the file, where the user names one', async () => {
    const copy = path.join(folder.path, 'copy.conf');
    fs.writeFileSync(copy, CONF.replace('150', '99'));
    assert.match(
      (await lines({ file: copy })).join(),
      /^file operationProfiling\.slowOpThresholdMs 150 99,/,
    );
    fs.writeFileSync(copy, '');
    assert.deepEqual((await namedFile(copy)).options, {});
    fs.writeFileSync(copy, 'net:\n  port: 1\nnet:\n  port: 2\n');
    await assert.rejects(drift(contextOf(server.client), { file: copy }), { code: 'TUNE-40003' });
    await assert.rejects(
      drift(contextOf(server.client), { file: path.join(folder.path, 'none.conf') }),
      { code: 'TUNE-40002' },
    );
  });

  it('says why the file is not read', async () => {
    const { port } = contextOf(server.client);
    assert.match(String((await serversFile(port, null)).why), /without a configuration file/);
    assert.match(
      String((await serversFile(port, 'mongod.conf')).why),
      process.platform === 'linux' ? /relative path/ : /not proven/,
    );
    assert.match(
      String((await serversFile(port, path.join(folder.path, 'gone.conf'))).why),
      process.platform === 'linux' ? /ENOENT/ : /not proven/,
    );
    const { adminCommand } = port;
    const elsewhere = {
      ...port,
      adminCommand: async (/** @type {any} */ command) => ({
        ...(await adminCommand(command)),
        ...(command.serverStatus && { pid: 1 }),
      }),
    };
    assert.match(
      String((await serversFile(elsewhere, file)).why),
      /not certain that the server runs on this machine/,
    );
    const mute = {
      ...port,
      adminCommand: async () => {
        throw new Error('no answer');
      },
    };
    assert.match(String((await serversFile(mute, file)).why), /no answer/);
  });
});
