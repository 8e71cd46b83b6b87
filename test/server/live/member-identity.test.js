'use strict';

const assert = require('node:assert/strict');
const { startServer } = require('../../support/server');
const { contextOf } = require('../../support/context');
const { startForwarder } = require('../../support/forwarder');
const { temporaryFolder } = require('../../support/cleanup');
const { askedStrings } = require('../../support/engine');
const { run: apply } = require('../../../lib/commands/apply');
const { run: undo } = require('../../../lib/commands/undo');
const { run: history } = require('../../../lib/commands/history');

/**
 * @import { Server } from '../../support/server'
 */

const DO = Object.freeze({ confirm: true });
const CHANGE = Object.freeze({ evictionThreadsMax: 6 });
const SET = Object.freeze({ args: ['--replSet', 'rs'] });
const PATIENCE_MS = 60_000;

/** @param {number} ms */
const pause = (ms) =>
  new Promise((resolve) => {
    setTimeout(resolve, ms);
  });

/** @param {() => Promise<boolean>} test */
async function until(test) {
  for (const end = Date.now() + PATIENCE_MS; !(await test());) {
    if (Date.now() > end) throw new Error('it does not come about');
    await pause(100);
  }
}

describe('a member whose name leads elsewhere', function () {
  this.timeout(180_000);

  /** @type {Server} */ let first;
  /** @type {Server} */ let second;
  /** @type {Server} */ let standalone;
  /** @type {Server} */ let namesake;
  /** @type {Awaited<ReturnType<typeof startForwarder>>} */ let forwarder;
  /** @type {{ path: string, remove(): void }} */ let home;
  const state = async (/** @type {Server} */ server) => await server.adminCommand({ hello: 1 });
  const threads = async (/** @type {Server} */ server) =>
    /threads_max=6/.test((await askedStrings(server)).at(-1) ?? '');
  const context = (more = {}) => contextOf(first.client, { home: home.path, ...more });
  const onlySecond = () => ({ members: [forwarder.host], confirm: true });

  before(async () => {
    [first, second, standalone, namesake] = await Promise.all([
      startServer(SET),
      startServer(SET),
      startServer(),
      startServer(SET),
    ]);
    forwarder = await startForwarder(namesake.port);
    // A set of the same name whose member has the same name, too: two test machines that were set
    // up alike.
    await namesake.adminCommand({
      replSetInitiate: { _id: 'rs', members: [{ _id: 0, host: forwarder.host }] },
    });
    await until(async () => (await state(namesake)).isWritablePrimary);
    forwarder.switchTo(second.port);
    await first.adminCommand({
      replSetInitiate: {
        _id: 'rs',
        members: [
          { _id: 0, host: `127.0.0.1:${first.port}` },
          { _id: 1, host: forwarder.host, priority: 0 },
        ],
      },
    });
    await until(
      async () => (await state(first)).isWritablePrimary && (await state(second)).secondary,
    );
  });
  after(async () => {
    await forwarder?.stop();
    await Promise.all([first, second, standalone, namesake].map((server) => server?.stop()));
  });
  beforeEach(() => {
    home = temporaryFolder('home');
  });
  afterEach(async () => {
    home.remove();
    forwarder.switchTo(second.port);
    await until(async () =>
      (await first.adminCommand({ replSetGetStatus: 1 })).members.every(
        (/** @type {any} */ { health, stateStr }) =>
          health === 1 && /PRIMARY|SECONDARY/.test(stateStr),
      ),
    );
  });

  for (const [what, other] of /** @type {[string, () => Server][]} */ ([
    ['a server in no set', () => standalone],
    ['a member of another set of the same name, with the same name', () => namesake],
  ])) {
    it(`${what} answers there: nothing is sent`, async () => {
      const asked = (await askedStrings(other())).length;
      forwarder.switchTo(other().port);
      for (const options of [
        { members: onlySecond().members },
        onlySecond(),
        { members: /** @type {const} */ ('all'), confirm: true },
      ]) {
        await assert.rejects(
          apply(context(), CHANGE, options),
          (error) =>
            error.code === 'TUNE-20010' &&
            error.message.includes(forwarder.host) &&
            /nothing was changed on any member/.test(error.message),
        );
      }
      assert.deepEqual(
        [(await askedStrings(other())).slice(asked), await threads(first), await threads(second)],
        [[], false, false],
      );
    });

    // With a pause the driver has learnt that its connection is gone, and makes a new one.
    for (const [moment, pauseMs] of /** @type {[string, number][]} */ ([
      ['hello', 0],
      ['setParameter', 0],
      ['setParameter', 300],
    ])) {
      it(`${what} takes its place ${pauseMs} ms before the last ${moment}: nothing is sent there`, async () => {
        const asked = (await askedStrings(other())).length;
        const ctx = context();
        const { connect } = ctx;
        let [hasBegun, hasSwitched] = [false, false];
        ctx.connect = async (host) => {
          const connected = await connect(host);
          if (host !== forwarder.host) return connected;
          const adminCommand = async (/** @type {any} */ command) => {
            const isMoment = command[moment] && (moment === 'setParameter' || hasBegun);
            if (command.getLog) hasBegun = true;
            if (isMoment && !hasSwitched) {
              hasSwitched = true;
              forwarder.switchTo(other().port);
              await pause(pauseMs);
            }
            return connected.port.adminCommand(command);
          };
          return { ...connected, port: { ...connected.port, adminCommand } };
        };
        await assert.rejects(apply(ctx, CHANGE, onlySecond()), (error) =>
          ['TUNE-20010', 'TUNE-20006'].includes(error.code),
        );
        assert.deepEqual((await askedStrings(other())).slice(asked), []);
      });
    }

    it(`${what} answers there when it is undone: the change stays, and nothing is sent`, async () => {
      const { id } = await apply(context(), CHANGE, onlySecond());
      const asked = (await askedStrings(other())).length;
      forwarder.switchTo(other().port);
      await assert.rejects(undo(context(), id, DO), { code: 'TUNE-20010' });
      assert.deepEqual(
        [(await askedStrings(other())).slice(asked), await threads(second)],
        [[], true],
      );
      forwarder.switchTo(second.port);
      await until(async () =>
        undo(context(), id, DO).then(
          () => true,
          () => false,
        ),
      );
      assert.equal(await threads(second), false);
    });
  }

  it(
    'the members themselves are changed one after the other, also over a connection that was ' +
      'lost on the way',
    async () => {
      const ctx = context();
      const { connect } = ctx;
      let answered = 0;
      ctx.connect = async (host) => {
        const connected = await connect(host);
        if (host !== forwarder.host) return connected;
        const adminCommand = async (/** @type {any} */ command) => {
          const answer = await connected.port.adminCommand(command);
          if (command.setParameter && ++answered === 1)
            setTimeout(() => forwarder.switchTo(second.port), 50);
          return answer;
        };
        return { ...connected, port: { ...connected.port, adminCommand } };
      };
      const { id, verified } = await apply(ctx, CHANGE, { members: 'all', confirm: true });
      assert.deepEqual([verified, await threads(first), await threads(second)], [true, true, true]);
      await undo(context(), id, DO);
      assert.deepEqual(
        (await history(context(), { all: true })).filter(
          ({ undo: way, action }) => action === 'apply' && way !== null,
        ),
        [],
      );
    },
  );
});
