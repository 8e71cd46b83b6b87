'use strict';

const assert = require('node:assert/strict');
const { useTrialServer } = require('../../support/trial');
const { lastString } = require('../../support/engine');
const { contextOf } = require('../../support/context');
const { startProxy } = require('../../support/held-proxy');
const { temporaryFolder } = require('../../support/cleanup');
const { unfinishedChanges } = require('../../../lib/change/unfinished-changes');
const { run: history } = require('../../../lib/commands/history');
const { run: undo } = require('../../../lib/commands/undo');
const { run: trial } = require('../../../lib/commands/trial');

const CHANGE = Object.freeze({ evictionTarget: 75 });
const SHORT = Object.freeze({ blocks: 4, blockSeconds: 1 });
const DO = Object.freeze({ confirm: true });

describe('a trial whose call to B is lost on its way', () => {
  const place = useTrialServer('paced');
  /** @type {Awaited<ReturnType<typeof startProxy>>} */ let proxy;
  /** @type {{ path: string, remove(): void }} */ let home;
  beforeEach(async () => {
    proxy = await startProxy(place.server.port);
    home = temporaryFolder('home');
  });
  afterEach(async () => {
    await proxy.stop();
    home.remove();
  });
  const far = async () => contextOf(await place.server.connect(proxy.uri), { home: home.path });
  const near = () => contextOf(place.server.client, { home: home.path });
  const hold = () =>
    proxy.hold((command) =>
      Boolean(
        command.setParameter && /target=75/.test(command.wiredTigerEngineRuntimeConfig ?? ''),
      ),
    );

  it('and arrives after the trial: the report said that it may, and undo takes it back', async () => {
    const ctx = await far();
    const held = hold();
    const done = await place.run(CHANGE, SHORT, ctx);
    assert.deepEqual([done.ended, done.effective, done.verified], ['lost', 'A', null]);
    assert.match(
      done.warnings.join('\n'),
      /The call that sets "eviction_target=75" was not answered and may still arrive/,
    );
    assert.equal(done.undo, `tune.undo("${done.id}", { confirm: true })`);
    assert.deepEqual(
      unfinishedChanges(home.path).map(({ id }) => id),
      [done.id],
    );
    await assert.rejects(trial(near(), CHANGE), { code: 'TUNE-30010' });
    await held.deliver();
    assert.equal(await lastString(place.server), 'eviction_target=75');
    assert.equal((await history(near()))[0].outcome, 'unknown');
    assert.equal((await undo(near(), DO)).verified, true);
    assert.equal(await lastString(place.server), 'eviction_target=80');
  });

  for (const [moment, isMoment] of /** @type {[string, (command: any) => boolean][]} */ ([
    ['before the way back', (command) => /target=80/.test(command.wiredTigerEngineRuntimeConfig)],
    ['after the way back', (command) => Boolean(command.opLatencies?.histograms)],
  ]))
    it(`and arrives ${moment}: A is in effect for certain`, async () => {
      const ctx = await far();
      const { adminCommand } = ctx.port;
      const held = hold();
      let [isBack, isDelivered] = [false, false];
      const deliver = async () => {
        isDelivered = true;
        await held.deliver();
      };
      ctx.port.adminCommand = async (command) => {
        const isOnce = held.hasArrived() && !isDelivered && isMoment(command);
        if (isOnce && moment.startsWith('before')) await deliver();
        const answer = await adminCommand(command);
        if (isOnce && moment.startsWith('after') && isBack) await deliver();
        isBack ||= /target=80/.test(String(command.wiredTigerEngineRuntimeConfig));
        return answer;
      };
      const done = await place.run(CHANGE, SHORT, ctx);
      assert.deepEqual(
        [done.ended, done.effective, done.verified, isDelivered],
        ['lost', 'A', true, true],
        `${done}`,
      );
      assert.equal(await lastString(place.server), 'eviction_target=80');
      assert.deepEqual(
        [(await history(near()))[0].outcome, done.externalChanges, done.warnings],
        ['undone', [], []],
      );
    });
});
