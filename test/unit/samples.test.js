'use strict';

const assert = require('node:assert/strict');
const { COUNTERS } = require('../../lib/server/pure/counters');
const { SYSTEM_COUNTERS } = require('../../lib/server/pure/system-counters');
const { fixtureNames, readFixture } = require('../../scripts/samples/fixtures');
const { SAMPLES, renderSample } = require('../../scripts/samples/list');
const { pages, read, samplesIn, withSamples } = require('../../scripts/samples/pages');

const COLUMNS = 80;
const USED = pages().map((page) => ({ page, names: samplesIn(read(page)) }));

describe('samples in the documentation', () => {
  for (const { page, names } of USED)
    if (names.length > 0)
      it(`${page}: the program prints them today (else: npm run docs, and read the difference)`, () =>
        assert.equal(withSamples(read(page), renderSample), read(page)));

  for (const [name, { fixture }] of Object.entries(SAMPLES)) {
    it(`${name}: has its fixture and is shown in a page`, () => {
      assert.ok(
        fixture === null || fixtureNames().includes(fixture),
        `no test/samples/${fixture}.json`,
      );
      assert.ok(
        USED.some(({ names }) => names.includes(name)),
        'no page shows it',
      );
    });
    it(`${name}: all of it is known, and fits a terminal`, () => {
      const lines = renderSample(name).split('\n');
      for (const line of lines) {
        assert.doesNotMatch(line, /undefined|NaN|\[object|vm:|127\.0\.0\.1|\/tmp\//);
        // What a monitor reads is one line.
        if (!line.startsWith('TUNE ')) assert.ok(line.length <= COLUMNS, line);
      }
    });
  }
  it('each fixture belongs to a sample', () => {
    const used = Object.values(SAMPLES).map(({ fixture }) => fixture);
    assert.deepEqual(
      fixtureNames().filter((name) => !used.includes(name)),
      [],
    );
  });
  it('no fixture names the machine that it was recorded on', () => {
    for (const name of fixtureNames())
      assert.doesNotMatch(
        JSON.stringify(readFixture(name)),
        /127\.0\.0\.1|"\/tmp\/|mongosh-tune-\d/,
        name,
      );
  });
  it('the counters of each fixture are still called so (else: npm run samples)', () => {
    const known = new Set([...Object.keys(COUNTERS), ...Object.keys(SYSTEM_COUNTERS)]);
    const isDisk = (/** @type {string} */ name) => /^disk\b/.test(name);
    for (const name of fixtureNames()) {
      const kept = readFixture(name);
      const { samples } = kept.observation ?? kept;
      for (const counter of Object.keys(samples?.counters ?? {}))
        assert.ok(known.has(counter) || isDisk(counter), `test/samples/${name}.json: ${counter}`);
    }
  });
  it('a page names no sample that does not exist', () =>
    assert.deepEqual(
      USED.flatMap(({ names }) => names).filter((name) => !Object.hasOwn(SAMPLES, name)),
      [],
    ));
  it('a marker without its end is found', () => {
    for (const { page } of USED)
      assert.equal(
        read(page).split('<!-- sample: ').length - 1,
        samplesIn(read(page)).length,
        `${page}: each <!-- sample: … --> needs its <!-- /sample -->`,
      );
  });
});
