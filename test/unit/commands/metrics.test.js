'use strict';

const assert = require('node:assert/strict');
const fs = require('node:fs');
const path = require('node:path');
const { run: metrics } = require('../../../lib/commands/metrics');
const { writeFailure, nameBefore, targetOf } = require('../../../lib/report/metrics-file');
const { contextOf } = require('../../support/context');
const { temporaryFolder } = require('../../support/cleanup');
const { promlint } = require('../../support/promlint');

describe('the file of tune.metrics', () => {
  let folder;
  beforeEach(() => {
    folder = temporaryFolder('metrics');
  });
  afterEach(() => folder.remove());
  const fileOf = (text) => {
    const file = path.join(folder.path, 'tune.prom');
    if (text !== undefined) fs.writeFileSync(file, text);
    return file;
  };
  const seriesIn = (file) => promlint(fs.readFileSync(file, 'utf8'));

  it('of a sample that failed says so, keeps no old figure, and leaves no draft behind', async () => {
    const file = fileOf('old 1\n');
    const ctx = {
      ...contextOf(null),
      connection: async () => ({ uri: 'mongodb://u:secret@db1:27017/', options: {} }),
    };
    await assert.rejects(metrics(ctx, { seconds: 0.1, output: file }), /there is no server/);
    const { series, problems } = seriesIn(file);
    assert.deepEqual(problems, []);
    assert.deepEqual(
      series.find(({ name }) => name.endsWith('last_run_success')),
      { name: 'mongosh_tune_last_run_success', labels: { server: 'db1:27017' }, value: 0 },
    );
    assert.doesNotMatch(fs.readFileSync(file, 'utf8'), /secret|old/);
    assert.deepEqual(fs.readdirSync(folder.path), ['tune.prom']);
    if (process.platform !== 'win32')
      assert.equal(fs.statSync(file).mode & 0o777, 0o644 & ~process.umask());
  });
  it('of a sample that failed goes on under the name it had, or the one it is given', () => {
    const file = fileOf('mongosh_tune_last_run_success{server="a\\\\b\\"c\\n"} 1\n');
    assert.equal(nameBefore(targetOf(file)), 'a\\b"c\n');
    writeFailure(targetOf(file), undefined, 'mongodb://other:1');
    assert.equal(seriesIn(file).series[0].labels.server, 'a\\b"c\\n');
    writeFailure(targetOf(file), 'mine', '');
    assert.equal(nameBefore(targetOf(file)), 'mine');
  });
  it('of a server that nobody knows has a name all the same', async () => {
    const ctx = {
      ...contextOf(null),
      connection: async () => {
        throw new Error('not connected');
      },
    };
    await assert.rejects(metrics(ctx, { seconds: 0.1, output: fileOf() }), /there is no server/);
    assert.equal(nameBefore(targetOf(fileOf())), 'unknown');
  });
  it(
    'of a script that could not connect names the server that its connection string leads to, ' +
      'wherever that stands',
    () => {
      const { unable } = require('../../../lib/shell/runbook').SCRIPTS.metrics;
      const uriFile = path.join(folder.path, 'uri');
      fs.writeFileSync(uriFile, 'mongodb://u:secret@db7:27017/\n');
      const before = { ...process.env };
      try {
        for (const [env, server] of /** @type {[Record<string, string>, string][]} */ ([
          [{ TUNE_URI_FILE: uriFile }, 'db7:27017'],
          [{ TUNE_URI: 'mongodb://u:secret@db8:1/' }, 'db8:1'],
          [{ TUNE_URI_FILE: `${uriFile}-none` }, 'unknown'],
          [{}, 'unknown'],
        ])) {
          fs.rmSync(fileOf(), { force: true });
          Object.assign(process.env, {
            TUNE_URI: '',
            TUNE_URI_FILE: '',
            TUNE_SERVER_NAME: '',
            TUNE_OUTPUT: fileOf(),
            ...env,
          });
          assert.equal(unable?.(new Error('x')), '');
          assert.equal(nameBefore(targetOf(fileOf())), server);
        }
      } finally {
        for (const name of ['TUNE_URI', 'TUNE_URI_FILE', 'TUNE_SERVER_NAME', 'TUNE_OUTPUT'])
          if (before[name] === undefined) delete process.env[name];
          else process.env[name] = before[name];
      }
    },
  );
  it('takes no name from what is none of ours, or has no end', () => {
    assert.equal(nameBefore(targetOf(fileOf('nothing'))), null);
    assert.equal(nameBefore(targetOf(path.join(folder.path, 'no.prom'))), null);
    assert.equal(
      nameBefore(
        targetOf(fileOf(`${'#'.repeat(2 ** 20)}\nmongosh_tune_last_run_success{server="x"} 1`)),
      ),
      null,
    );
  });
  it('is refused before anything is asked where it cannot be written', async () => {
    await assert.rejects(
      metrics(contextOf(null), { output: path.join(folder.path, 'no', 'x.prom') }),
      { code: 'TUNE-40005' },
    );
    await assert.rejects(metrics(contextOf(null), { output: '' }), { code: 'TUNE-10002' });
  });
  it('has a name that node_exporter reads; any other file stays as it is', async () => {
    const conf = path.join(folder.path, 'mongod.conf');
    fs.writeFileSync(conf, 'storage: {}\n');
    await assert.rejects(
      metrics(contextOf(null), { seconds: 0.1, output: conf }),
      (error) =>
        error.code === 'TUNE-10002' &&
        /"file" must be a name that ends in \.prom/.test(error.message),
    );
    assert.throws(() => targetOf(conf), { code: 'TUNE-10002' });
    assert.equal(fs.readFileSync(conf, 'utf8'), 'storage: {}\n');
  });
});
