'use strict';

const assert = require('node:assert/strict');
const { chartDataOf } = require('../../../lib/series/chart-data');
const { renderTrial } = require('../../../lib/trial/pure/trial-text');
const { interval, showRatio } = require('../../../lib/text/interval');

const plain = (/** @type {string} */ text) => text;
const coloured = (/** @type {string} */ text, /** @type {string} */ tone) => `<${tone}:${text}>`;
const block = (
  /** @type {number} */ number,
  /** @type {'A' | 'B'} */ setting,
  /** @type {number | null} */ opsPerSec,
  more = {},
) => ({
  number,
  setting,
  opsPerSec,
  evictingMsPerSec: 0,
  waitingMsPerSec: 0,
  checkpointRatio: 0,
  ...more,
});
const DONE = {
  host: 'h:1',
  dryRun: false,
  metric: 'opsPerSec',
  a: { cacheSizeGB: 0.25 },
  b: { cacheSizeGB: 1 },
  verdict: 'better',
  ratio: 1.5,
  low: 1.4,
  high: 1.6,
  because: 'B has 1.50 times the throughput of A.',
  moreBlocks: null,
  effects: {
    opsPerSec: { ratio: 1.5, low: 1.4, high: 1.6 },
    writeLatencyMs: { ratio: 0.5, low: 0.4, high: 0.6 },
  },
  blocks: [
    block(1, 'A', 1000, { writeLatencyMs: 4, waitingMsPerSec: 120, checkpointRatio: 0.5 }),
    block(2, 'B', 1500, { writeLatencyMs: 2, checkpointRatio: 0.25 }),
    block(3, 'B', null),
  ],
  order: 'ABBA',
  pairs: 2,
  seconds: 150,
  longestSeconds: null,
  blockSeconds: 30,
  keep: 'if-better',
  effective: /** @type {'A' | 'B' | null} */ ('B'),
  guardrail: { limits: null, given: {} },
  commands: [{ wiredTigerEngineRuntimeConfig: 'cache_size=1024M' }],
  warnings: [],
  notes: [],
  conf: 'storage:\n  wiredTiger:\n',
  undo: 'tune.undo("x", { confirm: true })',
  confirm: null,
};
/** @param {string} text */
const fits = (text) =>
  assert.deepEqual(
    text
      .split('\n')
      .filter((line) => line.length > 80 && !/db\.adminCommand|tune\.trial\(/.test(line)),
    [],
  );

describe('a trial as text', () => {
  it('says the verdict, what is in effect, the blocks, the interval, and how to undo and keep it', () => {
    const text = renderTrial(DONE, plain);
    fits(text);
    assert.match(text, /^h:1 {2}A\/B test, 2 min 30 s\nRESULT {7}B is better\n/);
    assert.match(
      text,
      /\nA \(before\) {5}\{ cacheSizeGB: 0\.25 \}\nB \(tested\) {5}\{ cacheSizeGB: 1 \} {2}active now\n/,
    );
    assert.match(text, /\nBLOCKS {7}A {2}1,000 {2}ops\/s\n {13}B {2}1,500 {2}\? {2}ops\/s\n/);
    assert.match(
      text,
      /\n {2}operations\/s, B ÷ A {2}[·]+│[·]+├─+●─*┤·+\n {23}×0\.60 +×1 +×1\.68\n/,
    );
    assert.match(text, /write latency +4 ms +2 ms +×0\.50 +×0\.40 to ×0\.60/);
    assert.match(text, /threads waiting +0\.12 +0\b/);
    assert.match(text, /in checkpoints +50\.0% +12\.5%/);
    assert.doesNotMatch(text, /evicting/);
    assert.match(
      text,
      / {2}Undo {7}tune\.undo\("x"[^]*with tune\.lint\(\):\n {2}storage:\n {4}wiredTiger:$/,
    );
    assert.match(
      renderTrial(DONE, coloured),
      /<good:B is better>[^]*<strong:B \(tested\)> .* active now\n/,
    );
  });
  it('draws what its samples saw, with what was in effect', () => {
    const drawn = chartDataOf(
      [0, 1000, 2000, 3000],
      { readsPerSec: [null, 1, 4, 4], cpuCores: [1, 1, 1, 1] },
      {
        blocks: [
          { fromMs: 0, toMs: 1000, setting: 'A' },
          { fromMs: 2000, toMs: 3000, setting: 'B' },
        ],
      },
    );
    const text = renderTrial(DONE, plain, () => drawn);
    fits(text);
    assert.match(text, /\n {2}reads\/s {12}▃██ {2}max 4\n {2}active setting {4}AABB\n/);
    assert.doesNotMatch(text, /CPUs/);
    assert.doesNotMatch(
      renderTrial({ ...DONE, blocks: [] }, plain, () => drawn),
      /active setting/,
    );
  });
  it('other verdicts, and what would decide', () => {
    const other = {
      ...DONE,
      conf: null,
      undo: null,
      effective: /** @type {const} */ ('A'),
      warnings: ['Not as sent: x.'],
      notes: ['The load drifted.'],
    };
    assert.match(
      renderTrial({ ...other, verdict: 'same' }, coloured),
      /<accent:B is the same>[^]*<strong:A \(before\)> .* active now\n/,
    );
    assert.match(renderTrial({ ...other, verdict: 'worse' }, coloured), /<bad:B is worse>/);
    const open = renderTrial({ ...other, verdict: 'inconclusive', moreBlocks: 6 }, coloured);
    assert.match(
      open,
      /<warn:inconclusive>[^]*About 6 more blocks would decide[^]* {2}<warn:WARN> {2}Not as sent: x\.\n<faint: {2}note {2}The load drifted\.>\n {2}Other {6}<strong:tune\.advise\(\)>$/,
    );
  });
  it('one that ended before its first block has nothing to draw', () => {
    const text = renderTrial(
      {
        ...DONE,
        verdict: 'inconclusive',
        ratio: null,
        low: null,
        high: null,
        because: null,
        effects: {},
        blocks: [],
        effective: null,
        conf: null,
        undo: null,
        host: null,
      },
      plain,
    );
    assert.match(
      text,
      /RESULT {7}inconclusive\nA \(before\)[^]*\nACTIVE {7}unknown: tune\.settings\(\) shows the active setting$/,
    );
    assert.doesNotMatch(text, /BLOCKS|÷/);
    assert.doesNotMatch(
      renderTrial(
        { ...DONE, low: null, high: null, blocks: [block(1, 'A', 0)], effects: {} },
        plain,
      ),
      /÷/,
    );
  });
  it('a figure that no block of a setting has is not known', () => {
    assert.match(
      renderTrial({ ...DONE, blocks: [block(1, 'A', 1000, { writeLatencyMs: 4 })] }, plain),
      /write latency +4 ms +\?/,
    );
  });
  it('says what the switches cost, where there were any', () => {
    const say =
      '3 switches, 1 down in steps, at most 5 s each. Worst while switching: slowest operation 90 ms (in the blocks ' +
      '60 ms).';
    const text = renderTrial({ ...DONE, switchCost: { say } }, plain);
    fits(text);
    assert.match(
      text,
      /\n {2}3 switches, 1 down in steps, at most 5 s each\. Worst while switching: slowest\n {2}operation 90 ms \(in the blocks 60 ms\)\.\n/,
    );
    assert.doesNotMatch(renderTrial({ ...DONE, switchCost: { say: null } }, plain), /switches/);
  });
  it('one that is only shown', () => {
    const shown = {
      ...DONE,
      dryRun: true,
      verdict: null,
      seconds: 260,
      longestSeconds: 700,
      guardrail: { limits: null, given: { readLatencyMs: 20, errors: null } },
      confirm: 'tune.trial({ cacheSizeGB: 1 }, { confirm: true })',
      conf: null,
      undo: null,
    };
    const text = renderTrial(shown, plain);
    fits(text);
    assert.match(text, /^h:1 {2}DRY RUN: nothing was changed\n/);
    assert.match(
      text,
      /TAKES {8}4 min 20 s to 11 min 40 s\n {13}4 blocks of 30 s in 2 pairs, in random order such as ABBA\./,
    );
    assert.match(text, /Limits of this call: readLatencyMs max 20, errors not guarded\./);
    assert.match(
      text,
      /WOULD SEND\n {2}db\.adminCommand\(\{ setParameter: 1, wiredTigerEngineRuntimeConfig:\n {4}"cache_size=1024M" \}\)\n/,
    );
    assert.match(
      text,
      /A is active again, or B if it is better\. After Ctrl-C: A\.[^]* {2}Run {8}tune\.trial/,
    );
    const never = renderTrial(
      {
        ...shown,
        keep: 'never',
        longestSeconds: 260,
        guardrail: { limits: null, given: {} },
        confirm: null,
        host: null,
      },
      plain,
    );
    assert.match(never, /TAKES {8}4 min 20 s\n/);
    assert.match(never, /A is active again\. After/);
    assert.doesNotMatch(never, /Limits of this call/);
  });
});

describe('an interval on a line', () => {
  it('shows where 1 is, also for what does not fit', () => {
    const [line, scale] = interval('reads/s', { ratio: 1, low: 0.98, high: 1.02 }, plain);
    assert.match(line, /^ {2}reads\/s, B ÷ A {2}·+├─*●─*┤·+$/);
    assert.match(scale, /^ {18}×0\.78 +×1 +×1\.28$/);
    const [wide, ends] = interval('reads/s', { ratio: 90, low: 20, high: 400 }, plain);
    assert.match(wide, /│·+●$/);
    assert.match(ends, /×0\.06 +×1 +×16$/);
    assert.deepEqual([0.001, 0.5, 12.4, 5e6].map(showRatio), ['<×0.01', '×0.50', '×12', '>×1000']);
  });
});
