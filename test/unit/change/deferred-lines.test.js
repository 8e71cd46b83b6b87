'use strict';

const assert = require('node:assert/strict');
const fs = require('node:fs');
const { setTimeout: pause } = require('node:timers/promises');
const {
  writeNow,
  writeWhenPossible,
  mergeWhenPossible,
  flushLate,
} = require('../../../lib/change/late-lines');
const { readLines, journalPath } = require('../../../lib/change/journal');
const { temporaryFolder } = require('../../support/cleanup');

/** Longer than it waits between two tries. */
const AGAIN_MS = 1300;
/** @param {string} id @returns {any} */
const line = (id) => ({ kind: 'sent', id, atMs: 1, command: 'cache_size=1G', was: null });

describe('lines that the journal could not take', () => {
  /** @type {{ path: string, remove(): void }} */ let home;
  const ids = () => readLines(home.path).lines.map(({ id }) => id);
  const block = () => fs.mkdirSync(journalPath(home.path));
  const unblock = () => fs.rmdirSync(journalPath(home.path));
  const replace = () => {
    fs.renameSync(journalPath(home.path), `${journalPath(home.path)}.kept`);
    block();
  };
  const putBack = () => {
    unblock();
    fs.renameSync(`${journalPath(home.path)}.kept`, journalPath(home.path));
  };
  beforeEach(() => {
    home = temporaryFolder('late');
  });
  afterEach(() => home.remove());

  it('a journal that works gets them at once', () => {
    assert.equal(writeWhenPossible(home.path, line('1')), null);
    assert.deepEqual(ids(), ['1']);
  });

  it('they come before whatever is written next, in their order', () => {
    block();
    assert.match(String(writeWhenPossible(home.path, line('1'))), /TUNE-40001/);
    assert.match(String(writeWhenPossible(home.path, line('2'))), /TUNE-40001/);
    assert.throws(() => writeNow(home.path, line('3')), { code: 'TUNE-40001' });
    flushLate(home.path);
    unblock();
    writeNow(home.path, line('4'));
    assert.deepEqual(ids(), ['1', '2', '4']);
  });

  it('they are there for whoever reads next', () => {
    block();
    writeWhenPossible(home.path, line('1'));
    unblock();
    flushLate(home.path);
    assert.deepEqual(ids(), ['1']);
  });

  it('they follow by themselves', async () => {
    block();
    writeWhenPossible(home.path, line('1'));
    await pause(AGAIN_MS);
    unblock();
    await pause(AGAIN_MS);
    assert.deepEqual(ids(), ['1']);
  });

  it('what was written elsewhere meanwhile follows once, in its order', () => {
    writeWhenPossible(home.path, line('1'));
    replace();
    writeWhenPossible(home.path, line('3'));
    assert.match(
      String(mergeWhenPossible(home.path, ['1', '2', '3', '4'].map(line))),
      /TUNE-40001/,
    );
    writeWhenPossible(home.path, line('5'));
    putBack();
    flushLate(home.path);
    assert.deepEqual(ids(), ['1', '2', '3', '4', '5']);
    assert.equal(mergeWhenPossible(home.path, ['5', '6'].map(line)), null);
    assert.deepEqual(ids(), ['1', '2', '3', '4', '5', '6']);
  });

  describe('in a journal of a later format', () => {
    const LATER = '{"kind":"intent","format":9,"id":"of a later release"}\n';
    const makeLater = () => fs.appendFileSync(journalPath(home.path), LATER);
    const text = () => fs.readFileSync(journalPath(home.path), 'utf8');

    it('what was written elsewhere does not follow', () => {
      makeLater();
      assert.equal(
        /** @type {any} */ (mergeWhenPossible(home.path, ['1', '2'].map(line)))?.code,
        'TUNE-40010',
      );
      flushLate(home.path);
      assert.match(String(writeWhenPossible(home.path, line('3'))), /TUNE-40010/);
      assert.equal(text(), LATER);
    });

    it('one that could not be written does not follow', () => {
      block();
      writeWhenPossible(home.path, line('1'));
      unblock();
      makeLater();
      flushLate(home.path);
      assert.equal(text(), LATER);
    });

    it('a change that was begun before has its next line', () => {
      makeLater();
      assert.equal(writeWhenPossible(home.path, line('1')), null);
      assert.equal(text(), `${LATER}${JSON.stringify(line('1'))}\n`);
    });
  });

  it('a folder that was taken away does not come back', async () => {
    block();
    writeWhenPossible(home.path, line('1'));
    fs.rmSync(home.path, { recursive: true });
    await pause(AGAIN_MS);
    assert.equal(fs.existsSync(home.path), false);
  });
});
