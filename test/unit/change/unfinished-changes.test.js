'use strict';

const assert = require('node:assert/strict');
const fs = require('node:fs');
const { spawnSync } = require('node:child_process');
const { writeLine, journalPath } = require('../../../lib/change/journal');
const { unfinishedChanges } = require('../../../lib/change/unfinished-changes');
const { isAlive, ownWriter, writerName, SILENT_MS } = require('../../../lib/change/writer');
const { planUndo } = require('../../../lib/change/undo-entry');
const { refuseOpen } = require('../../../lib/trial/plan');
const { makeUnfinishedNotice } = require('../../../lib/shell/install');
const { progressNote, entryToUndo } = require('../../../lib/change/pure/undoable');
const { temporaryFolder } = require('../../support/cleanup');

const RUN = { host: 'h:1', processId: 'p1', pid: 7, startedAtMs: 1000 };
/** This computer; when the process began is not reported. */
const HERE = { ...ownWriter(), startedTicks: null };
/** A process that has ended. */
const GONE = Number(spawnSync(process.execPath, ['-e', '0']).pid);
const intent = (/** @type {string} */ id, more = {}) =>
  /** @type {any} */ ({
    kind: 'intent',
    id,
    at: '2026-01-01T10:11:12.000Z',
    atMs: 100,
    action: 'trial',
    undoes: null,
    host: 'h:1',
    version: '6.0.5',
    run: RUN,
    change: { evictionTarget: 70 },
    before: { evictionTarget: 80 },
    commands: ['eviction_target=70'],
    was: '',
    writerPid: GONE,
    writer: HERE,
    ...more,
  });
const outcome = (/** @type {string} */ id) =>
  /** @type {any} */ ({
    kind: 'outcome',
    id,
    at: '2026-01-01T10:11:13.000Z',
    outcome: 'undone',
    after: null,
    verified: true,
    reason: null,
  });
const portOf = (/** @type {string} */ processId) =>
  /** @type {any} */ ({
    adminCommand: async (/** @type {any} */ command) =>
      command.hello
        ? { topologyVersion: { processId } }
        : { host: 'h:1', version: '6.0.5', pid: 7 },
  });

describe('what another shell left in the middle', () => {
  /** @type {{ path: string, remove(): void }} */ let home;
  beforeEach(() => {
    home = temporaryFolder('home');
  });
  afterEach(() => home.remove());
  const open = () => unfinishedChanges(home.path).map(({ id }) => id);

  it('is what nobody closed, of a shell that is gone', () => {
    assert.deepEqual(open(), []);
    writeLine(home.path, intent('a'));
    writeLine(home.path, intent('own', { writerPid: process.pid, writer: ownWriter() }));
    writeLine(home.path, intent('other', { writerPid: process.ppid }));
    writeLine(home.path, intent('old', { writerPid: undefined }));
    assert.deepEqual(open(), ['a', 'own']);
    assert.deepEqual(open(), ['a', 'own']);
    writeLine(home.path, outcome('a'));
    assert.deepEqual(open(), ['own']);
  });
  it('a journal that cannot be read tells nothing here', () => {
    fs.mkdirSync(journalPath(home.path));
    assert.deepEqual(open(), []);
  });
  it('processes', () => {
    const alive = (/** @type {any} */ more) =>
      isAlive(/** @type {any} */ ({ ...intent('a'), sent: [], asking: null, ...more }));
    assert.deepEqual(
      [undefined, process.ppid, GONE, 1].map((writerPid) => alive({ writerPid })),
      [false, true, false, true],
    );
    assert.equal(alive({ writerPid: process.pid, writer: ownWriter() }), false, 'our own');
    const over = { writerPid: process.ppid, outcome: 'unknown' };
    assert.equal(alive({ ...over, reason: null }), true);
    assert.equal(
      alive({ ...over, reason: 'the way back failed' }),
      false,
      'it said that it is over',
    );
  });

  it(
    'the number of a process means something only on its own computer, since its start, in its ' +
      'container',
    () => {
      const at = Date.parse('2026-01-01T10:11:12.000Z');
      const alive = (/** @type {object} */ writer, nowMs = at + 1000, more = {}) =>
        isAlive(
          /** @type {any} */ ({
            ...intent('a', { writer: writer && { ...HERE, ...writer } }),
            sent: [],
            asking: null,
            ...more,
          }),
          nowMs,
        );
      for (const other of [
        { host: 'another' },
        { bootId: 'another' },
        { pidNamespace: 'pid:[1]' },
        { bootId: null },
        null,
      ]) {
        assert.deepEqual(
          [
            alive(/** @type {any} */ (other)),
            alive(/** @type {any} */ (other), at + SILENT_MS + 1),
          ],
          [true, false],
          JSON.stringify(other),
        );
      }
      assert.equal(alive({}), false, 'a process of this computer that is gone');
      assert.equal(
        alive({ host: 'another' }, at + SILENT_MS + 1, { sent: [{ atMs: at + 5000 }] }),
        true,
        'it was at work later',
      );
      assert.equal(
        alive({ host: 'another' }, at + SILENT_MS + 1, { trial: { seconds: 30 } }),
        true,
        'a block of a trial is long',
      );
      assert.deepEqual(
        [
          writerName(/** @type {any} */ ({ writerPid: 7, writer: HERE })),
          writerName(/** @type {any} */ ({ writerPid: 7, writer: { ...HERE, host: 'nfs2' } })),
        ],
        ['process 7', 'process 7 on nfs2'],
      );
    },
  );

  it('a trial that may still run on another computer is not undone without force', () => {
    const running = /** @type {any} */ ({
      ...intent('a', { at: new Date().toISOString(), writer: { ...HERE, host: 'nfs2' } }),
      outcome: 'unknown',
      sent: [],
      asking: null,
    });
    const settings = /** @type {any} */ ({ entries: [running], run: RUN, timeline: [], drift: [] });
    for (const refuses of [
      () => planUndo(running, { settings, force: false, cores: null }),
      () => refuseOpen(settings),
    ]) {
      assert.throws(
        refuses,
        (error) =>
          error.code === 'TUNE-30010' && new RegExp(`process ${GONE} on nfs2`).test(error.message),
      );
    }
  });

  it('a number that was given to another process since is not the writer', function () {
    if (ownWriter().startedTicks === null) this.skip();
    const alive = (/** @type {string} */ startedTicks) =>
      isAlive(
        /** @type {any} */ ({
          ...intent('a', { writerPid: process.ppid, writer: { ...HERE, startedTicks } }),
          sent: [],
          asking: null,
        }),
      );
    assert.equal(alive('1'), false);
  });

  it(
    'a change of several members is told once, to whoever connects to one of them, also where ' +
      'it ended between two',
    async () => {
      /** @type {string[]} */ const reported = [];
      const notify = makeUnfinishedNotice({
        home: home.path,
        notify: (text) => reported.push(text),
      });
      const group = (/** @type {string} */ member) => ({
        action: 'apply',
        group: { id: 'g', member, members: ['b:2', 'c:3', 'a:1'] },
      });
      const at = (/** @type {string} */ me) => ({
        ...portOf('p9'),
        adminCommand: async (/** @type {any} */ command) =>
          command.hello
            ? { me, topologyVersion: { processId: 'p9' } }
            : { host: me, version: '6.0.5', pid: 7 },
      });
      writeLine(home.path, intent('one', group('b:2')));
      writeLine(home.path, { ...outcome('one'), outcome: 'applied' });
      await notify('status', at('elsewhere:1'));
      assert.deepEqual(reported, []);
      writeLine(home.path, intent('two', group('c:3')));
      await notify('status', at('a:1'));
      await notify('status', at('a:1'));
      assert.equal(reported.length, 1);
      assert.match(
        reported[0],
        /^tune: a change of \{ evictionTarget: 70 \} on 3 members was left in the middle at 2026-01-01 10:11 UTC\.\n {2}tune\.undo\("g"\)/,
      );
    },
  );

  it(
    'is told once, where it concerns this run of the server, and not by commands that are ' +
      'about it',
    async () => {
      /** @type {string[]} */ const reported = [];
      const notify = makeUnfinishedNotice({
        home: home.path,
        notify: (text) => reported.push(text),
      });
      await notify('status', portOf('p1'));
      writeLine(home.path, intent('a'));
      writeLine(home.path, intent('b', { action: 'apply' }));
      writeLine(home.path, intent('c', { action: 'undo', run: { ...RUN, processId: 'p0' } }));
      await notify('undo', portOf('p1'));
      await notify('status', portOf('p2'));
      await notify('status', {
        adminCommand: async () => {
          throw new Error('not connected');
        },
        command: async () => {},
      });
      assert.deepEqual(reported, []);
      await notify('', portOf('p1'));
      await notify('status', portOf('p1'));
      assert.deepEqual(reported, [
        'tune: a trial of { evictionTarget: 70 } on h:1 was left in the middle at 2026-01-01 ' +
          '10:11 UTC.\n  tune.undo("a") shows a dry run of the undo; add { confirm: true } to run it.\n',
        'tune: a change of { evictionTarget: 70 } on h:1 was left in the middle at 2026-01-01 ' +
          '10:11 UTC.\n  tune.undo("b") shows a dry run of the undo; add { confirm: true } to run it.\n',
      ]);
    },
  );

  it('undo finds it', () => {
    const entry = /** @type {any} */ ({
      ...intent('a'),
      outcome: 'unknown',
      sent: [],
      asking: { command: 'eviction_target=70' },
    });
    assert.equal(entryToUndo([entry], undefined, RUN).id, 'a');
    assert.deepEqual(progressNote(entry), [
      'The trial was cut short: which of its two settings is active is read from the ' +
        "server's log and counters.",
    ]);
  });
});
