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
      /^h:1 {2}6 min 40 s\nRESULT {7}\{ cacheSizeGB: 1 \} is proven better, and active now\nBOTTLENECK {3}cache-read\n {2}The working set does not fit\.\n/,
    );
    assert.match(text, / 1 {2}\{ cacheSizeGB: 1 \}\n {6}operations\/s ×1\.40, short trial, 24 s\n/);
    assert.match(text, / 2 {2}\{ cacheSizeGB: 2 \}\n {6}worse: The guardrail ended it\. 24 s\n/);
    assert.match(
      text,
      / 3 {2}\{ cacheSizeGB: 1 \}\n {6}operations\/s ×1\.40 \(×1\.20 to ×1\.60\), better, kept, 2 min 40 s\n/,
    );
    assert.match(
      text,
      / {2}Undo {7}tune\.undo\("b"[^]*\n {2}Undo {7}tune\.undo\("a"[^]*with tune\.lint\(\):\n {2}storage:$/,
    );
    assert.ok(text.split('\n').every((line) => line.length <= 80));
  });
  it('nothing proven, and why it ended', () => {
    const nothing = { ...DONE, change: null, conf: null, undo: [] };
    assert.match(
      renderAuto(nothing, plain),
      /RESULT {7}no candidate proven better; settings as before\n/,
    );
    for (const [ended, say] of [
      ['time', /time limit ended/],
      ['interrupted', /Ctrl-C/],
      ['load', /load stopped/],
      ['disturbed', /Another session/],
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
      /is proven better, and active now[^]*ENDED {8}An error ended the search\.\n {2}WARN {2}The server refused it\.\n {2}Undo/,
    );
    assert.match(
      renderAuto({ ...DONE, ended: 'gone', effective: null }, plain),
      /\nRESULT {7}\{ cacheSizeGB: 1 \} was proven better and kept; tune\.settings\(\)\s+there shows/,
    );
    assert.match(
      renderAuto({ ...failed, change: null, undo: [], conf: null }, plain),
      /\nRESULT {7}no candidate proven better\n/,
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
      /no verdict, 24 s/,
    );
  });
  it('what another session has set since is not said to be in effect', () => {
    assert.match(
      renderAuto({ ...DONE, ended: 'disturbed', effective: {} }, plain),
      /\nRESULT {7}\{ cacheSizeGB: 1 \} was proven better and kept, but another session\s+has set cacheSizeGB since\n/,
    );
    assert.match(
      renderAuto({ ...DONE, change: null, undo: [], conf: null, ended: 'disturbed' }, plain),
      /\nRESULT {7}no candidate proven better\n/,
    );
  });
  it('what a trial may have left in effect', () => {
    const undo = 'tune.undo("c", { confirm: true })';
    const left = step({ warnings: [`The call may still arrive; ${undo} takes it back.`], undo });
    const text = renderAuto(
      { ...DONE, change: null, conf: null, ended: 'interrupted', path: [left], undo: [undo] },
      plain,
    );
    assert.match(
      text,
      /\nRESULT {7}no candidate proven better\n[^]*\n {2}WARN {2}The call may still arrive/,
    );
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
    assert.match(shown, /DRY RUN: nothing was changed\n/);
    assert.match(shown, /TAKES {8}at most 15 min\n {13}Short trials drop half/);
    assert.match(
      shown,
      / {2}WARN {2}Each switch to a smaller cache is done in steps, at most 60 s in all,\s+and may block clients\./,
    );
    assert.match(
      shown,
      /\nCANDIDATES {3}cache: \{ cacheSizeGB: 1 \} or \{ cacheSizeGB: 2 \}\n[^]*\n {2}Run {8}tune\.auto\(\{ confirm: true \}\)\n {2}Undo later tune\.undo\(\{ confirm: true \}\)$/,
    );
    const refused = renderAuto(
      { ...DONE, ended: 'refused', bottleneck: 'none', because: 'It is healthy.', host: null },
      plain,
    );
    assert.match(
      refused,
      /^\? {2}6 min 40 s\nRESULT {7}nothing to test: no setting affects this bottleneck\nBOTTLENECK {3}none\n {2}It is healthy\.\n {2}Details {4}tune\.advise\(\)/,
    );
    const query = renderAuto(
      /** @type {any} */ ({
        ...DONE,
        ended: 'refused',
        bottleneck: 'cache-read',
        cause: { kind: 'scans', say: 'queries examine 40 documents' },
        remedy: 'The query first.',
      }),
      plain,
    );
    assert.match(
      query,
      /RESULT {7}nothing to test: a setting would only hide the cause\n[^]*CAUSE {8}queries examine 40 documents\.\nDO FIRST {5}The query first\./,
    );
  });
});
