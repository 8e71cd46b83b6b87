'use strict';

const assert = require('node:assert/strict');
const { TuneError } = require('../../../lib/base/pure/errors');
const { interrupted } = require('../../../lib/base/context');
const { stopped } = require('../../../lib/split/stopped');

const split = (/** @type {any} */ more = {}) =>
  /** @type {any} */ ({
    _id: 'p:app.c',
    planId: 'p',
    alone: true,
    source: 'app.c',
    phase: 'indexing',
    ...more,
  });
const server = (/** @type {number} */ code, /** @type {string} */ message = 'said') =>
  Object.assign(new Error(message), { name: 'MongoServerError', code });

describe('what ended a split', () => {
  for (const [what, error] of [
    [
      'its code',
      server(14031, 'available disk space of 1 bytes is less than required minimum of 2'),
    ],
    [
      "the system's words",
      server(16821, 'error writing to file "/data/db/_tmp/x": No space left on device'),
    ],
    ["the engine's words", server(8, 'WiredTiger error: OutOfDiskSpace')],
  ]) {
    it(`a full disk, by ${what}: that nothing is lost, what to do, both ways on`, () => {
      const reported = stopped(error, split());
      assert.deepEqual(
        [reported.code, reported.id, reported.phase, reported.cause],
        ['TUNE-35014', 'p', 'indexing', error],
      );
      assert.match(
        reported.message,
        /^\[TUNE-35014\] The split of app\.c stopped \(indexing\): the server's disk is full: .*\. Nothing is lost\. .*With free space on every member, tune\.split\.resume\("p", \{ confirm: true \}\) continues; tune\.split\.abort\("p", \{ confirm: true \}\) ends the split\./,
      );
    });
  }
  it('the way back is the one of its phase, and none where there is none', () => {
    assert.match(
      stopped(server(14031), split({ phase: 'switched' })).message,
      /tune\.split\.rollback\("p", \{ confirm: true \}\) rolls it back\./,
    );
    assert.doesNotMatch(
      stopped(server(14031), split({ phase: 'draining-back' })).message,
      /rolls it back|ends the split/,
    );
  });
  for (const [what, error, code, says] of /** @type {[string, any, string, RegExp][]} */ ([
    [
      'a privilege that is missing',
      server(13, 'not authorized on app2 to execute command'),
      'TUNE-20005',
      /this user lacks a privilege for its next step: not authorized on app2/,
    ],
    [
      'a connection that is lost',
      Object.assign(new Error('connect ECONNREFUSED'), { name: 'MongoNetworkError' }),
      'TUNE-20006',
      /connection was lost for too long: connect ECONNREFUSED/,
    ],
    [
      'no primary for too long',
      server(10107, 'not primary'),
      'TUNE-20008',
      /the server rejected a step: not primary/,
    ],
    [
      'another user who ended it',
      server(11601, 'operation was interrupted'),
      'TUNE-20008',
      /the server rejected a step: operation was interrupted/,
    ],
  ])) {
    it(`${what}: the server's own words, and the way on`, () => {
      const reported = stopped(error, split());
      assert.equal(reported.code, code);
      assert.match(reported.message, says);
      assert.match(
        reported.message,
        /Nothing is lost\. After the cause is fixed, tune\.split\.resume\("p", \{ confirm: true \}\) continues; tune\.split\.abort/,
      );
    });
  }
  it('where neither name takes writes it says so, with both ways', () => {
    const { message } = stopped(
      server(14031),
      split({ phase: 'draining', mode: 'online', target: 'app2.c' }),
    );
    assert.match(
      message,
      /app\.c and app2\.c are blocked until then: run tune\.split\.resume\("p", \{ confirm: true \}\), or tune\.split\.abort\("p", \{ confirm: true \}\) now\./,
    );
  });
  it('where a name takes writes that are in no data it says that, and not that nothing is lost', () => {
    const reported = (/** @type {boolean} */ isFree) =>
      stopped(
        server(14031),
        split({
          phase: 'cutting',
          mode: 'online',
          target: 'app2.c',
          namesBlocked: true,
          open: [{ ns: 'app.c', isFree }],
        }),
      ).message;
    assert.match(
      reported(false),
      /app\.c takes writes into a new collection, .* rename that collection\. Then run tune\.split\.resume\("p", \{ confirm: true \}\), or tune\.split\.abort/,
    );
    assert.match(reported(true), /app\.c is not blocked: a write creates a new collection there/);
    assert.doesNotMatch(reported(true) + reported(false), /are blocked until then|Nothing is lost/);
  });
  it('where the names cannot be read it does not say which is active', () => {
    const { message } = stopped(
      new TuneError('TUNE-30009', 'Interrupted.'),
      split({ phase: 'cutting', mode: 'online', target: 'app2.c', namesUnknown: true }),
    );
    assert.match(message, /It is not known whether app\.c and app2\.c are blocked\./);
    assert.doesNotMatch(message, /is active/);
  });
  it('what an offline split undid is begun again by resume', () =>
    assert.match(
      stopped(
        Object.assign(server(167), { undone: 'It was undone.' }),
        split({ phase: 'planned', mode: 'offline' }),
      ).message,
      /It was undone\. .*tune\.split\.resume\("p", \{ confirm: true \}\) retries it\./,
    ));
  it('secrets of a connection string are not reported', () =>
    assert.doesNotMatch(
      stopped(server(96, 'mongodb://me:pass@h/ failed'), split()).message,
      /pass/,
    ));
  it('Ctrl-C is a safe point, also where the driver complains of what it was told to close', () => {
    for (const error of [
      interrupted(),
      Object.assign(new Error('client was closed'), { name: 'MongoClientClosedError' }),
    ]) {
      const reported = stopped(error, split(), AbortSignal.abort());
      assert.deepEqual([reported.code, reported.phase], ['TUNE-30009', 'indexing']);
      assert.match(
        reported.message,
        /was interrupted \(indexing\)\. app\.c is active\. Nothing is lost\. tune\.split\.resume\("p", \{ confirm: true \}\) continues; tune\.split\.abort\("p", \{ confirm: true \}\) ends the split\.$/,
      );
    }
  });
  it('which name answers is said, and what to type: resume cuts nothing off', () => {
    const reported = (/** @type {string} */ phase, /** @type {object} */ more = {}) =>
      stopped(
        Object.assign(interrupted(), more),
        split({ phase, mode: 'online', target: 'app2.c' }),
        AbortSignal.abort(),
      ).message;
    assert.match(
      reported('following'),
      /app\.c is active\. .*tune\.split\.cutover\("p", \{ confirm: true \}\) cuts over; tune\.split\.abort\("p", \{ confirm: true \}\) ends the split\.$/,
    );
    assert.match(
      reported('switched'),
      /app2\.c is active\. .*tune\.split\.finish\("p", \{ confirm: true \}\) drops the old data; tune\.split\.rollback\("p", \{ confirm: true \}\) rolls it back\.$/,
    );
    assert.match(
      reported('switched', { undone: 'It was undone.' }),
      /It was undone\. tune\.split\.rollback\("p", \{ confirm: true \}\) retries it\.$/,
    );
  });
  it('once it is over only finish goes on, also where that was refused', () => {
    const { message } = stopped(server(13), split({ phase: 'rolled-back', mode: 'online' }));
    assert.match(
      message,
      /After the cause is fixed, tune\.split\.finish\("p", \{ confirm: true \}\) continues\. /,
    );
  });
  it('what is an error of tune already, and what is a defect, stay as they are', () => {
    const [own, defect] = [
      new TuneError('TUNE-35007', 'gone.'),
      new TypeError('x is not a function'),
    ];
    assert.deepEqual([stopped(own, split()), stopped(defect, split())], [own, defect]);
    assert.deepEqual([own.id, stopped('odd', split()) instanceof Error], ['p', true]);
  });
});
