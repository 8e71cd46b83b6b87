'use strict';

const assert = require('node:assert/strict');
const { resumeSplit } = require('../../../lib/split/resume');

/** A split that is cut off, with a lease of someone. @param {string} owner */
function tried(owner) {
  const asked = [];
  const split = {
    _id: 's',
    planId: 'p',
    phase: 'draining',
    source: 'a.b',
    target: 'c.b',
    lease: { owner, who: 'me', process: null, until: new Date(0) },
  };
  const port = {
    command: async (_db, command) => {
      asked.push(Object.keys(command)[0]);
      return { cursor: { firstBatch: [split] }, ok: 1 };
    },
    adminCommand: async (command) => {
      asked.push(Object.keys(command)[0]);
      throw new Error('enough');
    },
  };
  const ctx = { port, signal: new AbortController().signal, progress() {} };
  return resumeSplit(ctx, 's', new Set(['dead-shell', 'own-first-try'])).then(
    () => asked,
    () => [...asked, 'went on'],
  );
}

describe('split/resume, for the guardian', () => {
  it('takes the lease of the dead shell over', async () =>
    assert.ok((await tried('dead-shell')).includes('went on')));
  it('takes the lease of its own first try over', async () =>
    assert.ok((await tried('own-first-try')).includes('went on')));
  it('leaves a split alone that another shell has', async () =>
    assert.deepEqual(await tried('another'), ['find']));
});
