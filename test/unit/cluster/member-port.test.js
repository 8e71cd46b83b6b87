'use strict';

const assert = require('node:assert/strict');
const { memberPort } = require('../../../lib/cluster/member-port');
const { notTheMember } = require('../../../lib/server/pure/replica-set');
const { holdable } = require('../../../lib/shell/member-connection');
const { heldPort } = require('../../../lib/change/own-connection');
const { EventEmitter } = require('node:events');

const PLACE = /** @type {any} */ ({ host: 'a:1', set: 'rs', role: 'secondary' });
const SET = /** @type {any} */ ({ name: 'rs', setId: 'one', setVersion: 3 });
const IS = Object.freeze({
  setName: 'rs',
  me: 'a:1',
  setId: 'one',
  setVersion: 3,
  isStarting: false,
});

describe('which server answers at the address of a member', () => {
  for (const [what, more, why] of /** @type {[string, object, RegExp | null][]} */ ([
    ['the member', {}, null],
    ['the member, after a change of the configuration', { setVersion: 4 }, null],
    ['a standalone server', { setName: null, me: null }, /in no replica set/],
    ['a member of another set', { setName: 'other' }, /replica set other, not of rs/],
    ['another member', { me: 'b:1' }, /calls itself b:1/],
    ['a set of the same name', { setId: 'two' }, /another replica set that is called rs, too/],
    [
      'who may not be asked for the identity of the set, and has its version',
      { setId: null },
      null,
    ],
    [
      'who may not be asked for the identity of the set, and has another version',
      { setId: null, setVersion: 1 },
      /version 1 .* not 3/,
    ],
    ['who tells neither', { setId: null, setVersion: null }, null],
  ])) {
    it(what, () => {
      const said = notTheMember(PLACE, SET, /** @type {any} */ ({ ...IS, ...more }));
      if (why === null) assert.equal(said, null);
      else assert.match(String(said), why);
    });
  }
  it('a server that was in no set when it began', () =>
    assert.match(
      String(notTheMember({ ...PLACE, role: 'standalone' }, SET, IS)),
      /replica set rs/,
    ));
});

describe('the way to one member', () => {
  /** @param {string[]} setIds of the servers that answer, one connection after the other */
  function setUp(...setIds) {
    /** @type {string[]} */ const sent = [];
    const opened = /** @type {any[]} */ ([]);
    const open = async () => {
      const setId = setIds[opened.length];
      const adminCommand = async (/** @type {any} */ command) => {
        sent.push(`${opened.length} ${Object.keys(command)[0]}`);
        if (command.hello) return { setName: 'rs', me: 'a:1', setVersion: 3 };
        return command.replSetGetConfig
          ? { config: { settings: { replicaSetId: setId } } }
          : { ok: 1 };
      };
      const connected = {
        port: { adminCommand, command: async () => ({}) },
        close: async () => {},
        lost: false,
        isLost: () => connected.lost,
      };
      opened.push(connected);
      return connected;
    };
    return { sent, opened, port: () => memberPort(open, { place: PLACE, set: SET }) };
  }

  it('a setting is changed only after a hello, over the same connection', async () => {
    const { sent, opened, port } = setUp('one', 'one');
    const there = await port();
    await assert.rejects(there.adminCommand({ setParameter: 1 }), { code: 'TUNE-20010' });
    await there.adminCommand({ hello: 1 });
    await there.adminCommand({ setParameter: 1 });
    opened[0].lost = true;
    await assert.rejects(there.adminCommand({ setParameter: 1 }), { code: 'TUNE-20010' });
    await there.adminCommand({ ping: 1 });
    await assert.rejects(there.adminCommand({ setParameter: 1 }), { code: 'TUNE-20010' });
    assert.deepEqual(
      sent.filter((text) => /setParameter|ping/.test(text)),
      ['1 setParameter', '2 ping'],
    );
  });

  it('a new connection is proven anew', async () => {
    const { sent, opened, port } = setUp('one', 'two');
    const there = await port();
    opened[0].lost = true;
    await assert.rejects(
      there.adminCommand({ ping: 1 }),
      (error) =>
        error.code === 'TUNE-20010' &&
        /a:1 is not the expected member: it is in another replica set/.test(error.message),
    );
    assert.deepEqual(
      sent.filter((text) => /ping/.test(text)),
      [],
    );
  });

  for (const [title, isWatched, isStarted, code] of /** @type {const} */ ([
    ['what waits for a new connection of the driver is not sent', true, false, 'TUNE-20010'],
    [
      'unless the driver does not report what it sends: then that is not known',
      false,
      false,
      'TUNE-20006',
    ],
    ['what is sent already is waited for', true, true, null],
  ]))
    it(title, async () => {
      const client = new EventEmitter();
      /** @type {string[]} */ const sent = [];
      const start = (/** @type {string} */ commandName) =>
        isWatched && client.emit('commandStarted', { commandName });
      const { send, hold, isLost } = holdable(
        (_database, command, { signal } = /** @type {any} */ ({})) =>
          new Promise((resolve, reject) => {
            const [name] = Object.keys(command);
            if (name !== 'setParameter') {
              start(name);
              return void resolve({ ok: 1 });
            }
            if (isStarted) start(name);
            signal.addEventListener('abort', () => reject(signal.reason));
            client.emit('connectionCreated');
            setTimeout(() => {
              if (signal.aborted) return;
              sent.push(name);
              resolve({ ok: 1 });
            }, 5);
          }),
        client,
      );
      client.emit('connectionCreated');
      assert.equal(await hold(), true);
      assert.equal(isLost(), false);
      const asked = send('admin', { setParameter: 1 });
      await (code === null ? asked : assert.rejects(asked, { code }));
      await assert.rejects(send('admin', { ping: 1 }), { code: 'TUNE-20010' });
      assert.deepEqual([sent, isLost()], [code === null ? ['setParameter'] : [], true]);
    });

  it('what an old shell connects by cannot be held, and is not said to be', async () => {
    const { hold } = holdable(async () => ({ ok: 1 }), undefined);
    assert.equal(await hold(), false);
    const run = { port: { adminCommand: async () => ({ ok: 1 }) }, close: async () => {}, hold };
    const port = await heldPort(async () => /** @type {any} */ (run), {
      host: 'a:1',
      prove: async () => {},
    });
    assert.equal(port.isHeld, false);
  });
});
