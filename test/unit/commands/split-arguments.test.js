'use strict';

const assert = require('node:assert/strict');
const { run: splitCutover } = require('../../../lib/commands/split-cutover');
const { run: splitResume } = require('../../../lib/commands/split-resume');
const { run: splitStatus } = require('../../../lib/commands/split-status');
const { run: splitVerify } = require('../../../lib/commands/split-verify');
const { contextOf } = require('../../support/context');

describe('which split is meant', () => {
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
