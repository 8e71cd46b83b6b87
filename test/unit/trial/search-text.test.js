'use strict';

const assert = require('node:assert/strict');
const { renderAuto } = require('../../../lib/trial/pure/search-text');

const plain = (/** @type {string} */ text) => text;
const step = (/** @type {any} */ more) => ({
  kind: 'short',
  change: { cacheSizeGB: 1 },
  verdict: 'inconclusive',
  ratio: 1.4,
  low: null,
  high: null,
  kept: false,
  seconds: 24,
  warnings: [],
  undo: null,
  ...more,
});
const DONE = {
  host: 'h:1',
  dryRun: false,
  bottleneck: 'cache-read',
  because: 'The working set does not fit.',
  minutes: 15,
  seconds: 400,
  metric: 'opsPerSec',
  dimensions: [{ kind: 'cache', changes: [{ cacheSizeGB: 1 }, { cacheSizeGB: 2 }] }],
  path: [
    step({}),
    step({
      change: { cacheSizeGB: 2 },
      ratio: null,
      verdict: 'worse',
      because: 'The guardrail ended it.',
    }),
    step({ kind: 'full', verdict: 'better', low: 1.2, high: 1.6, kept: true, seconds: 160 }),
  ],
  change: /** @type {any} */ ({ cacheSizeGB: 1 }),
  effective: /** @type {any} */ ({ cacheSizeGB: 1 }),
  ended: /** @type {string | null} */ ('complete'),
  endedBecause: /** @type {string | null} */ (null),
  conf: /** @type {string | null} */ ('storage:\n'),
  undo: ['tune.undo("b", { confirm: true })', 'tune.undo("a", { confirm: true })'],
  confirm: /** @type {string | null} */ (null),
};

describe('a search as text', () => {
  it('tells the path, what stays, and the way back', () => {
    const text = renderAuto(DONE, plain);
    assert.match(
      text,
      /^h:1 {2}\{ cacheSizeGB: 1 \} is in effect, and proven better {3}after 6 min 40 s\n\nbottleneck: cache-read\n {2}The working set does not fit\.\n/,
    );
    assert.match(
      text,
      / 1 {2}\{ cacheSizeGB: 1 \}\n {6}opsPerSec ×1\.40, a first impression; 24 s\n/,
    );
    assert.match(text, / 2 {2}\{ cacheSizeGB: 2 \}\n {6}worse: The guardrail ended it\. 24 s\n/);
    assert.match(
      text,
      / 3 {2}\{ cacheSizeGB: 1 \}\n {6}opsPerSec ×1\.40 \(×1\.20 to ×1\.60\), better, stays; 2 min 40 s\n/,
    );
    assert.match(
      text,
      /to undo it: {2}tune\.undo\("b"[^]* {7}and: {2}tune\.undo\("a"[^]*in mongod\.conf:\n {2}storage:$/,
    );
    assert.ok(text.split('\n').every((line) => line.length <= 80));
  });
  it('nothing proven, and why it ended', () => {
    const nothing = { ...DONE, change: null, conf: null, undo: [] };
    assert.match(renderAuto(nothing, plain), /everything is as it was: nothing was proven better/);
    for (const [ended, say] of [
      ['time', /time was up/],
      ['interrupted', /Ctrl-C/],
      ['load', /load stopped/],
      ['disturbed', /Somebody else/],
      ['gone', /restarted/],
      ['lost', /connection was lost/],
    ]) {
      assert.match(
        renderAuto({ ...nothing, path: [], ended: String(ended) }, plain),
        /** @type {RegExp} */ (say),
      );
    }
    const failed = { ...DONE, ended: 'failed', endedBecause: 'The server refused it.' };
    assert.match(
      renderAuto(failed, plain),
      /is in effect, and proven better[^]* {2}An error ended the search\.\n\n! The server refused it\.\n\nto undo it/,
    );
    assert.match(
      renderAuto({ ...DONE, ended: 'gone', effective: null }, plain),
      /^h:1 {2}\{ cacheSizeGB: 1 \} was proven better and kept; tune\.settings\(\) there shows/,
    );
    assert.match(
      renderAuto({ ...failed, change: null, undo: [], conf: null }, plain),
      /^h:1 {2}nothing was proven better/,
    );
    assert.match(
      renderAuto(
        {
          ...nothing,
          path: [step({ kind: 'full', verdict: null })],
          ended: 'complete',
          host: null,
        },
        plain,
      ),
      /no verdict; 24 s/,
    );
  });
  it('what another session has set since is not said to be in effect', () => {
    assert.match(
      renderAuto({ ...DONE, ended: 'disturbed', effective: {} }, plain),
      /^h:1 {2}\{ cacheSizeGB: 1 \} was proven better and kept, but another session has set cacheSizeGB since/,
    );
    assert.match(
      renderAuto({ ...DONE, change: null, undo: [], conf: null, ended: 'disturbed' }, plain),
      /^h:1 {2}nothing was proven better/,
    );
  });
  it('what a trial may have left in effect', () => {
    const undo = 'tune.undo("c", { confirm: true })';
    const left = step({ warnings: [`The call may still arrive; ${undo} takes it back.`], undo });
    const text = renderAuto(
      { ...DONE, change: null, conf: null, ended: 'interrupted', path: [left], undo: [undo] },
      plain,
    );
    assert.match(text, /^h:1 {2}nothing was proven better[^]*\n {4}! The call may still arrive/);
  });
  it('one that is only shown, and one that has nothing to search', () => {
    const shown = renderAuto(
      {
        ...DONE,
        dryRun: true,
        path: [],
        change: null,
        ended: null,
        conf: null,
        undo: [],
        confirm: 'tune.auto({ confirm: true })',
      },
      plain,
    );
    assert.match(shown, /DRY RUN: nothing was sent\n/);
    assert.match(shown, /Within 15 min: short trials halve/);
    assert.match(
      shown,
      /Each switch to a smaller cache goes down in steps, at most 60 s each, and may\s+cost clients time\./,
    );
    assert.match(
      shown,
      / {2}cache {4}\{ cacheSizeGB: 1 \} or \{ cacheSizeGB: 2 \}\n\nto do it: {4}tune\.auto\(\{ confirm: true \}\)$/,
    );
    const refused = renderAuto(
      { ...DONE, ended: 'refused', bottleneck: 'none', because: 'It is healthy.', host: null },
      plain,
    );
    assert.match(
      refused,
      /^ {2}there is nothing to search\n\nbottleneck: none\n {2}It is healthy\.\n {2}No setting that may be tried is its mechanism\./,
    );
  });
});
