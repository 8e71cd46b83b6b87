'use strict';

const assert = require('node:assert/strict');
const { fork } = require('node:child_process');
const { once } = require('node:events');
const { run: apply } = require('../../../lib/commands/apply');
const { run: settings } = require('../../../lib/commands/settings');
const { run: undo } = require('../../../lib/commands/undo');
const { readLines } = require('../../../lib/change/journal');
const { aroundCommand } = require('../../support/around-command');
const { useThreeMembers } = require('../../support/one-set');

/**
 * @import { ChildProcess } from 'node:child_process'
 */

const DO = Object.freeze({ confirm: true });
const FORCE = Object.freeze({ confirm: true, force: true });
const ALL = Object.freeze({ members: 'all', confirm: true });

describe('one member of a change of several, while a shell goes from member to member', function () {
  this.timeout(240_000);
  const place = useThreeMembers();
  const { at, context } = place;
  const threads = () =>
    Promise.all(
      place.set.hosts.map(
        async (host) => (await settings(await at(host))).evictionThreadsMax.value,
      ),
    );
  /** The first entry of a kind, and a shell on its member. @param {string} action */
  async function firstOf(action) {
    const line = readLines(place.home.path).lines.find(
      (one) => one.kind === 'intent' && one.action === action,
    );
    const { id, group } = /** @type {any} */ (line);
    return { id, there: await at(group.member) };
  }
  /** Held before its second call. @param {object} change @param {{ undo?: string }} [more] */
  async function heldShell(change, more = {}) {
    const options = { hold: { command: 'setParameter', after: 1 }, ...more };
    const child = fork(require.resolve('../../support/group-shell'), [
      place.set.uri,
      place.home.path,
      JSON.stringify(change),
      JSON.stringify(options),
    ]);
    assert.deepEqual(await once(child, 'message'), ['held', undefined]);
    return child;
  }
  /** @param {ChildProcess} child */
  async function released(child) {
    const told = once(child, 'message');
    child.send('go on');
    return (await told)[0];
  }

  /**
   * A shell in whose second call something else happens first.
   * @param {(order: string[]) => Promise<unknown>} act `order`: the members called so far
   */
  function beforeSecondCall(act) {
    const own = context();
    const { connect } = own;
    /** @type {string[]} */ const order = [];
    own.connect = async (host) => {
      const connected = await connect(host);
      const adminCommand = async (/** @type {any} */ command) => {
        if (command.setParameter && order.push(host) === 2) await act(order);
        return connected.port.adminCommand(command);
      };
      return { ...connected, port: { ...connected.port, adminCommand } };
    };
    return { own, order };
  }

  it('its undo is refused while the change is being made', async () => {
    const child = await heldShell({ evictionThreadsMax: 6 });
    const { id, there } = await firstOf('apply');
    await assert.rejects(undo(there, id, DO), { code: 'TUNE-30010' });
    await released(child);
    assert.deepEqual(await threads(), [6, 6, 6]);
    await undo(context(), DO);
  });

  it('its redo is refused while the change is being undone, and no member differs at the end', async () => {
    const before = await threads();
    const { id } = await apply(context(), { evictionThreadsMax: 6 }, ALL);
    const child = await heldShell({}, { undo: String(id) });
    const first = await firstOf('undo');
    await assert.rejects(undo(first.there, first.id, DO), { code: 'TUNE-30010' });
    const { code, verified } = await released(child);
    assert.deepEqual({ code, verified }, { code: null, verified: true });
    assert.deepEqual(await threads(), before);
  });

  for (const [what, forced, kept] of /** @type {[string, object, boolean][]} */ ([
    ['the same setting', { evictionThreadsMax: 9 }, true],
    ['another setting', { evictionDirtyTrigger: 22 }, false],
  ]))
    it(`changed by force after its turn, ${what}: the shell stops, and undoes what it sent`, async () => {
      const before = await threads();
      const { own, order } = beforeSecondCall(async ([first]) =>
        apply(await at(first), forced, FORCE),
      );
      /** @type {any} */
      const error = await apply(own, { evictionThreadsMax: 7 }, ALL).then(
        () => assert.fail('it went on'),
        (one) => one,
      );
      assert.deepEqual(
        [error.code, /changed \S+ by force/.test(error.message)],
        ['TUNE-30010', true],
      );
      const now = await threads();
      place.set.hosts.forEach((host, i) => {
        assert.equal(
          now[i],
          kept && host === order[0] ? 9 : before[i],
          `${host}: ${error.message}`,
        );
      });
      await apply(
        await at(order[0]),
        { evictionThreadsMax: Number(before[0]), evictionDirtyTrigger: 20 },
        FORCE,
      );
    });

  it('changed by force before its turn: the shell stops, and undoes what it sent', async () => {
    const before = await threads();
    const { own } = beforeSecondCall(async (order) => {
      const last = place.set.hosts.find((one) => !order.includes(one));
      return apply(await at(String(last)), { evictionDirtyTrigger: 23 }, FORCE);
    });
    await assert.rejects(apply(own, { evictionThreadsMax: 7 }, ALL), { code: 'TUNE-30010' });
    assert.deepEqual(await threads(), before);
  });

  it('an undo without an id finishes the redo that ended in the middle on one server', async () => {
    const { id: group } = await apply(context(), { evictionThreadsMax: 6 }, ALL);
    await apply(context(), { evictionTarget: 75, evictionCheckpointTarget: 7 }, DO);
    const back = await undo(context(), DO);
    const stop = new AbortController();
    const ctx = aroundCommand(
      context({ signal: stop.signal }),
      ({ setParameter }) => Boolean(setParameter),
      { after: async () => stop.abort() },
    );
    await assert.rejects(undo(ctx, String(back.id), DO), { code: 'TUNE-30009' });
    const next = await undo(context());
    assert.notEqual(next.undoes, group);
    assert.deepEqual(Object.keys(next.change), ['evictionTarget']);
    await undo(context(), DO);
    await undo(context(), String(group), DO);
  });
});
