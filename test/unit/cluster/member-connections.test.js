'use strict';

const assert = require('node:assert/strict');
const { openConnections, untilReady } = require('../../../lib/cluster/member-connections');
const { each, atMember, limitsFor } = require('../../../lib/cluster/reach');
const { findCluster } = require('../../../lib/cluster/find-cluster');
const { TuneError } = require('../../../lib/base/pure/errors');
const { inOrder } = require('../../../lib/server/pure/replica-set');
const { recordedCluster, contextOn, portOf, lost } = require('../../support/cluster');

/** One replica set, connected to its primary. */
function setUp() {
  const cluster = recordedCluster();
  const ctx = {
    ...contextOn(cluster),
    port: portOf(/** @type {any} */ (cluster.members.get('a1:1'))),
  };
  const statusOf = () =>
    ['a1:1', 'a2:1', 'a3:1'].map(
      (host) => /** @type {any} */ (cluster.members.get(host)).replSetGetStatus.members,
    );
  return {
    cluster,
    ctx,
    /** @param {number} i @param {object} state as all of them see it */ becomes: (i, state) =>
      statusOf().forEach((members) => Object.assign(members[i], state)),
  };
}

describe('members one after the other', () => {
  /** The third member is down for 60 ms. @param {number} quietMs */
  async function waitFor(quietMs) {
    const { ctx, becomes } = setUp();
    const { sets } = await findCluster(ctx);
    const crew = await openConnections(ctx, sets, inOrder(sets));
    /** @type {(string | null)[]} */ const said = [];
    becomes(2, { health: 0, stateStr: 'DOWN' });
    setTimeout(() => becomes(2, { health: 1, stateStr: 'SECONDARY' }), 60);
    await untilReady({ ...ctx, progress: (text) => said.push(text) }, crew, crew.stops[0], {
      quietMs,
    });
    crew.close();
    return { said, ctx };
  }

  it('waits until a member is well again, and says for what', async () => {
    const { said, ctx } = await waitFor(20);
    assert.match(String(said[0]), /^waiting: a3:1 is down \(0 s; Ctrl-C undoes the change\)$/);
    assert.deepEqual([...ctx.closed].sort(), ['a1:1', 'a2:1', 'a3:1']);
  });

  it('asks four times a second, also where nothing is to stay quiet', async () => {
    const { said } = await waitFor(0);
    assert.equal(said.length, 1);
  });

  it('gives up after a while, and at once after Ctrl-C', async () => {
    const { ctx, becomes, cluster } = setUp();
    const { sets } = await findCluster(ctx);
    const stop = new AbortController();
    const crew = await openConnections({ ...ctx, signal: stop.signal }, sets, inOrder(sets));
    becomes(0, { stateStr: 'SECONDARY' });
    await assert.rejects(
      untilReady(ctx, crew, crew.stops[0], { quietMs: 1, longestMs: 30 }),
      (error) =>
        error.code === 'TUNE-30011' &&
        error.value === 'a2:1' &&
        /After 0 s there is no primary\./.test(error.message),
    );
    /** @type {any} */ (cluster.members.get('a2:1')).hello = lost();
    await assert.rejects(
      untilReady(ctx, crew, crew.stops[0], { quietMs: 1, longestMs: 1 }),
      /a2:1 does not answer \(.*ECONNREFUSED/,
    );
    stop.abort();
    await assert.rejects(
      untilReady({ ...ctx, signal: stop.signal }, crew, crew.stops[1], { quietMs: 1 }),
      { code: 'TUNE-30009' },
    );
    crew.close();
  });

  it('where the name of the own member leads nowhere, the connection there is has to do', async () => {
    const { ctx } = setUp();
    const { connect } = ctx;
    ctx.connect = async (host) => {
      if (host === 'a1:1') throw lost();
      return connect(host);
    };
    const { sets } = await findCluster(ctx);
    const { stops } = await openConnections(ctx, sets, inOrder(sets));
    assert.deepEqual(
      stops.map(({ place, error }) => [place.host, error]),
      [
        ['a2:1', null],
        ['a3:1', null],
        ['a1:1', null],
      ],
    );
    const answer = await stops[2].ctx?.port.command('admin', { hello: 1 });
    assert.equal(answer.me, 'a1:1', 'a reading needs no proof');
  });

  it('over that connection nothing is set once another member, or process, answers there', async () => {
    const { ctx, cluster } = setUp();
    const own = /** @type {any} */ (cluster.members.get('a1:1'));
    const { connect } = ctx;
    ctx.connect = async (host) => {
      if (host === 'a1:1') throw lost();
      return connect(host);
    };
    const { sets } = await findCluster(ctx);
    const port = (await openConnections(ctx, sets, inOrder(sets))).stops[2].ctx?.port;
    /** @type {object[]} */ const sent = [];
    own.setParameter = (/** @type {object} */ command) => {
      sent.push(command);
      return { ok: 1 };
    };
    const set = async () => port?.adminCommand({ setParameter: 1 });
    await set();
    await port?.command('admin', { setParameter: 1 });
    const hello = own.hello;
    own.hello = { ...hello, topologyVersion: { processId: 'another' } };
    await assert.rejects(
      set(),
      (error) =>
        error.code === 'TUNE-20010' && /Another process now answers at a1:1/.test(error.message),
    );
    own.hello = { ...hello, me: 'a2:1' };
    await assert.rejects(set(), { code: 'TUNE-20010' });
    assert.equal(sent.length, 2);
  });

  it('a member that is never reached is not one whose connection was lost', async () => {
    const { ctx } = setUp();
    ctx.connect = async () => {
      throw lost();
    };
    const work = async () => assert.fail('there is no connection');
    await assert.rejects(
      atMember(ctx, 'a2:1', 100, work),
      (error) => error.code === 'TUNE-20011' && /cannot be reached/.test(error.message),
    );
    ctx.connect = async () => {
      throw new TuneError('TUNE-20010', 'Another member answers.');
    };
    await assert.rejects(atMember(ctx, 'a2:1', 100, work), { code: 'TUNE-20010' });
  });

  it('a connection that comes when nobody waits for it any more is closed', async () => {
    const { ctx } = setUp();
    const { connect } = ctx;
    ctx.connect = async (host) => {
      await new Promise((resolve) => {
        setTimeout(resolve, 40);
      });
      return connect(host);
    };
    await assert.rejects(
      atMember(ctx, 'a2:1', 5, async () => assert.fail('it is too late')),
      (error) => error.code === 'TUNE-20006' && /did not answer within/.test(error.message),
    );
    await new Promise((resolve) => {
      setTimeout(resolve, 60);
    });
    assert.deepEqual(ctx.closed, ['a2:1']);
  });

  it('who is not reached before the time of all is over is said', async () => {
    const { ctx } = setUp();
    const results = await each(
      ctx,
      Array.from({ length: 20 }, (_, i) => i),
      async () =>
        new Promise((resolve) => {
          setTimeout(resolve, 30);
        }),
      { memberMs: 1000, totalMs: 15 },
    );
    assert.deepEqual(
      [results.filter(({ error }) => error === null).length, results.length],
      [16, 20],
    );
    assert.match(String(results[19].error?.message), /all members together took longer/);
    assert.ok(limitsFor(1000).memberMs > limitsFor().memberMs);
  });
});
