'use strict';

const assert = require('node:assert/strict');
const { ChangeRun } = require('../../../lib/change/change-run');
const { externalIn, inOrderOf, sortBySet } = require('../../../lib/change/pure/external-lines');
const { temporaryFolder } = require('../../support/cleanup');

/** @param {number} atMs @param {string} config */
const logged = (atMs, config) => ({ atMs, config, ok: true, reason: null });
const A = 'eviction_target=80';
const B = 'eviction_target=75';

describe('change/external-change', () => {
  it('the own string a second time, after the answer, is of another session', () => {
    const lines = [logged(1005, B), logged(4000, B), logged(6001, A), logged(7000, B)];
    const calls = [
      { config: B, atMs: 1000, answeredAtMs: 1010 },
      { config: A, atMs: 6000, answeredAtMs: 6010 },
    ];
    assert.deepEqual(externalIn(lines, [], calls), [
      { config: B, later: [A] },
      { config: B, later: [] },
    ]);
  });
  it('each of several calls with one string is its own line', () => {
    const call = (/** @type {number} */ atMs) => ({ config: B, atMs, answeredAtMs: atMs + 10 });
    const lines = [logged(1005, B), logged(3005, B), logged(4000, B), logged(5005, B)];
    const found = (/** @type {number[]} */ ...times) =>
      externalIn(lines, [], times.map(call)).length;
    assert.deepEqual([found(1000, 3000, 5000), found(3000), found(5000, 1000)], [1, 3, 2]);
  });
  it('a call that was not answered is a line that no answered one is', () => {
    const calls = [
      { config: B, atMs: 1000 },
      { config: B, atMs: 3000, answeredAtMs: 3010 },
    ];
    assert.deepEqual(externalIn([logged(3005, B), logged(9000, B)], [], calls), []);
    assert.deepEqual(externalIn([logged(3005, B), logged(700_000, B)], [], calls), [
      { config: B, later: [] },
    ]);
  });
  it('what the plan knew is nothing new', () =>
    assert.deepEqual(externalIn([logged(500, A), logged(900, B)], [logged(500, A)], []), [
      { config: B, later: [] },
    ]));

  const step = /** @type {any} */ ({ kind: 'set', change: { evictionTarget: 75 }, config: B });
  const begun = (/** @type {string} */ home) =>
    new ChangeRun({
      ctx: /** @type {any} */ ({ home }),
      plan: /** @type {any} */ ({ change: {}, before: {} }),
      settings: /** @type {any} */ ({ history: { lastString: A }, run: {} }),
      id: 'x',
      atMs: 900,
    });
  it('a string that is set again comes after what was set meanwhile', () => {
    const folder = temporaryFolder('external-change');
    const changeRun = begun(folder.path);
    const order = () => changeRun.external.map(({ values }) => values.config);
    changeRun.noteExternal([A, B]);
    sortBySet(changeRun.external, [A, B, A]);
    assert.deepEqual(order(), [B, A]);
    changeRun.noteExternal(['eviction_target=70']);
    sortBySet(changeRun.external, inOrderOf([{ config: 'eviction_target=70' }], B));
    folder.remove();
    assert.deepEqual(order(), [A, 'eviction_target=70', B]);
  });
  it('a refused call is no line of the log: the same string of another session is seen', () => {
    const folder = temporaryFolder('external-change');
    const changeRun = begun(folder.path);
    changeRun.sending(step, 1000);
    changeRun.callRefused();
    folder.remove();
    assert.deepEqual(externalIn([logged(1005, B)], [], changeRun.sentCalls), [
      { config: B, later: [] },
    ]);
  });
  it('what was sent again after a refused call is a line of the log', () => {
    const folder = temporaryFolder('external-change');
    const changeRun = begun(folder.path);
    changeRun.sending(step, 1000);
    changeRun.askingAgain(A, 1100);
    changeRun.acceptedAgain(A, { atMs: 1100, was: A, expected: A, answeredAtMs: 1110 });
    folder.remove();
    assert.deepEqual(changeRun.sentCalls, [{ config: A, atMs: 1100, answeredAtMs: 1110 }]);
    assert.deepEqual(externalIn([logged(1105, A), logged(1200, B)], [], changeRun.sentCalls), [
      { config: B, later: [] },
    ]);
  });
});
