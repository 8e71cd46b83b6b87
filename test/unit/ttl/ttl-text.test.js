'use strict';

const assert = require('node:assert/strict');
const { renderTtl } = require('../../../lib/commands/pure/ttl-text');

const plain = (text) => text;
const hours = Array(24).fill(0).with(2, 30).with(9, 70);
const index = {
  ns: 'd.c',
  kind: 'index',
  index: 'at_1',
  field: 'at',
  expireAfterSeconds: 3600,
  documents: 200,
  expiry: { sampled: 200, overdue: 10, nextDay: 100, hours, later: 90, never: 7 },
  quietRatio: 0.3,
};
const design = {
  ns: 'd.c',
  indexes: ['at_1'],
  steps: [
    { what: 'first this', command: 'db.one()' },
    { what: 'then that', command: 'db.two()' },
  ],
};
const data = {
  at: new Date(0),
  host: 'h',
  work: {
    deletedDocuments: 500,
    passes: 10,
    uptimeSeconds: 600,
    deletedPerSec: 0.83,
    deletedPerPass: 50,
    enabled: true,
    everySeconds: 60,
  },
  collections: 3,
  unknown: 0,
  indexes: [index],
  hours,
  quiet: { startHour: 1, lengthHours: 4, ratio: 0.3 },
  designs: [design],
  undesigned: [],
  notes: ['something.'],
};
const text = (more = {}) => renderTtl(/** @type {any} */ ({ ...data, ...more }), plain);

describe('the text of ttl', () => {
  it('work, indexes, hours, and the steps', () => {
    const lines = text().split('\n');
    assert.deepEqual(lines.slice(0, 2), ['h', 'TTL          1 index']);
    assert.equal(
      lines
        .slice(2, 4)
        .map((line) => line.trim())
        .join(' '),
      'DELETED      500 documents in the 10 min since the server started: 0.83/s, 50 a pass ' +
        '(10 passes, one every 60 s)',
    );
    assert.equal(lines[8], '  d.c  at_1  60 min after "at"');
    assert.match(lines[9], /^ +200 +10 +100 +90 +7 +▁▁▄▁▁▁▁▁▁█▁+$/);
    assert.deepEqual(lines.slice(4, 7), [
      'DUE          00 ▁▁▄▁▁▁▁▁▁█▁▁▁▁▁▁▁▁▁▁▁▁▁▁ 23 UTC',
      '             max 70 documents at 09:00; 30.0% of all in the quiet window',
      '             01:00-05:00 UTC',
    ]);
    assert.deepEqual(lines.slice(-5), [
      '  1. first this',
      '     db.one()',
      '  2. then that',
      '     db.two()',
      '  note  something.',
    ]);
    assert.ok(lines.every((line) => line.length <= 80));
  });
  it(
    'what is not known, what expires at its date, in months, in a life; a time series by its ' +
      'own name',
    () => {
      const unknown = {
        ...index,
        ns: 'd.system.buckets.c',
        index: null,
        field: null,
        kind: 'timeseries',
        documents: null,
        expiry: null,
      };
      const shown = text({
        host: null,
        hours: null,
        designs: [],
        work: { deletedDocuments: null },
        indexes: [
          unknown,
          { ...unknown, expireAfterSeconds: null },
          { ...index, expireAfterSeconds: 0 },
          { ...index, expireAfterSeconds: 2_147_483_647 },
          {
            ...index,
            kind: 'clustered',
            index: null,
            field: '_id',
            expireAfterSeconds: 30 * 86_400,
          },
        ],
      });
      assert.match(shown, /^\?\nTTL {10}5 indexes\nDELETED {6}unknown\n/);
      for (const title of [
        'd.c  time series  60 min after its date',
        'd.c  time series  ?',
        'd.c  at_1  at the date in "at"',
        'd.c  at_1  68 years after "at"',
        'd.c  clustered  30 d after "_id"',
      ])
        assert.ok(shown.includes(`\n  ${title}\n`), title);
      assert.match(shown, /^ +\? +\? +\? +\? +\? +\?$/m);
      assert.doesNotMatch(shown, /DUE|quiet|buckets/);
    },
  );
  it('none at all; nothing due; quiet hours over midnight; more than one design', () => {
    assert.match(
      text({
        indexes: [],
        hours: null,
        designs: [],
        work: { ...data.work, uptimeSeconds: null, everySeconds: null },
      }),
      /^h\nTTL {10}no indexes\nDELETED {6}500 documents: 0\.83\/s, 50 a pass \(10 passes\)\n {2}note/,
    );
    assert.match(
      text({
        hours: Array(24).fill(0),
        indexes: [{ ...index, expiry: { ...index.expiry, nextDay: 0, hours: Array(24).fill(0) } }],
      }),
      /^DUE {10}nothing in the 24 h after 00:00 UTC$/m,
    );
    const shown = text({
      quiet: { startHour: 22, lengthHours: 4, ratio: 0 },
      designs: [design, { ...design, ns: 'd.e' }],
    });
    assert.match(shown, /0\.0% of all in the quiet window\s+22:00-02:00/);
    assert.match(shown, /tune\.last\.designs\s+has\s+1\s+more\./);
    assert.doesNotMatch(shown, /d\.e/);
  });
  it('what this user may not see is not taken for nothing', () => {
    assert.match(
      text({ indexes: [], unknown: 2 }),
      /^h\nTTL {10}no indexes; 2 of 3 collections are unknown\n/,
    );
  });
  it('what the server keeps for itself is only counted', () => {
    const own = { ...index, ns: 'config.system.sessions' };
    assert.match(text({ indexes: [index, own, own] }), /^h\nTTL {10}1 index, plus 2 internal\n/);
    const none = text({ indexes: [own], hours: null, designs: [] });
    assert.match(none, /^h\nTTL {10}no indexes, plus 1 internal\n/);
    assert.doesNotMatch(none, /config|documents +overdue/);
  });
  it('why something stays as it is, where much would be moved', () => {
    const shown = text({
      designs: [],
      undesigned: [
        { ns: 'd.x', because: 'some reason', worth: true },
        { ns: 'd.y', because: 'tiny', worth: false },
      ],
    });
    assert.match(shown, /^ {2}INFO {2}d\.x is not changed: some reason\.$/m);
    assert.doesNotMatch(shown, /d\.y/);
  });
  it('names of others are shown, not obeyed', () => {
    const evil = 'a\x1b[2J\n\tb\x9b31m';
    const shown = text({
      indexes: [{ ...index, ns: `d.${evil}`, index: evil, field: evil }],
      undesigned: [{ ns: evil, because: 'x', worth: true }],
      designs: [{ ...design, ns: evil }],
      notes: [evil],
    });
    assert.doesNotMatch(shown.replaceAll('\n', ''), /[\p{Cc}]/u);
    assert.equal(
      shown.split('\n').length,
      text({ undesigned: [{ ns: 'a', because: 'x', worth: true }] }).split('\n').length,
    );
  });
});
