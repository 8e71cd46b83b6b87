'use strict';

const assert = require('node:assert/strict');
const { chart } = require('../../../../lib/report/pure/screen/layout');
const { pointOf, CHARTS } = require('../../../../lib/report/pure/screen/charts');
const {
  makeFrames,
  ENTER,
  LEAVE,
  apart,
  cut,
  line,
  wrapTo,
} = require('../../../../lib/report/pure/screen/frame');
const { keysIn, press } = require('../../../../lib/report/pure/screen/keys');
const { AREAS } = require('../../../../lib/report/pure/screen/areas');
const { nextMember } = require('../../../../lib/cluster/member-status');
const { changesBetween } = require('../../../../lib/config/effective-config');
const { SETTING_NAMES } = require('../../../../lib/config/setting-table');
const { drawScreen } = require('../../../support/screen');
const { MEMBERS, textOf } = require('./view');

describe('report/pure/screen/layout', () => {
  for (const [what, values, options, expected] of [
    ['one row', [0, 1, 2, 4, 7], { width: 6 }, [' ▁▁▂▄▇']],
    ['several rows, the upper one first', [0, 5, 10], { width: 3, rows: 2 }, ['  ▇', '▁██']],
    ['only the last ones', [9, 9, 1, 2], { width: 2, top: 2 }, ['▄▇']],
    [
      'a gap where nothing is known, a line where it is zero',
      [0, undefined, 0],
      { width: 3 },
      ['▁ ▁'],
    ],
    ['next to nothing as next to nothing', [0.001, 0.002], { width: 2, min: 1 }, ['▁▁']],
    ['more than a full bar as a full one', [3], { width: 1, top: 1 }, ['▇']],
    ['nothing', [], { width: 2 }, ['  ']],
  ])
    it(`draws ${what}`, () => assert.deepEqual(chart(values, options), expected));
});

describe('report/pure/screen/rowss', () => {
  it('takes of a sample what it tells, and nothing else', () => {
    const { atMs, values } = pointOf(
      5,
      { 'cache.readBytesPerSec': 7 },
      {
        'cache.usedBytes': 1,
        'cache.maxBytes': 4,
        'checkpoint.running': 2,
        'tickets.readInUse': 3,
      },
    );
    assert.deepEqual(
      { atMs, values },
      { atMs: 5, values: { readIn: 7, fill: 0.25, checkpoint: 1, tickets: 3, readTickets: 3 } },
    );
    assert.deepEqual(pointOf(5, {}, {}).values, {});
    assert.deepEqual(pointOf(5, {}, { 'tickets.writeInUse': 2, 'checkpoint.running': 0 }).values, {
      tickets: 2,
      writeTickets: 2,
      checkpoint: 0,
    });
  });
  it('has labels and figures that fit their columns', () => {
    for (const [name, { label, show }] of Object.entries(CHARTS)) {
      assert.ok(label.length <= 11, label);
      for (const value of [
        undefined,
        0,
        1,
        0.123,
        ...({ '100.0%': [], '1 ms': [99_999] }[show(1)] ?? [999_999, 12_345_678]),
      ])
        assert.ok(show(value).length <= 9, `${name}: ${show(value)}`);
    }
    assert.deepEqual(
      [CHARTS.checkpoint.show(1), CHARTS.checkpoint.show(0), CHARTS.checkpoint.show(undefined)],
      ['runs', '·', '?'],
    );
  });
});

describe('report/pure/screen/frame', () => {
  it('cuts with a sign', () =>
    assert.deepEqual([cut('abc', 3), cut('abcd', 3), cut('a', 0)], ['abc', 'ab…', '']));
  it('sets apart, or leaves the right side out', () => {
    assert.deepEqual(
      textOf([apart(line('ab'), line('c'), 6), apart(line('abcd'), line('ef'), 6)]),
      ['ab   c', 'abcd'],
    );
  });
  it('wraps, and cuts the last line', () => {
    assert.deepEqual(wrapTo('aa bb cc dd', 5, 2), ['aa bb', 'cc dd']);
    assert.deepEqual(wrapTo('aa bb cc dd', 5, 1), ['aa b…']);
  });
});

describe('report/pure/screen/frame', () => {
  const of = (...texts) => texts.map((text) => ({ text, width: text.length }));
  it('writes the first frame whole, and then what is another one', () => {
    const frames = makeFrames();
    const first = frames.next(of('aaaa', 'bb'), 4);
    assert.equal(frames.next(of('aaaa', 'bb'), 4), '');
    const second = frames.next(of('aaaa', 'c'), 4);
    assert.doesNotMatch(second, /a/);
    assert.equal(drawScreen(`old text\r\nmore${ENTER}${first}${second}`, 4, 3), 'aaaa\nc');
    assert.equal(drawScreen(`old${ENTER}${first}${second}${LEAVE}!`, 4, 3), 'old!');
  });
  it('takes away lines that are no more', () => {
    const frames = makeFrames();
    assert.equal(drawScreen(frames.next(of('a', 'b'), 4) + frames.next(of('a'), 4), 4, 3), 'a');
  });
  it('draws anew what the terminal forgot', () => {
    const frames = makeFrames();
    frames.next(of('a'), 4);
    frames.forget();
    assert.equal(drawScreen(`xyz${frames.next(of('a'), 4)}`, 4, 3), 'a');
  });
  it('never clears behind a full line: the cursor may still stand on its last character', () =>
    assert.doesNotMatch(makeFrames().next(of('abcd'), 4), /\x1b\[K/));
});

describe('report/pure/screen/keys', () => {
  const UI = Object.freeze({ area: 0, isPaused: false, isHelp: false });
  for (const [typed, expected] of [
    ['q', ['quit']],
    ['\x04', ['quit']],
    ['\t\x1b[Z', ['next', 'before']],
    ['\x1b[C\x1bOD', ['next', 'before']],
    ['m n', ['member', 'pause', 'member']],
    ['3', ['3']],
    ['\x1b', ['back']],
    ['\x1b[200~quit all of it\x1b[201~?', ['help']],
    ['\x1b[200~q', []],
    ['é\x1b[5~', ['é', '\x1b[5~']],
    ['', []],
  ])
    it(`${JSON.stringify(typed)} is ${expected.join(', ') || 'nothing'}`, () =>
      assert.deepEqual(keysIn(typed), expected));

  for (const [key, from, expected] of [
    ['next', { area: AREAS.length - 1 }, { ui: { area: 0 } }],
    ['before', {}, { ui: { area: AREAS.length - 1 } }],
    ['next', { isHelp: true }, { ui: { area: 1, isHelp: false } }],
    ['3', {}, { ui: { area: 2 } }],
    ['9', {}, { ui: {} }],
    ['pause', {}, { ui: { isPaused: true } }],
    ['pause', { isPaused: true }, { ui: { isPaused: false } }],
    ['help', {}, { ui: { isHelp: true } }],
    ['back', { isHelp: true }, { ui: { isHelp: false } }],
    ['quit', {}, { ui: {}, act: 'quit' }],
    ['quit', { isHelp: true }, { ui: { isHelp: false }, act: 'quit' }],
    ['member', {}, { ui: {}, act: 'member' }],
    ['toString', {}, { ui: {} }],
  ]) {
    it(`${key} on ${JSON.stringify(from)}`, () => {
      assert.deepEqual(press({ ...UI, ...from }, key), {
        ...expected,
        ui: { ...UI, ...from, ...expected.ui },
      });
    });
  }
});

describe('cluster/member-status: the next member', () => {
  const [a, b, c] = MEMBERS.map(({ host }) => host);
  for (const [what, where, expected] of [
    ['the one after', { after: a, shownHost: a }, b],
    ['around the end', { after: c, shownHost: c }, a],
    ['not the one that is shown', { after: c, shownHost: a }, b],
    ['the first where nobody is known', { after: null, shownHost: null }, a],
  ])
    it(what, () => assert.equal(nextMember(MEMBERS, where).host, expected));
  it('none where there is no other', () => {
    assert.equal(nextMember([MEMBERS[0]], { after: a, shownHost: a }), null);
    assert.equal(
      nextMember([MEMBERS[0], { ...MEMBERS[1], canBeShown: false }], { after: a, shownHost: a }),
      null,
    );
  });
});

describe('config/effective-config: what changed', () => {
  const configOf = (value) =>
    Object.fromEntries(
      SETTING_NAMES.map((setting) => [
        setting,
        { value: setting === 'evictionDirtyTrigger' ? value : 1 },
      ]),
    );
  it('tells what is another one', () => {
    assert.deepEqual(changesBetween(configOf(20), configOf(15)), ['evictionDirtyTrigger 20 → 15']);
    assert.deepEqual(changesBetween(configOf(20), configOf(null)), ['evictionDirtyTrigger 20 → ?']);
    assert.deepEqual(
      [changesBetween(configOf(20), configOf(20)), changesBetween(null, configOf(20))],
      [[], []],
    );
  });
});
