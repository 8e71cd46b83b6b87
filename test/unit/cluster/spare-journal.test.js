'use strict';

const assert = require('node:assert/strict');
const fs = require('node:fs');
const { spareHome, mergeSpare } = require('../../../lib/cluster/group-journal');
const { writeWhenPossible } = require('../../../lib/change/late-lines');
const { readLines, journalPath } = require('../../../lib/change/journal');
const { temporaryFolder } = require('../../support/cleanup');

/** @param {string} id @returns {any} */
const line = (id) => ({ kind: 'sent', id, atMs: 1, command: 'cache_size=1G', was: null });
/** @param {string} home */
const idsIn = (home) => readLines(home).lines.map(({ id }) => id);

describe('cluster/group-journal: what was written down elsewhere', () => {
  /** @type {{ path: string, remove(): void }} */ let home;
  /** @type {string} */ let spare;
  beforeEach(() => {
    home = temporaryFolder('spare');
    spare = spareHome([line('1')]);
    const kept = `${journalPath(spare)}.kept`;
    fs.renameSync(journalPath(spare), kept);
    fs.mkdirSync(journalPath(spare));
    assert.match(String(writeWhenPossible(spare, line('2'))), /TUNE-40001/);
    fs.rmdirSync(journalPath(spare));
    fs.renameSync(kept, journalPath(spare));
    assert.deepEqual(idsIn(spare), ['1']);
  });
  afterEach(() => {
    home.remove();
    fs.rmSync(spare, { recursive: true, force: true });
  });

  it('the journal gets what could not be written there either, and the folder goes', () => {
    assert.equal(mergeSpare(home.path, spare), null);
    assert.deepEqual(idsIn(home.path), ['1', '2']);
    assert.equal(fs.existsSync(spare), false);
    assert.equal(writeWhenPossible(spare, line('3')), null);
    assert.deepEqual(idsIn(spare), ['3'], 'nothing is left to be written there');
  });

  it('a journal of a later format gets nothing, and the folder stays', () => {
    fs.writeFileSync(journalPath(home.path), '{"kind":"intent","format":9,"id":"x"}\n');
    const text = fs.readFileSync(journalPath(home.path), 'utf8');
    assert.equal(mergeSpare(home.path, spare), spare);
    assert.equal(fs.readFileSync(journalPath(home.path), 'utf8'), text);
    writeWhenPossible(spare, line('3'));
    assert.deepEqual(idsIn(spare), ['1', '2', '3']);
  });
});
