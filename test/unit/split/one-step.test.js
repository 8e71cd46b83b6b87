'use strict';

const assert = require('node:assert/strict');
const { cutOff } = require('../../../lib/split/cut');
const { checkMayCut } = require('../../../lib/split/may-cut');
const { stepsOf } = require('../../support/split-steps');
const { workOf, LEG, UUID, failed, listed, NONE } = require('./kit');

/** A server with one collection, that answers each applyOps as it is told. @param {(steps: any[]) => void} answer throws */
function serverOf(answer) {
  const state = { cut: false, sent: /** @type {any[]} */ ([]) };
  const command = async (/** @type {string} */ _db, /** @type {any} */ spec) => {
    if (spec.listCollections) {
      if (spec.filter.name === 'c') return state.cut ? listed({ type: 'view', options: { pipeline: [{ $match: { $expr: { $toInt: 'by mongosh-tune' } } }] } }) : listed({});
      return state.cut ? listed({ name: 'c__aside_x' }) : NONE;
    }
    state.sent.push(spec);
    answer(stepsOf(spec));
    if (stepsOf(spec).some(({ create }) => create)) state.cut = true;
    return { ok: 1 };
  };
  return { state, work: workOf({ command }) };
}

describe('split: one step of several commands', () => {
  it('the lock is tried for with its own time, and only then the step is sent, each command by itself', async () => {
    const { state, work } = serverOf(() => {});
    await cutOff(work, /** @type {any} */ (LEG));
    assert.deepEqual(state.sent.map(({ maxTimeMS, applyOps }) => [maxTimeMS, applyOps.map((/** @type {any} */ { o }) => o.applyOps.length)]), [[500, [1]], [10_000, [1, 1]]]);
    assert.deepEqual(stepsOf(state.sent[1]).map((step) => Object.keys(step)[0]), ['renameCollection', 'create']);
    assert.equal(state.sent[1].comment, 'mongosh-tune x:app.c');
  });
  it('while the lock is not to be had the step is not sent; what happens meanwhile is brought over before the next try', async () => {
    let refused = 2;
    let brought = 0;
    const { state, work } = serverOf(() => { if (refused > 0) { refused -= 1; throw failed(50); } });
    await cutOff(work, /** @type {any} */ (LEG), async () => { brought += 1; });
    assert.deepEqual([state.sent.map(({ maxTimeMS }) => maxTimeMS), brought], [[500, 500, 500, 10_000], 2]);
  });
  it('a release that says that there is nothing to rename has had the lock, too', async () => {
    const { state, work } = serverOf((steps) => { if (steps.length === 1) throw failed(26); });
    await cutOff(work, /** @type {any} */ (LEG));
    assert.ok(state.cut);
  });
  it('another error is no reason to try again', async () => {
    const { state, work } = serverOf((steps) => { if (steps.length > 1) throw failed(13); });
    await assert.rejects(cutOff(work, /** @type {any} */ (LEG)), { code: 13 });
    assert.equal(state.sent.length, 2);
  });
  it('another collection of its name, or under the other one, is not touched', async () => {
    const other = { info: { uuid: UUID.replace(/a/g, 'b') } };
    const gone = workOf({ command: async (/** @type {string} */ _db, /** @type {any} */ { filter }) => (filter.name === 'c' ? listed(other) : NONE) });
    await assert.rejects(cutOff(gone, /** @type {any} */ (LEG)), (error) => error.code === 'TUNE-35005' && /app\.c is gone/.test(error.message));
    const aside = workOf({ command: async (/** @type {string} */ _db, /** @type {any} */ { filter }) => (filter.name === 'c' ? listed({}) : listed(other)) });
    await assert.rejects(cutOff(aside, /** @type {any} */ (LEG)), (error) => error.code === 'TUNE-35005' && /app\.c__aside_x is there, made by another/.test(error.message));
  });
  it('half done, and somebody is faster than the view: both are told', async () => {
    let stray = false;
    const work = workOf({ command: async (/** @type {string} */ _db, /** @type {any} */ spec) => {
      if (spec.create) { stray = true; throw failed(48); }
      if (spec.filter.name !== 'c') return listed({ name: 'c__aside_x' });
      return stray ? listed({ info: { uuid: 'another' } }) : NONE;
    } });
    await assert.rejects(cutOff(work, /** @type {any} */ (LEG)), (error) => error.code === 'TUNE-35013' && error.aside === 'app.c__aside_x' && error.strays === 'app.c__strays_x');
    const refused = workOf({ command: async (/** @type {string} */ _db, /** @type {any} */ spec) => {
      if (spec.create) throw failed(13);
      return spec.filter.name === 'c' ? NONE : listed({ name: 'c__aside_x' });
    } });
    await assert.rejects(cutOff(refused, /** @type {any} */ (LEG)), { code: 13 });
  });
  it('who may: error 13 is no, a mongos cannot, and any other answer is a yes', async () => {
    const ask = (/** @type {number | null} */ code) => checkMayCut(/** @type {any} */ ({ adminCommand: async () => { if (code) throw failed(code); return { ok: 1 }; } }), 'app');
    await assert.rejects(ask(13), (error) => error.code === 'TUNE-20005' && /readWrite on app and the cluster action applyOps/.test(error.message));
    await assert.rejects(ask(59), { code: 'TUNE-20003' });
    for (const code of [null, 26, 50]) await ask(code);
    let asked;
    await checkMayCut(/** @type {any} */ ({ adminCommand: async (/** @type {any} */ command) => { asked = command; } }), 'app');
    assert.equal(asked?.maxTimeMS, 500, 'behind a wait for this lock the whole server waits');
  });
});
