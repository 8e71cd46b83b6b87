'use strict';

const assert = require('node:assert/strict');
const fs = require('node:fs');
const path = require('node:path');
const { spawnSync } = require('node:child_process');
const { writeLine, readLines, journalPath } = require('../../../lib/change/journal');
const { temporaryFolder } = require('../../support/cleanup');
const { skipIf } = require('../../support/skip');

/** Disks that are full, folders of others, and files cut anywhere. */

const JOURNAL = require.resolve('../../../lib/change/journal');
const NOBODY = 65_534;
/** @param {string} id @returns {any} */
const line = (id) => ({ kind: 'sent', id, atMs: 1, command: 'cache_size=1G', was: null });
/** Why nobody can be somebody else here; the Node.js itself may lie in a folder of root alone. */
function whyNotNobody() {
  if (process.getuid?.() !== 0) return 'only root can be somebody else';
  return spawnSync(process.execPath, ['-e', ''], { uid: NOBODY, gid: NOBODY, cwd: '/' }).status ===
    0
    ? null
    : 'somebody else may not run this Node.js';
}

describe('change/journal: places that cannot be read or written', () => {
  /** @type {{ path: string, remove(): void }} */ let folder;
  beforeEach(() => {
    folder = temporaryFolder('journal-places');
  });
  afterEach(() => folder.remove());

  it('a pipe in its place is refused, and not waited for', () => {
    const made = spawnSync('mkfifo', [journalPath(folder.path)]);
    assert.equal(made.status, 0, String(made.error));
    assert.throws(() => readLines(folder.path), { code: 'TUNE-40002' });
  });

  /**
   * In a process of its own: as somebody else, or with files of so many blocks at most.
   * @param {string} home
   * @param {{ uid?: number, blocks?: number, lines?: number }} how
   * @returns {{
   *   written: number, code: string | null, message: string, lines: number, garbled: number,
   *   read: string | null
   * }}
   */
  function writer(home, { uid, blocks, lines = 1 }) {
    const script = `
      const { writeLine, readLines } = require(${JSON.stringify(JOURNAL)});
      let written = 0, code = null, message = '', read = null, found = { lines: [], garbled: 0 };
      try { for (; written < ${lines}; written++) writeLine(process.argv[1], { kind: 'sent', id: String(written), atMs: 1, command: 'a=1', was: null, filler: 'x'.repeat(200) }); }
      catch (error) { ({ code, message } = error); }
      try { found = readLines(process.argv[1]); } catch (error) { read = error.code; }
      console.log(JSON.stringify({ written, code, message, lines: found.lines.length, garbled: found.garbled, read }));`;
    const command =
      blocks === undefined
        ? [process.execPath, ['-e', script, home]]
        : [
            'sh',
            ['-c', `ulimit -f ${blocks}; exec "$@"`, 'sh', process.execPath, '-e', script, home],
          ];
    const { stdout, stderr } = spawnSync(
      /** @type {string} */ (command[0]),
      /** @type {string[]} */ (command[1]),
      {
        encoding: 'utf8',
        ...(uid !== undefined && { uid, gid: uid }),
        env: { ...process.env, NODE_V8_COVERAGE: '' },
        cwd: '/',
      },
    );
    assert.notEqual(stdout, '', stderr);
    return JSON.parse(stdout);
  }

  it('cut at every byte: what is whole is read, and the next line is', () => {
    const text = ['1', '2', '3'].map((id) => `${JSON.stringify(line(id))}\n`).join('');
    for (let cut = 0; cut <= text.length; cut += 1) {
      fs.writeFileSync(journalPath(folder.path), text.slice(0, cut));
      const whole = text
        .slice(0, cut)
        .split('\n')
        .filter((one) => one.endsWith('}')).length;
      assert.equal(readLines(folder.path).lines.length, whole, `cut at ${cut}`);
      writeLine(folder.path, line('next'));
      assert.deepEqual(
        readLines(folder.path).lines.map(({ id }) => id),
        [...['1', '2', '3'].slice(0, whole), 'next'],
        `cut at ${cut}`,
      );
    }
  });

  it(
    'a disk that is full is said at the line that does not fit; those before it stay, and ' +
      'those after it are whole',
    () => {
      const full = writer(folder.path, { blocks: 8, lines: 200 });
      assert.equal(full.code, 'TUNE-40001');
      assert.match(
        full.message,
        /journal\.ndjson cannot be written: (only a part of the line was written|EFBIG|ENOSPC)/,
      );
      assert.ok(
        full.written > 5 && full.written < 200 && full.lines === full.written,
        JSON.stringify(full),
      );
      writeLine(folder.path, line('later'));
      const { lines, garbled } = readLines(folder.path);
      assert.deepEqual(
        [lines.length, lines.at(-1)?.id, garbled],
        [full.written + 1, 'later', full.garbled],
      );
    },
  );

  it('a folder that may only be read', function () {
    skipIf(this, whyNotNobody());
    fs.chmodSync(folder.path, 0o755);
    const { code, message } = writer(folder.path, { uid: NOBODY });
    assert.equal(code, 'TUNE-40001');
    assert.match(message, /EACCES.*Make the folder and its files writable/);
  });

  it('a journal of somebody else: neither read nor written, and both are said', function () {
    skipIf(this, whyNotNobody());
    fs.chmodSync(folder.path, 0o777);
    writeLine(folder.path, line('1'));
    const { code, read } = writer(folder.path, { uid: NOBODY });
    assert.deepEqual([code, read], ['TUNE-40001', 'TUNE-40002']);
    assert.deepEqual(readLines(folder.path).lines.length, 1);
  });

  it(
    'a folder of somebody else: who looks for what was left behind finds nothing, pages and ' +
      'recordings say what is wrong',
    function () {
      skipIf(this, whyNotNobody());
      const locked = path.join(folder.path, 'locked');
      fs.mkdirSync(locked, { mode: 0o700 });
      fs.chmodSync(folder.path, 0o755);
      const script = `
      const [lib, locked] = process.argv.slice(1);
      const { targetFor, writePage } = require(lib + '/base/named-files');
      const { itemsOf } = require(lib + '/report/pure/html/kinds');
      const { unfinishedChanges } = require(lib + '/change/unfinished-changes');
      const { run: replay } = require(lib + '/commands/replay');
      const { RecordingFile } = require(lib + '/recording/recording-file');
      const file = locked + '/x.html';
      const ctx = { signal: new AbortController().signal, progress() {} };
      process.setgid(${NOBODY}); process.setuid(${NOBODY});
      (async () => {
        const seen = [];
        for (const act of [() => unfinishedChanges(locked), () => targetFor(file, true), () => writePage({ file, force: true }, 'x'), () => new RecordingFile(file), () => itemsOf('tune.report', file, (name) => replay(ctx, name)), () => replay(ctx, file)]) {
          try { seen.push(JSON.stringify(await act())); } catch (error) { seen.push(error.code); }
        }
        console.log(JSON.stringify(seen));
      })();`;
      const { stdout, stderr } = spawnSync(
        process.execPath,
        ['-e', script, path.join(__dirname, '../../../lib'), locked],
        { encoding: 'utf8', env: { ...process.env, NODE_V8_COVERAGE: '' }, cwd: '/' },
      );
      assert.deepEqual(
        stdout && JSON.parse(stdout),
        ['[]', 'TUNE-40005', 'TUNE-40005', 'TUNE-40005', 'TUNE-40002', 'TUNE-40002'],
        stderr,
      );
    },
  );

  it('a link that leads nowhere is no journal without changes', () => {
    fs.symlinkSync(path.join(folder.path, 'nowhere', 'x'), journalPath(folder.path));
    assert.throws(() => writeLine(folder.path, line('1')), { code: 'TUNE-40001' });
    assert.throws(() => readLines(folder.path), { code: 'TUNE-40002' });
  });
});
