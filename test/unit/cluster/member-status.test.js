'use strict';

const assert = require('node:assert/strict');
const { collectMembers } = require('../../../lib/cluster/member-status');

/** @param {Record<string, any>} answers by command; an Error is thrown */
const portOf = (answers) => ({
  async adminCommand(command) {
    const answer = answers[Object.keys(command)[0]];
    if (answer instanceof Error) throw answer;
    return answer;
  },
});
const HELLO = {
  setName: 'rs',
  me: 'a:1',
  primary: 'a:1',
  hosts: ['a:1', 'b:2'],
  passives: ['c:3'],
  arbiters: ['d:4'],
};
const of = (second) => new Date(Date.UTC(2026, 0, 1, 0, 0, second));
const refusal = Object.assign(new Error('not authorized'), { name: 'MongoServerError', code: 13 });

describe('cluster/member-status', () => {
  it('has none on a standalone server', async () =>
    assert.deepEqual(await collectMembers(portOf({ hello: {} })), { self: null, members: [] }));

  it('tells states and delays as the server sees them', async () => {
    const members = [
      { name: 'a:1', stateStr: 'PRIMARY', health: 1, optimeDate: of(9), self: true },
      { name: 'b:2', stateStr: 'SECONDARY', health: 1, optimeDate: of(6) },
      { name: 'c:3', stateStr: '(not reachable/healthy)', health: 0, optimeDate: of(0) },
      { name: 'd:4', stateStr: 'ARBITER', health: 1 },
      { name: 'e:5', stateStr: 'SECONDARY', health: 1 },
    ];
    assert.deepEqual(
      await collectMembers(portOf({ hello: HELLO, replSetGetStatus: { members } })),
      {
        self: 'a:1',
        members: [
          { host: 'a:1', role: 'primary', isUp: true, canBeShown: true, lagSeconds: null },
          { host: 'b:2', role: 'secondary', isUp: true, canBeShown: true, lagSeconds: 3 },
          {
            host: 'c:3',
            role: '(not reachable/healthy)',
            isUp: false,
            canBeShown: true,
            lagSeconds: null,
          },
          { host: 'd:4', role: 'arbiter', isUp: true, canBeShown: false, lagSeconds: null },
          { host: 'e:5', role: 'secondary', isUp: true, canBeShown: true, lagSeconds: null },
        ],
      },
    );
  });

  it('knows no delay without a primary', async () => {
    const { members } = await collectMembers(
      portOf({
        hello: HELLO,
        replSetGetStatus: {
          members: [
            { name: 'b:2', stateStr: 'SECONDARY', health: 1, optimeDate: of(6), self: true },
          ],
        },
      }),
    );
    assert.equal(members[0].lagSeconds, null);
  });

  it('makes do with what everybody is told', async () => {
    const { self, members } = await collectMembers(
      portOf({ hello: HELLO, replSetGetStatus: refusal }),
    );
    assert.equal(self, 'a:1');
    assert.deepEqual(
      members.map(({ host, role, canBeShown }) => [host, role, canBeShown]),
      [
        ['a:1', 'primary', true],
        ['b:2', 'secondary', true],
        ['c:3', 'secondary', true],
        ['d:4', 'arbiter', false],
      ],
    );
    assert.deepEqual(
      await collectMembers(portOf({ hello: { setName: 'rs' }, replSetGetStatus: refusal })),
      { self: null, members: [] },
    );
  });

  it('says when the connection is lost', async () => {
    const lost = Object.assign(new Error('gone'), { name: 'MongoNetworkError' });
    await assert.rejects(collectMembers(portOf({ hello: HELLO, replSetGetStatus: lost })), {
      code: 'TUNE-20006',
    });
  });
});
