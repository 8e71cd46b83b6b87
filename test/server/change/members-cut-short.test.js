'use strict';

const assert = require('node:assert/strict');
const path = require('node:path');
const { once } = require('node:events');
const { spawn } = require('node:child_process');
const { startReplicaSet } = require('../../support/server');
const { contextOf } = require('../../support/context');
const { interrupted } = require('../../../lib/base/context');
const { temporaryFolder } = require('../../support/cleanup');
const { run: apply } = require('../../../lib/commands/apply');
const { run: undo } = require('../../../lib/commands/undo');
const { run: config } = require('../../../lib/commands/settings');

const DO = Object.freeze({ confirm: true });
const DYING = path.join(__dirname, '../../support/dying-group.js');

describe('a change of members that was cut short, and an earlier one that stands', function () {
  this.timeout(120_000);
  /** @type {Awaited<ReturnType<typeof startReplicaSet>>} */ let set;
  /** @type {{ path: string, remove(): void }} */ let home;
  const context = () => contextOf(set.client, { home: home.path });
  const values = (/** @type {'evictionTarget' | 'evictionThreadsMax'} */ setting) =>
    Promise.all(
      set.hosts.map(async (host) => {
        const client = await set.connect(set.uriOf(host));
        return (await config(contextOf(client, { home: home.path })))[setting].value;
      }),
    );
  /** @param {Awaited<ReturnType<typeof undo>>} done @param {string} without a member it did not undo */
  const assertNoRedo = async (done, without) => {
    const hosts = [...set.hosts.slice(1), set.hosts[0]];
    const all = `tune.apply({ evictionThreadsMax: 6 }, { members: ${JSON.stringify(hosts).replaceAll(',', ', ')} })`;
    assert.equal(done.undo, all);
    assert.doesNotMatch(String(done), /Redo/);
    const shown = await undo(context(), done.id ?? '');
    const reached = shown.members.map(({ member }) => member);
    assert.ok(reached.length > 0 && !reached.includes(without));
    assert.match(shown.warnings.join(' '), new RegExp(`not ${without}.*: the members will differ`));
    assert.ok(shown.warnings.join(' ').includes(`${all} shows a dry run on all`), `${shown}`);
  };
  before(async () => {
    set = await startReplicaSet({ members: 3 });
  });
  beforeEach(() => {
    home = temporaryFolder('home');
  });
  afterEach(() => home?.remove());
  after(() => set?.stop());

  for (const [what, options] of /** @type {const} */ ([
    ['of the one server', {}],
    ['of all members', { members: 'all' }],
  ]))
    it(`${what}: undo at the primary takes back the later one, which never came to it`, async () => {
      const { id } = await apply(context(), { evictionTarget: 75 }, { ...options, ...DO });
      const change = JSON.stringify({ evictionThreadsMax: 6 });
      const child = spawn(process.execPath, [DYING, set.uri, home.path, '2', change]);
      await once(child, 'exit');
      assert.deepEqual(await values('evictionThreadsMax'), [4, 6, 6]);
      const shown = await undo(context());
      assert.deepEqual(shown.order, set.hosts.slice(1), 'before the earlier one');
      const done = await undo(context(), DO);
      assert.deepEqual(await values('evictionThreadsMax'), [4, 4, 4]);
      assert.equal((await values('evictionTarget'))[0], 75);
      await assertNoRedo(done, set.hosts[0]);
      assert.equal((await undo(context(), DO)).undoes, id);
      assert.deepEqual(await values('evictionTarget'), [80, 80, 80]);
    });

  it('an undo is not verified while a call of the change may still arrive', async () => {
    const change = JSON.stringify({ evictionTarget: 76 });
    const child = spawn(process.execPath, [
      DYING,
      set.uri,
      home.path,
      '2',
      change,
      'all',
      'unsent',
    ]);
    await once(child, 'exit');
    const done = await undo(context(), DO);
    assert.equal(done.verified, false);
    assert.deepEqual(
      done.members.map(({ member, verified }) => [member, verified]),
      [
        [set.hosts[1], true],
        [set.hosts[2], false],
      ],
    );
    const late = await set.connect(set.uriOf(set.hosts[2]));
    await late
      .db('admin')
      .command({ setParameter: 1, wiredTigerEngineRuntimeConfig: 'eviction_target=76' });
    const again = await undo(context(), DO);
    assert.deepEqual([again.verified, again.order], [true, [set.hosts[2]]]);
    assert.deepEqual(await values('evictionTarget'), [80, 80, 80]);
  });

  for (const isAnswered of [true, false])
    it(`Ctrl-C that ends an undo ${isAnswered ? 'after' : 'before'} a call was answered: what was sent is said`, async () => {
      const { id } = await apply(context(), { evictionThreadsMax: 6 }, { members: 'all', ...DO });
      const ctx = context();
      const [one, two, three] = [...set.hosts.slice(1), set.hosts[0]];
      let isCut = false;
      const cut = {
        ...ctx,
        connect: async (/** @type {string} */ host) => {
          const connected = await ctx.connect(host);
          const adminCommand = async (/** @type {any} */ command) => {
            if (isCut) throw interrupted();
            const answer = await connected.port.adminCommand(command);
            isCut = host === two && command.setParameter !== undefined;
            if (isCut && !isAnswered) throw interrupted();
            return answer;
          };
          return { ...connected, port: { ...connected.port, adminCommand } };
        },
      };
      const sent = isAnswered
        ? `Active of the undo on ${two}: { evictionThreadsMax: 4 }.`
        : `Unknown whether the last call to ${two} is active: tune.settings() there shows it.`;
      await assert.rejects(undo(cut, id, DO), (/** @type {any} */ { message }) => {
        assert.ok(
          message.includes(
            `Undone on ${one}. ${sent} Not undone yet: ${three}. ` +
              `tune.undo("${id}", { confirm: true }) continues.`,
          ),
          message,
        );
        return true;
      });
      assert.deepEqual(await values('evictionThreadsMax'), [6, 4, 4]);
      await assertNoRedo(await undo(context(), id, DO), one);
      assert.deepEqual(await values('evictionThreadsMax'), [4, 4, 4]);
    });

  for (const isDown of [true, false])
    it(`an undo without a member that ${isDown ? 'does not answer' : 'has restarted'} offers no redo`, async () => {
      const one = set.hosts[2];
      const { id } = await apply(context(), { evictionThreadsMax: 6 }, { members: 'all', ...DO });
      await set.kill(one);
      if (!isDown) await set.revive(one);
      const done = await undo(context(), id ?? '', DO);
      assert.match(
        done.warnings.join(' '),
        isDown ? /so its change stays until you run this again/ : /restart of .* has reverted/,
      );
      assert.equal(done.verified, !isDown);
      assert.match(String(done), isDown ? /undo sent, NOT verified/ : /undo done and verified/);
      if (isDown) await set.revive(one);
      await assertNoRedo(done, one);
      assert.deepEqual(await values('evictionThreadsMax'), [4, 4, 4]);
    });

  it('a restart of a member is known, though one that had no turn does not answer', async () => {
    const [, one, other] = set.hosts;
    const change = { evictionThreadsMax: 6 };
    const { id } = await apply(context(), change, { members: [other], ...DO });
    await set.kill(other);
    await set.revive(other);
    await set.kill(one);
    const error = await undo(context(), id ?? '', DO).catch((thrown) => thrown);
    await set.revive(one);
    assert.match(error.message, new RegExp(`A restart of ${other} has reverted its change`));
    assert.equal(error.code, 'TUNE-30007');
    await assert.rejects(undo(context(), DO), { code: 'TUNE-30007' });
  });

  it('a redo without a member that does not answer names it: the undo stays there', async () => {
    const one = set.hosts[2];
    const { id } = await apply(context(), { evictionThreadsMax: 6 }, { members: 'all', ...DO });
    const done = await undo(context(), id ?? '', DO);
    await set.kill(one);
    const shown = await undo(context(), done.id ?? '');
    await set.revive(one);
    const warnings = shown.warnings.join(' ');
    assert.match(warnings, /does not answer, so the undo stays there until you run this again/);
    assert.match(warnings, new RegExp(`not ${one}: the members will differ`));
  });

  it('an undo of all members that have the change is redone by its id', async () => {
    const { id } = await apply(context(), { evictionThreadsMax: 6 }, { members: 'all', ...DO });
    const done = await undo(context(), id ?? '', DO);
    assert.equal(done.undo, `tune.undo("${done.id}", { confirm: true })`);
    assert.match(String(done), /Redo +tune\.undo/);
    const redone = await undo(context(), done.id ?? '', DO);
    assert.deepEqual(await values('evictionThreadsMax'), [6, 6, 6]);
    assert.doesNotMatch(redone.warnings.join(), /alone/);
    assert.equal(redone.undo, `tune.undo("${redone.id}", { confirm: true })`);
    await undo(context(), redone.id ?? '', DO);
    assert.deepEqual(await values('evictionThreadsMax'), [4, 4, 4]);
  });

  it('an undo that did not come to all members goes on at one that has it, too', async () => {
    await apply(context(), { evictionTarget: 75 }, DO);
    const { id } = await apply(context(), { evictionThreadsMax: 6 }, { members: 'all', ...DO });
    const ctx = context();
    const { connect } = ctx;
    let calls = 0;
    const failing = {
      ...ctx,
      connect: async (/** @type {string} */ host) => {
        const connected = await connect(host);
        const adminCommand = async (/** @type {any} */ command) => {
          if (command.setParameter && (calls += 1) > 1)
            throw Object.assign(new Error('not today'), { name: 'MongoServerError', code: 13 });
          return connected.port.adminCommand(command);
        };
        return { ...connected, port: { ...connected.port, adminCommand } };
      },
    };
    await assert.rejects(undo(failing, id, DO), (/** @type {any} */ { message }) => {
      const [one, two, three] = [...set.hosts.slice(1), set.hosts[0]];
      assert.ok(
        message.includes(
          `Undone on ${one}. Not undone yet: ${two}, ${three}. ` +
            `tune.undo("${id}", { confirm: true }) continues.`,
        ),
        message,
      );
      return true;
    });
    const threads = await values('evictionThreadsMax');
    const there = set.hosts[threads.indexOf(4)];
    const client = await set.connect(set.uriOf(there));
    const shown = await undo(contextOf(client, { home: home.path }));
    assert.equal(shown.undoes, id);
    await undo(contextOf(client, { home: home.path }), DO);
    assert.deepEqual(await values('evictionThreadsMax'), [4, 4, 4]);
    assert.equal((await values('evictionTarget'))[0], 75);
    await undo(context(), DO);
  });
});
