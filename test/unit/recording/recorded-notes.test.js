'use strict';

const assert = require('node:assert/strict');
const {
  emptyBecause,
  continuityNotes,
  accountNotes,
  seriesNotes,
  settingsNotes,
} = require('../../../lib/recording/pure/recorded-notes');

const T0 = Date.UTC(2026, 0, 1);
const SECOND = 1000;
/** @param {any} kind @param {number} from @param {number} to seconds */
const break_ = (kind, from, to) => ({ kind, fromMs: T0 + from * SECOND, toMs: T0 + to * SECOND });

describe('recording/pure/recorded-notes', () => {
  for (const [name, breaks, expected] of /** @type {[string, any[], string[]][]} */ ([
    ['nothing', [], []],
    [
      'a gap',
      [break_('gap', 0, 60)],
      ['No samples between 2026-01-01 00:00:00 and 2026-01-01 00:01:00 (60 s).'],
    ],
    [
      'the longest gaps first, of many the number',
      [60, 20, 30, 40, 50].map((length, i) => break_('gap', i * 100, i * 100 + length)),
      [
        'No samples between 2026-01-01 00:00:00 and 2026-01-01 00:01:00 (60 s).',
        'No samples between 2026-01-01 00:06:40 and 2026-01-01 00:07:30 (50 s).',
        'No samples between 2026-01-01 00:05:00 and 2026-01-01 00:05:40 (40 s).',
        '2 more gaps, of 50 s together.',
      ],
    ],
    [
      'a restart',
      [break_('restart', 0, 5)],
      [
        'The server restarted once, last between 2026-01-01 00:00:00 and 2026-01-01 00:00:05; no ' +
          'window includes a restart.',
      ],
    ],
    [
      'many',
      Array.from({ length: 12 }, (_, i) => break_('restart', i, i + 1)),
      [
        'The server restarted 12 times, last between 2026-01-01 00:00:11 and 2026-01-01 ' +
          '00:00:12; no window includes a restart.',
      ],
    ],
    [
      'a clock',
      [break_('clock', 5, 1)],
      ['The clock was set back once, last at 2026-01-01 00:00:05.'],
    ],
    [
      'what is out of order, and fills a gap',
      [break_('gap', 0, 60), break_('order', 80, 30)],
      [
        'The samples are not in time order in 1 place, first from 2026-01-01 00:01:20 to ' +
          '2026-01-01 00:00:30; no window includes such a place.',
      ],
    ],
    [
      'more than one of them',
      [break_('order', 80, 30), break_('order', 90, 30)],
      [
        'The samples are not in time order in 2 places, first from 2026-01-01 00:01:20 to ' +
          '2026-01-01 00:00:30; no window includes such a place.',
      ],
    ],
    ['another name of the server, which has a note of its own', [break_('server', 0, 1)], []],
    [
      'a time that is none',
      [{ kind: 'clock', fromMs: 1e18, toMs: 0 }],
      ['The clock was set back once, last at ?.'],
    ],
  ]))
    it(`tells of ${name}`, () => assert.deepEqual(continuityNotes(breaks), expected));

  const account = {
    chunks: 8,
    skipped: { count: 0, why: null, fromMs: Infinity, toMs: -Infinity },
    damagedBytes: 0,
    unknown: 0,
    gone: 0,
    repeated: 0,
    hosts: ['a'],
  };
  for (const [name, more, expected] of /** @type {[string, any, string[]][]} */ ([
    ['nothing', {}, []],
    [
      'a chunk',
      { skipped: { count: 1, why: 'not zlib', fromMs: T0, toMs: T0 } },
      [
        '1 of 9 chunks are unreadable and were skipped, the first from 2026-01-01 00:00:00 (not ' +
          'zlib).',
      ],
    ],
    [
      'chunks',
      { skipped: { count: 2, why: 'not zlib', fromMs: T0, toMs: T0 + 3600 * SECOND } },
      [
        '2 of 10 chunks are unreadable and were skipped, the first from 2026-01-01 00:00:00, the ' +
          'last from 2026-01-01 01:00:00 (not zlib).',
      ],
    ],
    [
      'a chunk of an unknown time',
      { skipped: { count: 1, why: 'x', fromMs: Infinity, toMs: -Infinity } },
      ['1 of 9 chunks are unreadable and were skipped, the first from an unknown time (x).'],
    ],
    ['damage', { damagedBytes: 2048 }, ['2 KiB are damaged or truncated and were skipped.']],
    [
      'what later servers write',
      { unknown: 2 },
      ['2 documents have a type that this release of tune does not support, and were skipped.'],
    ],
    [
      'files that went',
      { gone: 1 },
      ['The server removed 1 of its files during reading; their samples are missing.'],
    ],
    ['what is there twice', { repeated: 181 }, ['181 duplicate samples were ignored.']],
    [
      'several names',
      { hosts: ['a', 'b'] },
      [
        'The host name changes: a, b. If these are several servers, use the files of one at a ' +
          'time.',
      ],
    ],
  ]))
    it(`accounts for ${name}`, () =>
      assert.deepEqual(accountNotes({ ...account, ...more }), expected));

  it('says why there is no answer', () => {
    assert.equal(
      emptyBecause({ fromMs: Infinity, toMs: -Infinity }),
      'The recording contains no sample.',
    );
    assert.match(
      emptyBecause({ fromMs: T0, toMs: T0 }),
      /covers the time from 2026-01-01 00:00:00 UTC/,
    );
    assert.match(
      emptyBecause({ fromMs: T0, toMs: T0 + SECOND }),
      /covers 2026-01-01 00:00:00 to about 2026-01-01 00:00:01 UTC/,
    );
  });

  const lines = {
    lines: 40,
    garbled: 0,
    damage: null,
    newer: null,
    repeated: 0,
    others: { lines: 0, hosts: [] },
  };
  for (const [more, pattern] of /** @type {[any, RegExp][]} */ ([
    [
      { others: { lines: 3, hosts: ['x', 'y'] } },
      /^3 of 40 lines belong to other servers \(x, y\)/,
    ],
    [{ repeated: 4 }, /^4 duplicate lines were ignored/],
    [{ garbled: 5 }, /^5 of 40 lines are not serverStatus documents/],
    [{ damage: 'unexpected end' }, /cannot be decompressed \(unexpected end\)/],
    [{ newer: 2 }, /later release of tune \(format 2\)/],
  ]))
    it(`tells what is in a file of lines: ${Object.keys(more)}`, () => {
      assert.deepEqual(seriesNotes(lines), []);
      const notes = seriesNotes({ ...lines, ...more });
      assert.equal(notes.length, 1);
      assert.match(notes[0], pattern);
    });

  it('tells whether the settings are known', () => {
    const config = (/** @type {number | null} */ value) =>
      /** @type {any} */ ({ evictionDirtyTrigger: { value } });
    assert.deepEqual(
      [null, config(null), config(20)].map((one) => settingsNotes(one).length),
      [1, 1, 0],
    );
  });
});
