'use strict';

const assert = require('node:assert/strict');
const fs = require('node:fs');
const path = require('node:path');
const { fieldPath, absent } = require('../support/field');
const { skipIf } = require('../support/skip');
const { run: incident } = require('../../lib/commands/incident');

/**
 * What the diagnostic data of strangers' servers shows without any log. Nearly all were idle; of
 * those that are not quiet, the machine slept or the server was started anew.
 * @type {Readonly<Record<string, string>>} first cause by the start of the name
 */
const NOT_QUIET = Object.freeze({
  'ARTORG-': 'sample-gap',
  Anirudh2465: 'process-restarted',
  'Riaz-Mahmud': 'sample-gap',
});

const folder = fieldPath('field', 'ftdc');
const recordings =
  folder === null ? [] : fs.readdirSync(folder).filter((name) => !name.endsWith('.gz'));

describe("incidents in the recordings of strangers' servers", function () {
  this.timeout(60_000);
  it('recordings are at hand', function () {
    skipIf(this, absent(folder));
  });
  for (const name of recordings) {
    const [, expected = null] =
      Object.entries(NOT_QUIET).find(([start]) => name.startsWith(start)) ?? [];
    it(`${name.slice(0, 40)}: ${expected ?? 'nothing unusual'}`, async () => {
      const ctx = { signal: new AbortController().signal, progress() {}, home: '/nonexistent' };
      const answer = await incident(ctx, { ftdc: path.join(String(folder), name) });
      const first = answer.events.find(({ id }) => id === answer.firstCause)?.code ?? null;
      assert.equal(first, expected, String(answer.all()));
      assert.equal(answer.verdict, expected === null ? 'nothing-unusual' : 'incident');
      assert.ok(String(answer).split('\n').length <= 24);
    });
  }
});
