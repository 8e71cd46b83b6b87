'use strict';

const assert = require('node:assert/strict');
const { layout, draw, MIN } = require('../../../../lib/report/pure/screen/layout');
const { AREAS } = require('../../../../lib/report/pure/screen/areas');
const { CHARTS } = require('../../../../lib/report/pure/screen/charts');
const { makeFrames } = require('../../../../lib/report/pure/screen/frame');
const { drawScreen } = require('../../../support/screen');
const { viewOf, textOf, pointsOf, MEMBERS } = require('./view');

/** @param {object} over @param {number} columns @param {number} rows */
const drawn = (over, columns, rows) => textOf(layout(viewOf(over), { columns, rows }));
const ui = (over) => ({ area: 0, isPaused: false, isHelp: false, ...over });

describe('report/screen: the picture', () => {
  it('is this at 80 × 24', () => {
    const lines = drawn({ points: pointsOf(5) }, 80, 24).map((line) => line.trimEnd());
    assert.deepEqual(lines.slice(0, 7), [
      'mongo-3.example.net:27017  MongoDB 6.0.5  primary                   12:03:20 UTC',
      'bottleneck  cache-dirty: Dirty data is at its trigger, so that application',
      '            threads evict: 2.3 of them are busy with that on average.',
      'fill       █████████████████│░░│░  82.0%     80/95%     210 MiB of 256 MiB',
      'dirty      ███│██████████│░░░░░░░  21.0% !!  5/20%      53.8 MiB',
      'updates    ███│░░░░░░░░░░│░░░░░░░   3.0%     2.5/10%    7.68 MiB',
      'read in/s   39.1 KiB                                                       ▁▁▁▁▁',
    ]);
    assert.equal(
      lines[8],
      'checkpoint      runs                                                       █████',
    );
    assert.deepEqual(lines.slice(19), [
      '                                                                     4 s ago now',
      'members    ▸mongo-3 primary   mongo-2 secondary, 3 s behind   mongo-1 DOWN',
      '12:02:00  the server restarted',
      '[1 overview] 2 cache  3 eviction  4 checkpoint  5 clients  6 operations',
      'q quit   space pause   tab area   m member   ? help',
    ]);
    assert.equal(lines.length, 24);
  });

  it('keeps what matters most at 60 × 12', () => {
    const lines = drawn({}, 60, 12);
    assert.deepEqual(
      lines.map((line) => line.split(/ {2,}|[▸:]/)[0].trim()),
      [
        'mongo-3.example.net',
        'bottleneck',
        'fill',
        'dirty',
        'updates',
        'read in/s',
        'clients/s',
        'evicting',
        'waiting',
        'write takes',
        'members',
        'q quit',
      ],
    );
  });

  it('shows a minute at 80 columns, and more on wider ones', () => {
    const bars = (columns) =>
      /[▁-█]+$/.exec(
        drawn({ points: pointsOf(600) }, columns, 24).find((line) => line.startsWith('waiting')),
      )[0].length;
    assert.equal(bars(80), 59);
    assert.equal(bars(200), 179);
    assert.match(
      drawn({ points: pointsOf(600) }, 200, 24).find((line) => line.endsWith('now')),
      /2 min 58 s ago/,
    );
  });

  it('gives the room of a tall screen to charts and events', () => {
    const lines = drawn({}, 100, 60);
    assert.ok(lines.filter((line) => line.startsWith('  most')).length >= 10);
    assert.ok(lines.some((line) => line.includes('settings: evictionDirtyTrigger 20 → 15')));
  });

  for (const [area, { name, first, charts }] of AREAS.entries()) {
    it(`${name}: has all its charts, taller than on the overview`, () => {
      const lines = drawn({ ui: ui({ area }) }, 100, 50);
      for (const chart of first)
        assert.ok(
          lines.some((line) => line.startsWith(CHARTS[chart].label)),
          chart,
        );
      assert.deepEqual([...charts.flat()].sort(), [...first].sort());
      assert.ok(lines.some((line) => line.includes(`[${area + 1} ${name}]`)));
    });
  }

  it('is never wider than the columns nor higher than the rows, whatever is known', () => {
    const views = [
      {},
      {
        status: null,
        points: [],
        verdict: null,
        members: [],
        events: [],
        host: null,
        version: null,
        role: null,
        shownHost: null,
      },
      { status: { cache: {}, thresholds: {} } },
      { host: `${'long-name.'.repeat(30)}:27017`, shownHost: 'elsewhere' },
      { events: [{ atMs: 0, text: 'x'.repeat(500) }] },
      {
        members: Array.from({ length: 50 }, (_, i) => ({
          ...MEMBERS[1],
          host: `member-${i}.example.net:27017`,
        })),
        shownHost: 'member-7.example.net:27017',
      },
      { message: 'word '.repeat(200), state: { kind: 'lost', sinceMs: 0 } },
      { verdict: { bottleneck: 'cache-read', because: 'y'.repeat(400) } },
      { points: pointsOf(600) },
      { points: pointsOf(2).map((point) => ({ ...point, values: {} })) },
    ];
    const uis = [false, true].flatMap((isHelp) => AREAS.map((_, area) => ui({ area, isHelp })));
    const sizes = [
      [60, 12],
      [61, 13],
      [80, 24],
      [97, 31],
      [132, 43],
      [300, 100],
      [59, 40],
      [80, 11],
      [10, 1],
      [1, 2],
    ];
    for (const [view, one, [columns, rows]] of views.flatMap((view) =>
      uis.flatMap((one) => sizes.map((size) => [view, one, size])),
    )) {
      const lines = drawn({ ...view, ui: one }, columns, rows);
      assert.ok(lines.length <= rows, `${lines.length} of ${rows} rows`);
      assert.deepEqual(
        lines.filter((line) => line.length > columns),
        [],
      );
      if (columns >= MIN.columns && rows >= MIN.rows) assert.equal(lines.length, rows);
    }
  });

  it('says what it needs where the window is too small', () =>
    assert.deepEqual(drawn({}, 50, 10), ['The screen needs 60 × 12.', 'q quit']));

  for (const [what, over, expected] of [
    ['looking, as long as nothing can be said', { verdict: null }, /^bottleneck {2}looking …$/m],
    [
      'a message instead of the bottleneck',
      { message: 'The connection to the server was lost.' },
      /^! The connection to the server was lost\.$/m,
    ],
    [
      'that the picture is held',
      { state: { kind: 'paused', sinceMs: 0 }, ui: ui({ isPaused: true }) },
      /PAUSED at 00:00:00 UTC\n[^]*space go on/,
    ],
    [
      'for how long there is no connection',
      { state: { kind: 'lost', sinceMs: viewOf().nowMs - 12_300 } },
      /NO CONNECTION for 12 s$/m,
    ],
    [
      'for how long the server is silent',
      { state: { kind: 'silent', sinceMs: viewOf().nowMs - 5_000 } },
      /NO ANSWER for 5 s$/m,
    ],
    [
      'a level near its trigger, without colour',
      {
        status: {
          cache: { usedRatio: 0.9, maxBytes: 10, usedBytes: 9 },
          thresholds: { targetRatio: 0.8, triggerRatio: 0.95 },
        },
      },
      /90\.0% ! {3}80\/95%/,
    ],
    ['what is not known', { status: { cache: {}, thresholds: {} } }, /^fill {7}\? +\? +not known/m],
    ['no members on a standalone server', { members: [] }, /^(?![^]*members)(?![^]*m member)/],
    [
      'whole names of members, and how far they lag, where there is room',
      {},
      /▸mongo-3\.example\.net:27017 primary {3}mongo-2\.example\.net:27017 secondary, 3 s behind {3}mongo-1\.example\.net:27017 DOWN/,
    ],
    [
      'the keys',
      { ui: ui({ isHelp: true }) },
      /^q {11}ends it[^]*^waiting {5}application threads waiting for the cache[^]*Esc: back/m,
    ],
  ])
    it(`shows ${what}`, () =>
      assert.match(
        drawn(over, 140, 40)
          .map((line) => line.trimEnd())
          .join('\n'),
        expected,
      ));

  it('tells which member is shown where the names do not fit', () => {
    const members = Array.from({ length: 20 }, (_, i) => ({
      ...MEMBERS[1],
      host: `member-${i}.example.net:27017`,
    }));
    assert.ok(
      drawn({ members, shownHost: members[7].host }, 80, 24).some(
        (line) => line.trimEnd() === 'members     8 of 20: member-7 secondary',
      ),
    );
    assert.ok(
      drawn({ members, shownHost: 'gone' }, 80, 24).some(
        (line) => line.trimEnd() === 'members     0 of 20',
      ),
    );
  });
  it('keeps the ports of members that share a host', () => {
    const members = [1, 2].map((i) => ({ ...MEMBERS[1], host: `db.example.net:2701${i}` }));
    assert.ok(
      drawn({ members, shownHost: members[0].host }, 60, 24).some((line) =>
        line.includes('▸db:27011 secondary   db:27012 secondary'),
      ),
    );
  });

  it('keeps whole names that would be the same without their domains', () => {
    const members = ['a', 'b'].map((domain) => ({
      ...MEMBERS[1],
      host: `db.${domain}.example.net:27017`,
      lagSeconds: null,
    }));
    assert.ok(
      drawn({ members, shownHost: null }, 66, 24).some((line) =>
        line.includes(' db.a.example.net:27017   db.b.example.net:27017'),
      ),
    );
  });
  it('keeps addresses whole, and their ports where they differ', () => {
    const members = [1, 2, 3].map((i) => ({
      ...MEMBERS[1],
      host: `127.0.0.1:2701${i}`,
      lagSeconds: null,
    }));
    assert.ok(
      drawn({ members, shownHost: null }, 66, 24).some((line) =>
        line.includes(' 127.0.0.1:27011   127.0.0.1:27012   127.0.0.1:27013'),
      ),
    );
  });
  for (const [bottleneck, tone] of [
    ['none', 'good'],
    ['idle', 'good'],
    ['unknown', 'faint'],
    ['disk', 'bad'],
  ]) {
    it(`${bottleneck} is ${tone}`, () =>
      assert.ok(
        layout(viewOf({ verdict: { bottleneck, because: 'So.' } }), { columns: 80, rows: 24 })
          .flat()
          .some(({ text, tone: its }) => text === `${bottleneck}:` && its === tone),
      ));
  }

  it('lets no name paint the screen, nor shift its line', () => {
    const lines = drawn(
      { host: 'a\x1b[2Jb漢e\u0301', events: [{ atMs: 0, text: '\u202e\u{1F680}' }] },
      80,
      24,
    );
    assert.ok(lines[0].startsWith('a\\u001b[2Jb?e?'), lines[0]);
    assert.ok(lines.some((line) => line.includes('\\u202e?')));
  });

  it('is drawn with the ink of the terminal, and tells the widths without it', () => {
    const [title] = draw(viewOf(), { columns: 80, rows: 24 }, (text, tone) => `<${tone}:${text}>`);
    assert.match(
      title.text,
      /^<strong:mongo-3\.example\.net:27017> {2}MongoDB 6\.0\.5 {2}primary +<faint:12:03:20 UTC>$/,
    );
    assert.equal(title.width, 80);
  });
  it('leaves nothing of a longer line behind', () => {
    const frames = makeFrames();
    const size = { columns: 80, rows: 24 };
    const plain = (text) => text;
    const gone = viewOf({
      points: pointsOf(70).map((point, i) => (i < 60 ? point : { ...point, values: {} })),
    });
    const raw =
      frames.next(draw(viewOf(), size, plain), 80) + frames.next(draw(gone, size, plain), 80);
    assert.equal(
      drawScreen(raw, 80, 24),
      textOf(layout(gone, size))
        .map((line) => line.trimEnd())
        .join('\n'),
    );
  });
});
