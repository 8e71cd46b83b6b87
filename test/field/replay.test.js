'use strict';

const assert = require('node:assert/strict');
const fs = require('node:fs');
const path = require('node:path');
const zlib = require('node:zlib');
const os = require('node:os');
const { fieldPath, absent } = require('../support/field');
const { skipIf } = require('../support/skip');
const { run: replay } = require('../../lib/commands/replay');

const folder = fieldPath('field', 'labelled');
/** @type {any} */
const CONTEXT = { signal: new AbortController().signal, progress: () => {} };
const MIB = 2 ** 20;

/** @type {any[]} */
const cases =
  folder === null ? [] : JSON.parse(fs.readFileSync(path.join(folder, 'cases.json'), 'utf8'));
/** @param {any} meta */
function factsOf({ memSizeMB, memLimitMB, numCores, syncdelay, dbStats }) {
  const bytes = Object.values(dbStats).reduce(
    (/** @type {number} */ sum, /** @type {any} */ { dataSize, indexSize }) =>
      sum + dataSize + indexSize,
    0,
  );
  return {
    memoryMB: memSizeMB,
    memLimitMB,
    cores: numCores,
    dataMB: bytes / MIB,
    syncdelaySeconds: syncdelay,
  };
}
/** @param {string} start of the name */
const caseOf = (start) => cases.find((one) => one.case.startsWith(start));
/** @param {any} one @param {any} [facts] */
const answer = (one, facts = factsOf(one.meta)) =>
  replay(CONTEXT, path.join(String(folder), `${one.case}.jsonl.gz`), { facts });
const THREADS = ['evictionThreadsMin', 'evictionThreadsMax'];

describe('labelled recordings, replayed', () => {
  it('are at hand', function () {
    skipIf(this, absent(folder));
  });
  if (folder === null) return;

  it('a cache too small for readers: a cache that holds the data, and nothing else', async () => {
    const { bottleneck, change, because } = await answer(caseOf('c01'));
    assert.equal(bottleneck, 'cache-read', because);
    assert.deepEqual(Object.keys(change ?? {}), ['cacheSizeGB']);
    assert.ok(
      Number(change?.cacheSizeGB) >= 1.5 && Number(change?.cacheSizeGB) < 20,
      JSON.stringify(change),
    );
  });

  it(
    'writes that outrun a disk: a larger cache or a higher trigger, never threads or a lower ' +
      'one; and the disk is named',
    async () => {
      const { bottleneck, change, because, explain } = await answer(caseOf('c03'));
      assert.equal(bottleneck, 'cache-dirty', because);
      assert.ok(
        change !== null && THREADS.every((setting) => !(setting in change)),
        JSON.stringify(change),
      );
      assert.ok(
        Number(change?.cacheSizeGB ?? 0) > 0.25 || Number(change?.evictionDirtyTrigger ?? 0) > 20,
        JSON.stringify(change),
      );
      assert.match([because, ...explain].join(' '), /disk/);
    },
  );

  it('a healthy server: nothing', async () => {
    const { bottleneck, change, conf } = await answer(caseOf('c08'));
    assert.deepEqual([bottleneck, change, conf], ['none', null, null]);
  });

  for (const one of cases) {
    it(
      `${one.case} gets the same answer from what JSON.stringify makes of it, without gzip, in ` +
        'between garbage',
      async () => {
        const lines = zlib
          .gunzipSync(fs.readFileSync(path.join(String(folder), `${one.case}.jsonl.gz`)))
          .toString()
          .trim()
          .split('\n');
        const file = path.join(os.tmpdir(), `mongosh-tune-${process.pid}-${one.case}.log`);
        fs.writeFileSync(
          file,
          lines
            .flatMap((line, i) => [withLongs(line), ...(i % 20 === 0 ? ['garbage'] : [])])
            .join('\n'),
        );
        const [ours, foreign] = [
          await replay(CONTEXT, file, { facts: factsOf(one.meta) }),
          await answer(one),
        ];
        fs.rmSync(file);
        assert.deepEqual(
          [ours.bottleneck, ours.because, ours.change, ours.window],
          [foreign.bottleneck, foreign.because, foreign.change, foreign.window],
        );
        assert.match(ours.notes.join('\n'), /[34] of \d+ lines are not serverStatus documents/);
      },
    );

    it(`${one.case} gets no wrong answer where nothing is known of the machine`, async () => {
      const [bare, full] = [await answer(one, {}), await answer(one)];
      assert.ok([full.bottleneck, 'unknown'].includes(bare.bottleneck), bare.because);
    });
  }
});

/** Each whole number as a shell's Long comes out of JSON.stringify. @param {string} line */
function withLongs(line) {
  return JSON.stringify(JSON.parse(line), (key, value) =>
    Number.isSafeInteger(value) && !['t', 'high', 'low'].includes(key)
      ? { high: Math.floor(value / 2 ** 32), low: value | 0, unsigned: false }
      : value,
  );
}
