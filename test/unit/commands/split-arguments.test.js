'use strict';

const assert = require('node:assert/strict');
const { readArguments } = require('../../../lib/split/arguments');
const { splitCutover } = require('../../../lib/commands/split-cutover');
const { splitResume } = require('../../../lib/commands/split-resume');
const { splitStatus } = require('../../../lib/commands/split-status');
const { splitVerify } = require('../../../lib/commands/split-verify');
const { contextOf } = require('../../support/context');

const read = (/** @type {any[]} */ ...args) => readArguments('tune.split.abort', args[0], args[1]);

describe('which split is meant', () => {
  it('the one that is named, or none, also where the options come first', () => {
    assert.deepEqual(read(), { id: undefined, given: undefined });
    assert.deepEqual(read(undefined, { confirm: true }), {
      id: undefined,
      given: { confirm: true },
    });
    assert.deepEqual(read('p', { confirm: true }), { id: 'p', given: { confirm: true } });
    assert.deepEqual(read({ confirm: true }), { id: undefined, given: { confirm: true } });
  });
  for (const wrong of [5, true, ['p'], [{ $gt: '' }, { confirm: true }]]) {
    it(`${JSON.stringify(wrong)} is no id`, () =>
      assert.throws(
        () => (Array.isArray(wrong) && wrong.length === 2 ? read(...wrong) : read(wrong)),
        (error) =>
          error.code === 'TUNE-10002' &&
          /tune\.split\.abort: the id must be one that tune\.split\.status\(\) shows, not /.test(
            error.message,
          ),
      ));
  }
  it('what is no id is never looked for on the server', async () => {
    const nowhere = /** @type {any} */ (contextOf(null));
    for (const call of [
      () => splitCutover(nowhere, /** @type {any} */ (5), { confirm: true }),
      () => splitResume(nowhere, /** @type {any} */ ({ $gt: '' }), {}),
      () => splitVerify(nowhere, /** @type {any} */ (7)),
      () => splitStatus(nowhere, /** @type {any} */ ([])),
    ]) {
      await assert.rejects(call, { code: 'TUNE-10002' });
    }
    for (const call of [
      () => splitCutover(nowhere, { id: 'p' }),
      () => splitStatus(nowhere, /** @type {any} */ ({ follow: true })),
    ])
      await assert.rejects(call, { code: 'TUNE-10001' });
  });
});
