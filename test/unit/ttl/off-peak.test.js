'use strict';

const assert = require('node:assert/strict');
const vm = require('node:vm');
const {
  whyNot,
  offPeakDesign,
  WORTH_PER_DAY,
  quietFunction,
} = require('../../../lib/ttl/pure/quiet-window');
const { literal, quoted } = require('../../../lib/base/pure/printable');

const index = /** @type {any} */ ({
  ns: 'd.c',
  database: 'd',
  collection: 'c',
  kind: 'index',
  index: 'at_1',
  field: 'at',
  expireAfterSeconds: 60,
  partial: null,
  arrays: false,
});
const quiet = { startHour: 1, lengthHours: 4 };
/** All of them due at 13:00, but for a share in quiet hours. */
const due = (nextDay = WORTH_PER_DAY, quietShare = 0) =>
  /** @type {any} */ ({
    nextDay,
    hours: Array(24)
      .fill(0)
      .with(2, quietShare)
      .with(13, 1 - quietShare),
  });
const commands = (...more) =>
  offPeakDesign(
    more.map((one) => ({ ...index, ...one })),
    quiet,
  ).steps.map(({ command }) => command);

describe('whose deletion can be moved', () => {
  const why = (indexes, dues = [due()]) =>
    whyNot(
      indexes.map((more) => ({ ...index, ...more })),
      dues,
      quiet,
    );
  for (const [what, indexes, dues] of /** @type {const} */ ([
    ['an index', [{}], [due()]],
    ['two, each of all documents', [{}, { index: 'seen_1', field: 'seen' }], [due()]],
    ['one with a filter', [{ partial: { a: 1 } }], [due()]],
    [
      'dates in expireAt, on which documents went after an hour',
      [{ field: 'expireAt', expireAfterSeconds: 3600 }],
      [due()],
    ],
    ['not quite all in quiet hours', [{}], [due(WORTH_PER_DAY, 0.89)]],
    ["a name that only looks like the server's", [{ ns: 'administration.systems' }], [due()]],
  ]))
    it(`${what}: it can`, () => assert.equal(why(indexes, dues), null));
  for (const [what, indexes, dues, because] of /** @type {const} */ ([
    ['no dates: nothing is due', [{}], [due(0)], /fewer than 10,000/],
    ['a little less than is worth it', [{}], [due(WORTH_PER_DAY - 1)], /fewer than 10,000/],
    ['not known when', [{}], [], /not known/],
    ['nearly all in quiet hours', [{}], [due(WORTH_PER_DAY, 0.9)], /quiet hours already/],
    ['sessions of the server', [{ ns: 'config.system.sessions' }], [due()], /server's own/],
    ['users', [{ ns: 'admin.x' }], [due()], /server's own/],
    ['a system collection', [{ ns: 'd.system.profile' }], [due()], /server's own/],
  ]))
    it(`${what}: pointless`, () => {
      assert.match(String(why(indexes, dues)?.because), because);
      assert.equal(why(indexes, dues)?.worth, false);
    });
  for (const [what, indexes, because] of /** @type {const} */ ([
    ['a clustered collection', [{ kind: 'clustered', field: '_id' }], /as a whole/],
    ['arrays of dates', [{ arrays: true }], /array/],
    ['two of which one has a filter', [{}, { partial: { a: 1 } }], /not all of them/],
    ['two, one on expireAt', [{}, { field: 'expireAt' }], /on expireAt already/],
    ['one of two is no number', [{}, { expireAfterSeconds: null }], /not known/],
  ]))
    it(`${what}: it would be worth it, but is not possible`, () => {
      assert.match(String(why(indexes)?.because), because);
      assert.equal(why(indexes)?.worth, true);
    });
});

describe('a moment in quiet hours', () => {
  const at = (text) => new Date(`2026-01-${text}Z`);
  const move = vm.runInNewContext(quietFunction(quiet), { Date, Math });
  for (const [from, moved] of [
    ['05T01:00', '05T01:00'],
    ['05T04:59', '05T04:59'], // in quiet hours: stays
    ['05T05:00', '06T01:40'],
    ['05T13:00', '06T03:00'],
    ['06T00:59:54', '06T04:59:59'], // the next quiet hours, spread over them
  ])
    it(`${from} becomes ${moved}`, () => assert.equal(Number(move(at(from))), Number(at(moved))));
});

describe('the commands of the design', () => {
  it('application, documents that are there, new index, old index; quoted as names need', () => {
    const [application, fill, create, drop] = commands({ collection: 'a"b\x1b[2J' });
    const place = 'db.getSiblingDB("d").getCollection("a\\"b\\u001b[2J")';
    assert.match(application, /^const quiet = /);
    assert.ok(fill.startsWith(`${place}.updateMany({ expireAt: { $exists: false }, $expr: `), fill);
    assert.ok(
      create.startsWith(`print(${place}.countDocuments(`) &&
        create.endsWith(` : ${place}.createIndex({ expireAt: 1 }, { expireAfterSeconds: 0 }))`),
      create,
    );
    assert.ok(
      drop.startsWith(`print(${place}.countDocuments({ at: { $type: "date" }, $expr: `) &&
        drop.endsWith(` : ${place}.dropIndex("at_1"))`),
      drop,
    );
  });
  it('of two indexes the first date counts, and both go', () => {
    const [, fill, , drop] = commands(
      {},
      { index: 'seen_1', field: 'seen.last-time', expireAfterSeconds: 7200 },
    );
    assert.match(
      fill,
      /\$min: \[\{ \$cond: \[\{ \$eq: \[\{ \$type: "\$at" \}, "date"\] \}, \{ \$add: \["\$at", 60000\] \}, null\] \}, .*\{ \$add: \["\$seen\.last-time", 7200000\] \}/,
    );
    assert.match(
      drop,
      /\$or: \[\{ at: \{ \$type: "date" \} \}, \{ "seen\.last-time": \{ \$type: "date" \} \}\].*\[db\..*dropIndex\("at_1"\), db\..*dropIndex\("seen_1"\)\]\)$/,
    );
    assert.match(
      offPeakDesign([index, { ...index, field: 'seen.last-time', expireAfterSeconds: 7200 }], quiet)
        .steps[0].what,
      /Math\.min\(\+document\.at \+ 60000, \+document\.seen\["last-time"\] \+ 7200000\)/,
    );
  });
  it('an index on expireAt stays: only its dates move', () => {
    const [application, fill, ...more] = commands({ field: 'expireAt', expireAfterSeconds: 0 });
    assert.ok(application && !fill.includes('$exists'));
    assert.deepEqual(more, []);
    assert.match(
      offPeakDesign([{ ...index, field: 'expireAt', expireAfterSeconds: 0 }], quiet).steps[0].what,
      /document\.expireAt = quiet\(date\)$/,
    );
    assert.equal(commands({ field: 'expireAt', expireAfterSeconds: 60 }).length, 4);
  });
  it('a filter goes along, by itself where JSON says it, else from the old index', () => {
    assert.match(
      commands({ partial: { a: { $gt: 5, $in: [1, 'x', null, true] } } })[2],
      /, partialFilterExpression: \{ a: \{ \$gt: 5, \$in: \[1, "x", null, true\] \} \} \}\)\)$/,
    );
    for (const value of [new Date(0), { _bsontype: 'ObjectId' }, /x/, 5n, undefined]) {
      assert.match(
        commands({ partial: { a: { $gt: value } } })[2],
        /partialFilterExpression: db\..*getIndexes\(\)\.find\(\(\{ name \}\) => name === "at_1"\)\.partialFilterExpression \}\)\)$/,
      );
    }
  });
});

describe('values as they are typed', () => {
  it('mean what they were', () => {
    const value = { a: [1, 'x"y', null], $b: { 'c-d': true, 'e\nf': {} } };
    assert.deepEqual(JSON.parse(JSON.stringify(vm.runInNewContext(`(${literal(value)})`))), value);
    assert.equal(quoted('a\x1b'), '"a\\u001b"');
  });
});
