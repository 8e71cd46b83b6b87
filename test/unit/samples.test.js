'use strict';

const assert = require('node:assert/strict');
const fs = require('node:fs');
const path = require('node:path');
const zlib = require('node:zlib');
const { readSample } = require('../../lib/server/pure/sample');
const { fixtureNames, readFixture } = require('../../scripts/samples/fixtures');
const { SAMPLES, renderSample } = require('../../scripts/samples/list');
const { pages, read, samplesIn, withSamples } = require('../../scripts/samples/pages');

const COLUMNS = 80;
const RECORDING = path.join(__dirname, '../answers/recordings/idle.jsonl.br');

/** A status of the release that the samples are recorded on, without what it reports of its machine. */
function recordedStatus() {
  const [, line] = zlib.brotliDecompressSync(fs.readFileSync(RECORDING)).toString().split('\n');
  return { ...JSON.parse(line), systemMetrics: undefined };
}

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
  it('a fixture has every counter that its server reports, by its name of today (else: npm run samples)', () => {
    // A counter that was renamed would be unknown in a fixture, and its sample a worse one.
    const reported = Object.keys(readSample(recordedStatus()).counters);
    assert.ok(reported.length > 50);
    for (const name of fixtureNames()) {
      const kept = readFixture(name);
      const { samples } = kept.observation ?? kept;
      if (samples === undefined) continue;
      const missing = reported.filter((counter) => !(counter in samples.counters));
      assert.deepEqual(missing, [], `test/samples/${name}.json`);
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
