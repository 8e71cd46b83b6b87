'use strict';

const assert = require('node:assert/strict');
const fs = require('node:fs');
const path = require('node:path');
const { fork } = require('node:child_process');
const {
  writeLine,
  readLines,
  refuseLaterFormat,
  journalPath,
} = require('../../../lib/change/journal');
const { temporaryFolder } = require('../../support/cleanup');

/** @param {string} id @returns {any} */
const line = (id, more = {}) => ({ kind: 'sent', id, atMs: 1, command: 'a=1', was: null, ...more });

describe('change/journal', () => {
  /** @type {{ path: string, remove(): void }} */ let folder;
  beforeEach(() => {
    folder = temporaryFolder('journal');
  });
  afterEach(() => folder.remove());

  it('no journal is an empty one', () =>
    assert.deepEqual(readLines(folder.path), { lines: [], garbled: 0 }));

  it('makes the folder, readable by its owner alone, and adds line after line', () => {
    const home = path.join(folder.path, 'a', 'b');
    writeLine(home, line('1'));
    writeLine(home, line('2'));
    assert.deepEqual(readLines(home), { lines: [line('1'), line('2')], garbled: 0 });
    assert.equal(fs.statSync(journalPath(home)).mode & 0o077, 0);
  });

  it('half a line of a writer that died is counted, and the next line is not joined to it', () => {
    writeLine(folder.path, line('1'));
    fs.appendFileSync(journalPath(folder.path), '{"kind":"sent","id":"2","at');
    writeLine(folder.path, line('3'));
    assert.deepEqual(readLines(folder.path), { lines: [line('1'), line('3')], garbled: 1 });
  });

  it('garbage of every kind is counted, and empty lines are nothing', () => {
    fs.writeFileSync(
      journalPath(folder.path),
      `\0\0\0\nnull\n5\n"x"\n{"kind":"sent"}\n{"id":"1"}\n{"kind":"intent","id":"x"}\n{"kind":"toString","id":"x"}\n\n   ` +
        `\n${JSON.stringify(line('ok'))}\n`,
    );
    assert.deepEqual(readLines(folder.path), { lines: [line('ok')], garbled: 8 });
  });

  for (const format of [undefined, null, 0, 1, 1.9, '1', 'x', {}, []])
    it(`reads an entry whose format is ${JSON.stringify(format)}`, () => {
      const one = line('1', { format });
      writeLine(folder.path, one);
      assert.equal(readLines(folder.path).lines.length, 1);
      refuseLaterFormat(folder.path);
    });

  for (const later of [{ format: 2 }, { format: 7.5 }, { format: '2' }])
    it(`refuses a journal with ${JSON.stringify(later)}, in a line of whatever kind`, () => {
      writeLine(folder.path, line('1'));
      fs.appendFileSync(
        journalPath(folder.path),
        `{"kind":"of later","x":1,"format":${JSON.stringify(later.format)}}\n`,
      );
      const refused = { code: 'TUNE-40010', value: Math.floor(Number(later.format)), allowed: 1 };
      assert.throws(() => readLines(folder.path), refused);
      assert.throws(() => refuseLaterFormat(folder.path), refused);
    });

  it('a journal that cannot be read is not called one of a later format', () => {
    fs.mkdirSync(journalPath(folder.path));
    refuseLaterFormat(folder.path);
  });

  it('a byte order mark loses no line', () => {
    const text = ['1', '2'].map((id) => `\uFEFF${JSON.stringify(line(id))}\n`).join('');
    fs.writeFileSync(journalPath(folder.path), text);
    assert.deepEqual(readLines(folder.path), { lines: [line('1'), line('2')], garbled: 0 });
  });

  it('what cannot be written is said before anything is sent', () => {
    const file = path.join(folder.path, 'file');
    fs.writeFileSync(file, '');
    assert.throws(
      () => writeLine(path.join(file, 'home'), line('1')),
      (error) =>
        error.code === 'TUNE-40001' &&
        error.message.includes(path.join(file, 'home', 'journal.ndjson')),
    );
    fs.mkdirSync(journalPath(folder.path));
    assert.throws(() => writeLine(folder.path, line('1')), { code: 'TUNE-40001' });
    assert.throws(() => readLines(folder.path), { code: 'TUNE-40002' });
  });

  it('a disk that takes only a part of a line is a failure', () => {
    const { writeSync } = fs;
    try {
      fs.writeSync = /** @type {any} */ (() => 3);
      assert.throws(
        () => writeLine(folder.path, line('1')),
        (error) => error.code === 'TUNE-40001' && /only a part/.test(error.message),
      );
    } finally {
      fs.writeSync = writeSync;
    }
  });

  it('two writers at once do not mix their lines', async () => {
    const script = path.join(folder.path, 'writer.js');
    fs.writeFileSync(
      script,
      'const { writeLine } = ' +
        `require(${JSON.stringify(require.resolve('../../../lib/change/journal'))});\nfor (let ` +
        `i = 0; i < 200; i++) writeLine(process.argv[2], { kind: 'sent', id: process.argv[3] + ` +
        `i, atMs: 1, command: 'a=1', was: null, filler: 'x'.repeat(500) });`,
    );
    await Promise.all(
      ['a', 'b', 'c'].map(
        (name) =>
          new Promise((resolve, reject) =>
            fork(script, [folder.path, name]).once('exit', (code) =>
              code === 0 ? resolve(0) : reject(new Error(`exit ${code}`)),
            ),
          ),
      ),
    );
    const { lines, garbled } = readLines(folder.path);
    assert.deepEqual(
      [lines.length, garbled, new Set(lines.map(({ id }) => id)).size],
      [600, 0, 600],
    );
  });
});
