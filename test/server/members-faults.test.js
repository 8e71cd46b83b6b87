'use strict';

const assert = require('node:assert/strict');
const { fork } = require('node:child_process');
const { once } = require('node:events');
const fs = require('node:fs');
const { MongoNetworkError } = require('mongodb');
const { startReplicaSet } = require('../support/server');
const { contextOf } = require('../support/context');
const { temporaryFolder } = require('../support/cleanup');
const { journalPath } = require('../../lib/change/journal');
const { unfinishedChanges } = require('../../lib/change/unfinished-changes');
const { makeUnfinishedNotice } = require('../../lib/shell/install');
const { run: apply } = require('../../lib/commands/apply');
const { run: undo } = require('../../lib/commands/undo');
const { run: config } = require('../../lib/commands/settings');
const { run: history } = require('../../lib/commands/history');

/**
 * @import { ChildProcess } from 'node:child_process'
 */

const DO = Object.freeze({ confirm: true });
const ALL = Object.freeze({ members: /** @type {const} */ ('all'), confirm: true });
const CHANGE = Object.freeze({ evictionThreadsMax: 6 });
const SHELL = require.resolve('../support/group-shell');
const LIMIT_MS = 120_000;

describe('what goes wrong while a change goes from member to member', function () {
  this.timeout(LIMIT_MS);
  /** @type {Awaited<ReturnType<typeof startReplicaSet>>} */ let server;
  /** @type {{ path: string, remove(): void }} */ let home;
  /** @type {ChildProcess[]} */ const shells = [];
  const context = (options = {}) => contextOf(server.client, { home: home.path, ...options });
  const at = async (/** @type {string} */ host) => server.connect(server.uriOf(host));
  const setAt = async (/** @type {string} */ host, /** @type {string} */ text) =>
    (await at(host)).db('admin').command({ setParameter: 1, wiredTigerEngineRuntimeConfig: text });
  const valuesOf = async (/** @type {'evictionThreadsMax' | 'evictionTarget'} */ setting) =>
    Promise.all(
      server.hosts.map(async (host) => {
        const elsewhere = temporaryFolder('elsewhere');
        const found = await config(contextOf(await at(host), { home: elsewhere.path }));
        elsewhere.remove();
        return found[setting].value;
      }),
    );
  const threads = async () => valuesOf('evictionThreadsMax');
  const reported = async (host = server.hosts[0]) => {
    /** @type {string[]} */ const texts = [];
    const notify = makeUnfinishedNotice({ home: home.path, notify: (text) => texts.push(text) });
    await notify('status', contextOf(await at(host), { home: home.path }).port);
    return texts;
  };
  /** @param {object} options */
  const shell = (options, change = CHANGE) => {
    const child = fork(SHELL, [
      server.uri,
      home.path,
      JSON.stringify(change),
      JSON.stringify(options),
    ]);
    shells.push(child);
    return child;
  };
  /**
   * The primary, which comes last, refuses, after something has happened.
   * @param {() => unknown} happens
   */
  const refusing = (happens) => {
    const ctx = context();
    let isOver = false;
    return {
      ...ctx,
      connect: async (/** @type {string} */ host) => {
        const connected = await ctx.connect(host);
        const adminCommand = async (/** @type {any} */ command) => {
          const isLast = host === server.hosts[0] && command.setParameter && !isOver;
          if (isLast) {
            isOver = true;
            await happens();
            throw Object.assign(new Error('not today'), { name: 'MongoServerError', code: 2 });
          }
          return connected.port.adminCommand(command);
        };
        return { ...connected, port: { ...connected.port, adminCommand } };
      },
    };
  };
  const failed = async (/** @type {() => unknown} */ happens) =>
    apply(refusing(happens), CHANGE, ALL).then(
      () => assert.fail('it must not succeed'),
      (/** @type {any} */ error) => error,
    );

  const undoneOnes = async () =>
    (await history(context(), { all: true }))
      .filter(({ action, outcome }) => action === 'apply' && outcome !== 'refused')
      .map(({ outcome }) => outcome);

  before(async () => {
    server = await startReplicaSet({ members: [{}, { priority: 0 }, { priority: 0 }] });
    await server.adminCommand({ setDefaultRWConcern: 1, defaultWriteConcern: { w: 1 } });
  });
  after(() => server?.stop());
  beforeEach(() => {
    home = temporaryFolder('home');
  });
  afterEach(async () => {
    for (const child of shells.splice(0)) child.kill('SIGKILL');
    home.remove();
    for (const host of server.hosts)
      await setAt(host, 'eviction=(threads_min=4,threads_max=4),eviction_target=80');
  });

  describe('the journal', () => {
    it('that was cut meanwhile does not keep a member from being taken back', async () => {
      const error = await failed(() => fs.truncateSync(journalPath(home.path), 0));
      assert.match(error.message, /All members have their previous settings\./);
      assert.deepEqual(await threads(), [4, 4, 4]);
      assert.deepEqual(
        (await history(context(), { all: true })).filter(
          ({ action, undo: way }) => action === 'apply' && way !== null,
        ),
        [],
        'and it knows that',
      );
    });
    it('that lost a line meanwhile neither', async () => {
      const error = await failed(() => {
        const lines = fs.readFileSync(journalPath(home.path), 'utf8').split('\n');
        lines[0] = lines[0].slice(0, -5);
        fs.writeFileSync(journalPath(home.path), lines.join('\n'));
      });
      assert.match(error.message, /All members have their previous settings\./);
      assert.deepEqual(await threads(), [4, 4, 4]);
    });
    it('that cannot be read any more neither; what is sent is written down elsewhere', async () => {
      const file = journalPath(home.path);
      const error = await failed(() => {
        fs.renameSync(file, `${file}.kept`);
        fs.mkdirSync(file);
      });
      assert.equal(error.code, 'TUNE-20008', 'what stopped it stays the error');
      assert.match(error.message, /The journal .* cannot be read.*Undone on .* and /);
      const [, spare] = /The undo is recorded in (\S+),/.exec(error.message) ?? [];
      assert.deepEqual(await threads(), [4, 4, 4]);
      assert.match(fs.readFileSync(journalPath(spare), 'utf8'), /"action":"undo"/);
      fs.rmSync(spare, { recursive: true });
      fs.rmdirSync(file);
      fs.renameSync(`${file}.kept`, file);
      await assert.rejects(undo(context(), DO), { code: 'TUNE-30007' });
      assert.deepEqual(await undoneOnes(), ['undone', 'undone'], 'it gets those lines');
      assert.deepEqual([await reported(), await threads()], [[], [4, 4, 4]]);
    });
    it('that cannot be written for a moment has all lines of the undo at its end', async () => {
      const file = journalPath(home.path);
      const error = await failed(() => {
        fs.renameSync(file, `${file}.kept`);
        fs.mkdirSync(file);
        setTimeout(() => {
          fs.rmdirSync(file);
          fs.renameSync(`${file}.kept`, file);
        }, 30);
      });
      assert.equal(error.code, 'TUNE-20008');
      assert.deepEqual(await threads(), [4, 4, 4]);
      assert.deepEqual(await undoneOnes(), ['undone', 'undone']);
      assert.doesNotMatch(error.message, /is recorded in/);
    });
  });

  it('a shell that is killed while it takes the members back: the next one tells and goes on', async () => {
    const [primary] = server.hosts;
    await once(shell({ refuse: primary, dieAfter: 1 }), 'exit');
    const seen = await threads();
    assert.deepEqual(seen.toSorted(), [4, 4, 6], 'one is back, one is not');
    const [text] = await reported();
    assert.match(String(text), /a change of \{ evictionThreadsMax: 6 \} on 3 members was left/);
    const { verified } = await undo(context(), DO);
    assert.equal(verified, true);
    assert.deepEqual([await threads(), unfinishedChanges(home.path)], [[4, 4, 4], []]);
  });

  it('a call that is lost, and arrives after the members were taken back, is told, and undone', async () => {
    const [primary] = server.hosts;
    const ctx = context();
    let lost = null;
    const own = {
      ...ctx,
      connect: async (/** @type {string} */ host) => {
        const connected = await ctx.connect(host);
        const adminCommand = async (/** @type {any} */ command) => {
          if (host !== primary || !command.setParameter || lost !== null)
            return connected.port.adminCommand(command);
          lost = command;
          throw new MongoNetworkError('connection closed');
        };
        return { ...connected, port: { ...connected.port, adminCommand } };
      },
    };
    await assert.rejects(apply(own, CHANGE, ALL), (error) => {
      assert.match(error.message, /may still arrive/);
      assert.doesNotMatch(error.message, /All members have their previous settings/);
      return true;
    });
    await (await at(primary)).db('admin').command(lost);
    assert.equal((await reported()).length, 1);
    await undo(context(), DO);
    assert.deepEqual(await threads(), [4, 4, 4]);
  });

  describe('another shell at work on it', () => {
    for (const [title, hold] of /** @type {const} */ ([
      ['in the middle of a call', { command: 'setParameter', after: 2 }],
      ['between two members', { command: 'replSetGetStatus', after: 1 }],
    ])) {
      it(`${title}: neither undo nor another change begins, and nobody is told it was left`, async () => {
        const child = shell({ hold });
        assert.deepEqual(await once(child, 'message'), ['held', undefined]);
        await assert.rejects(
          undo(context()),
          (error) =>
            error.code === 'TUNE-30010' &&
            new RegExp(`process ${child.pid}\\) is still making the change`).test(error.message),
        );
        await assert.rejects(
          apply(context(), { evictionTarget: 75 }, ALL),
          (error) => error.code === 'TUNE-30010',
        );
        assert.deepEqual(await reported(), []);
        child.send('go');
        const [{ code, id }] = await once(child, 'message');
        assert.deepEqual([code, await threads()], [null, [6, 6, 6]]);
        await undo(context(), id, DO);
        assert.deepEqual(await threads(), [4, 4, 4]);
      });
    }

    it('that is overruled by force stops before the next member, and takes back what it sent', async () => {
      const child = shell({ hold: { command: 'setParameter', after: 2 } });
      assert.deepEqual(await once(child, 'message'), ['held', undefined]);
      const { order } = await undo(context(), { confirm: true, force: true });
      assert.equal(order.length, 3);
      child.send('go');
      const [{ code, message }] = await once(child, 'message');
      assert.equal(code, 'TUNE-30006');
      assert.match(message, /Another session has already undone this change/);
      assert.deepEqual(await threads(), [4, 4, 4], message);
      await assert.rejects(undo(context()), { code: 'TUNE-30007' });
    });

    it('that is overruled by force before its first call has come stops after it, too', async () => {
      const child = shell({ hold: { command: 'setParameter', after: 0 } });
      assert.deepEqual(await once(child, 'message'), ['held', undefined]);
      await undo(context(), { confirm: true, force: true });
      child.send('go');
      const [{ code, message }] = await once(child, 'message');
      assert.equal(code, 'TUNE-30006', message);
      assert.match(message, /Another session has already undone this change on .*\(1 of 3\)/);
      assert.deepEqual(await threads(), [4, 4, 4], message);
    });

    it('what the other one undid and redid is not rolled back', async () => {
      const child = shell({ hold: { command: 'replSetGetStatus', after: 1 } });
      assert.deepEqual(await once(child, 'message'), ['held', undefined]);
      // The shell does not wait for a lost answer for ever: on a busy machine it ends by itself.
      const ended = once(child, 'message');
      const back = await undo(context(), { confirm: true, force: true });
      await undo(context(), String(back.id), { confirm: true, force: true });
      if (child.connected) child.send('go');
      const [{ code, message }] = await ended;
      assert.equal(code, 'TUNE-30006', message);
      // Where it gave the answer up before the redo, it saw the undo alone.
      if (/has already undone this change/.test(message)) return;
      assert.match(message, /Another session undid the change there and redid it/);
      assert.deepEqual((await threads()).toSorted(), [4, 4, 6], message);
    });

    it('the error says what does not show where another session set something after a call', async () => {
      const child = shell({ hold: { command: 'hello', after: 1 } });
      assert.deepEqual(await once(child, 'message'), ['held', undefined]);
      for (const host of server.hosts) await setAt(host, 'eviction_target=77');
      child.send('go');
      const [{ code, message }] = await once(child, 'message');
      assert.equal(code, 'TUNE-30004', message);
      assert.match(message, /Not as sent: the server shows another string than the last one sent/);
      assert.deepEqual(await threads(), [4, 4, 4], message);
    });

    it('an undo that comes while a call is on its way is noticed after it', async () => {
      const [primary] = server.hosts;
      const ctx = context();
      let [undone, message] = [null, ''];
      const own = {
        ...ctx,
        connect: async (/** @type {string} */ host) => {
          const connected = await ctx.connect(host);
          const adminCommand = async (/** @type {any} */ command) => {
            const text = String(command.wiredTigerEngineRuntimeConfig);
            if (host === primary && /threads_max=6/.test(text) && undone === null)
              undone = await undo(context(), { confirm: true, force: true });
            return connected.port.adminCommand(command);
          };
          return { ...connected, port: { ...connected.port, adminCommand } };
        },
      };
      await assert.rejects(
        apply(own, { evictionTarget: 75, evictionThreadsMax: 6 }, ALL),
        (error) => {
          message = error.message;
          return error.code === 'TUNE-30006';
        },
      );
      assert.deepEqual(
        [await threads(), await valuesOf('evictionTarget')],
        [
          [4, 4, 4],
          [80, 80, 80],
        ],
        message,
      );
    });
  });

  it('where another session set the same on a member, the error says what stands and what undoes it', async () => {
    const [, second, third] = server.hosts;
    const error = await failed(async () => setAt(second, 'eviction=(threads_max=9)'));
    const typed = `tune.undo("${error.id}", { confirm: true, force: true })`;
    assert.equal(error.undo, typed);
    assert.match(error.message, new RegExp(`Undone on ${third}\\. Not undone on ${second}`));
    assert.match(error.message, /another session set "eviction=\(threads_max=9\)"/);
    assert.ok(error.message.includes(`run ${typed}, which overwrites`), error.message);
    await assert.rejects(undo(context(), error.id, DO), { code: 'TUNE-30006' });
    await undo(context(), error.id, { confirm: true, force: true });
    assert.deepEqual(await threads(), [4, 4, 4]);
  });

  describe('a member that is restarted', () => {
    const restart = async (/** @type {string} */ host) => {
      await server.kill(host);
      await server.revive(host);
      for (;;) {
        const { secondary } = await (await at(host)).db('admin').command({ hello: 1 });
        if (secondary) return;
        await new Promise((resolve) => {
          setTimeout(resolve, 100);
        });
      }
    };

    it('meanwhile keeps the settings of its start', async () => {
      const [, second, third] = server.hosts;
      const error = await failed(async () => {
        await restart(third);
        await setAt(third, 'eviction=(threads_max=10)');
      });
      assert.match(error.message, new RegExp(`Undone on ${second}\\. ${third} was restarted`));
      assert.match(error.message, /The change is not active on any member\./);
      assert.deepEqual(await threads(), [4, 4, 10]);
    });

    it('since counts as undone there, so that the next undo goes further back', async () => {
      const [, , third] = server.hosts;
      const first = await apply(context(), { evictionTarget: 75 }, DO);
      const group = await apply(context(), CHANGE, ALL);
      await restart(third);
      const shown = await undo(context());
      assert.match(
        shown.warnings.join(),
        new RegExp(`A restart of ${third} has reverted its change`),
      );
      const back = await undo(context(), DO);
      assert.deepEqual([back.undoes, await threads()], [group.id, [4, 4, 4]]);
      const again = await undo(context(), DO);
      assert.equal(again.undoes, first.id);
    });
  });

  it('a member that got another name since is found by its process', async () => {
    const done = await apply(context(), CHANGE, ALL);
    const { config: old } = await server.adminCommand({ replSetGetConfig: 1 });
    const rename = async (/** @type {(host: string) => string} */ named) => {
      const { config: now } = await server.adminCommand({ replSetGetConfig: 1 });
      const rest = { ...now };
      delete rest.term;
      const members = old.members.map((/** @type {any} */ one) => ({
        ...one,
        host: one.host === server.hosts[2] ? named(one.host) : one.host,
      }));
      await server.adminCommand({
        replSetReconfig: { ...rest, version: now.version + 1, members },
        force: true,
      });
      const isIn = async () => {
        const { members: seen } = await server.adminCommand({ replSetGetStatus: 1 });
        const hello = await (await at(server.hosts[2])).db('admin').command({ hello: 1 });
        return (
          seen.every(({ stateStr }) => /^(PRIMARY|SECONDARY)$/.test(stateStr)) &&
          hello.me === named(server.hosts[2])
        );
      };
      while (!(await isIn()))
        await new Promise((resolve) => {
          setTimeout(resolve, 100);
        });
    };
    await rename((host) => host.replace('127.0.0.1', 'localhost'));
    try {
      const { order, warnings } = await undo(context(), done.id, DO);
      assert.equal(order.length, 3, warnings.join());
      assert.deepEqual(await threads(), [4, 4, 4]);
    } finally {
      await rename((host) => host);
    }
  });
});
