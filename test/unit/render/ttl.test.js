'use strict';

const assert = require('node:assert/strict');
const { renderTtl } = require('../../../lib/render/ttl');

const plain = (text) => text;
const hours = Array.from({ length: 24 }, (_, i) => (i === 9 ? 70 : i === 2 ? 30 : 0));
const index = { ns: 'd.c', kind: 'index', index: 'at_1', expireAfterSeconds: 3600, documents: 200, expiry: { sampled: 200, overdue: 10, nextDay: 100, hours, later: 90, never: 0 }, quietRatio: 0.3 };
const design = { ns: 'd.c', index: 'at_1', steps: [{ what: 'first this', command: 'db.one()' }, { what: 'then that', command: 'db.two()' }] };
const data = {
  at: new Date(0), host: 'h', work: { deletedDocuments: 500, passes: 10, uptimeSeconds: 600, deletedPerSec: 0.83, deletedPerPass: 50, enabled: true, everySeconds: 60 },
  indexes: [index], hours, quiet: { hour: 1, hours: 4, ratio: 0.3 }, designs: [design], notes: ['something.'],
};
const text = (more = {}) => renderTtl(/** @type {any} */ ({ ...data, ...more }), plain);

describe('the text of ttl', () => {
  it('work, indexes, hours, and the steps', () => {
    const lines = text().split('\n');
    assert.equal(lines[0], 'h: 1 TTL index');
    assert.equal(lines[1], 'deleted by TTL: 500 documents in the 10 min 0 s since the server started (0.83/s; 10 passes, one every 60 s, 50 each)');
    assert.match(lines[4], /^d\.c +at_1 +60 min 0 s +200 +10 +100 +90 +▁▁▄▁▁▁▁▁▁█▁+$/);
    assert.equal(lines[6], 'due by hour of day (UTC), estimated: 00 ▁▁▄▁▁▁▁▁▁█▁▁▁▁▁▁▁▁▁▁▁▁▁▁ 23; most at 09:00: 70 documents; in the quiet hours 01:00-05:00: 30.0 %');
    assert.deepEqual(lines.slice(-6), ['1. d.c: first this', '   db.one()', '2. d.c: then that', '   db.two()', '', 'note: something.']);
  });
  it('what is not known, and what expires at its date', () => {
    const shown = text({ host: null, hours: null, designs: [], indexes: [{ ...index, index: null, kind: 'timeseries', documents: null, expiry: null }, { ...index, expireAfterSeconds: 0 }], work: { deletedDocuments: null } });
    assert.match(shown, /^\?: 2 TTL indexes\ndeleted by TTL: \?\n/);
    assert.match(shown, /^d\.c +timeseries +60 min 0 s +\? +\? +\? +\? +\?$/m);
    assert.match(shown, /^d\.c +at_1 +at its date /m);
    assert.doesNotMatch(shown, /due by hour|quiet/);
  });
  it('none at all; nothing due; quiet hours over midnight; more than one design', () => {
    assert.match(text({ indexes: [], hours: null, designs: [], work: { ...data.work, uptimeSeconds: null, everySeconds: null } }), /^h: no TTL indexes\ndeleted by TTL: 500 documents \(0\.83\/s; 10 passes, 50 each\)\nnote/);
    assert.match(text({ hours: Array(24).fill(0) }), /^due in the 24 hours after 00:00 UTC: nothing$/m);
    const shown = text({ quiet: { hour: 22, hours: 4, ratio: 0 }, designs: [design, { ...design, ns: 'd.e' }] });
    assert.match(shown, /in the quiet hours 22:00-02:00: 0\.0 %/);
    assert.match(shown, /those of 1 more\s+are\s+in\s+\.designs/);
    assert.doesNotMatch(shown, /d\.e:/);
  });
});
