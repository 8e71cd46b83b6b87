'use strict';

const assert = require('node:assert/strict');
const fs = require('node:fs');
const { spawnSync } = require('node:child_process');
const { writeLine, journalPath } = require('../../../lib/apply/journal');
const { leftBehind } = require('../../../lib/apply/left-behind');
const { isAlive } = require('../../../lib/apply/writers');
const { makeLeftBehind } = require('../../../lib/shell/left-behind');
const { howFar, entryToUndo } = require('../../../lib/plan/undoable');
const { temporaryFolder } = require('../../support/cleanup');

const RUN = { host: 'h:1', processId: 'p1', pid: 7, startedAtMs: 1000 };
/** A process that has ended. */
const GONE = Number(spawnSync(process.execPath, ['-e', '0']).pid);
const intent = (/** @type {string} */ id, more = {}) => /** @type {any} */ ({
  kind: 'intent', id, at: '2026-01-01T10:11:12.000Z', atMs: 100, action: 'trial', undoes: null, host: 'h:1', version: '6.0.5', run: RUN, change: { evictionTarget: 70 }, before: { evictionTarget: 80 },
  commands: ['eviction_target=70'], was: '', writerPid: GONE, ...more,
});
const outcome = (/** @type {string} */ id) => /** @type {any} */ ({ kind: 'outcome', id, at: '2026-01-01T10:11:13.000Z', outcome: 'undone', after: null, verified: true, reason: null });
const portOf = (/** @type {string} */ processId) => /** @type {any} */ ({ adminCommand: async (/** @type {any} */ command) => (command.hello ? { topologyVersion: { processId } } : { host: 'h:1', version: '6.0.5', pid: 7 }) });

describe('what another shell left in the middle', () => {
  /** @type {{ path: string, remove(): void }} */ let home;
  beforeEach(() => { home = temporaryFolder('home'); });
  afterEach(() => home.remove());
  const open = () => leftBehind(home.path).map(({ id }) => id);

  it('is what nobody closed, of a shell that is gone', () => {
    assert.deepEqual(open(), []);
    writeLine(home.path, intent('a'));
    writeLine(home.path, intent('own', { writerPid: process.pid }));
    writeLine(home.path, intent('other', { writerPid: process.ppid }));
    writeLine(home.path, intent('old', { writerPid: undefined }));
    assert.deepEqual(open(), ['a', 'own']);
    assert.deepEqual(open(), ['a', 'own']);
    writeLine(home.path, outcome('a'));
    assert.deepEqual(open(), ['own']);
  });
  it('a journal that can not be read tells nothing here', () => {
    fs.mkdirSync(journalPath(home.path));
    assert.deepEqual(open(), []);
  });
  it('processes', () => {
    assert.deepEqual([isAlive(undefined), isAlive(process.pid), isAlive(process.ppid), isAlive(GONE)], [false, false, true, false]);
    assert.equal(isAlive(1), true);
  });

  it('a change of several members is told once, to whoever connects to one of them, also where it ended between two', async () => {
    /** @type {string[]} */ const told = [];
    const tell = makeLeftBehind({ home: home.path, tell: (text) => told.push(text) });
    const group = (/** @type {string} */ member) => ({ action: 'apply', group: { id: 'g', member, members: ['b:2', 'c:3', 'a:1'] } });
    const at = (/** @type {string} */ me) => ({ ...portOf('p9'), adminCommand: async (/** @type {any} */ command) => (command.hello ? { me, topologyVersion: { processId: 'p9' } } : { host: me, version: '6.0.5', pid: 7 }) });
    writeLine(home.path, intent('one', group('b:2')));
    writeLine(home.path, { ...outcome('one'), outcome: 'applied' });
    await tell('status', at('elsewhere:1'));
    assert.deepEqual(told, []);
    writeLine(home.path, intent('two', group('c:3')));
    await tell('status', at('a:1'));
    await tell('status', at('a:1'));
    assert.equal(told.length, 1);
    assert.match(told[0], /^tune: a change of \{ evictionTarget: 70 \} on 3 members was left in the middle at 2026-01-01 10:11 UTC\.\n {2}tune\.undo\("g"\)/);
  });

  it('is told once, where it concerns this run of the server, and not by commands that are about it', async () => {
    /** @type {string[]} */ const told = [];
    const tell = makeLeftBehind({ home: home.path, tell: (text) => told.push(text) });
    await tell('status', portOf('p1'));
    writeLine(home.path, intent('a'));
    writeLine(home.path, intent('b', { action: 'apply' }));
    writeLine(home.path, intent('c', { action: 'undo', run: { ...RUN, processId: 'p0' } }));
    await tell('undo', portOf('p1'));
    await tell('status', portOf('p2'));
    await tell('status', { adminCommand: async () => { throw new Error('not connected'); }, command: async () => {} });
    assert.deepEqual(told, []);
    await tell('', portOf('p1'));
    await tell('status', portOf('p1'));
    assert.deepEqual(told, [
      'tune: a trial of { evictionTarget: 70 } on h:1 was left in the middle at 2026-01-01 10:11 UTC.\n  tune.undo("a") shows the way back, with { confirm: true } it goes it.\n',
      'tune: a change of { evictionTarget: 70 } on h:1 was left in the middle at 2026-01-01 10:11 UTC.\n  tune.undo("b") shows the way back, with { confirm: true } it goes it.\n',
    ]);
  });

  it('undo finds it', () => {
    const entry = /** @type {any} */ ({ ...intent('a'), outcome: 'unknown', sent: [], asking: { command: 'eviction_target=70' } });
    assert.equal(entryToUndo([entry], undefined, RUN).id, 'a');
    assert.deepEqual(howFar(entry), ['The trial ended in the middle: which of its two settings is in force is read from the server\'s log and figures.']);
  });
});
