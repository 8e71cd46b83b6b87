'use strict';

const assert = require('node:assert/strict');
const vm = require('node:vm');
const { canMove, offPeakDesign, quietFunction } = require('../../../lib/plan/off-peak');

const index = /** @type {import('../../../lib/model/ttl').TtlIndex} */ ({ ns: 'd.c', database: 'd', collection: 'c', kind: 'index', index: 'at_1', field: 'at', expireAfterSeconds: 60, partial: null });
const quiet = { hour: 1, hours: 4 };
const commands = (more = {}) => offPeakDesign({ ...index, ...more }, quiet).steps.map(({ command }) => command);

describe('whose deletion can be moved', () => {
  for (const [what, more, ratio, can] of /** @type {const} */ ([
    ['an index', {}, 0.1, true], ['one of which nothing is known', {}, null, true], ['nearly all in quiet hours', {}, 0.9, false], ['not quite', {}, 0.89, true],
    ['sessions of the server', { ns: 'config.system.sessions' }, 0, false], ['users', { ns: 'admin.x' }, 0, false], ['a system collection', { ns: 'd.system.profile' }, 0, false],
    ['a name that only looks so', { ns: 'administration.systems' }, 0, true], ['a time series', { kind: 'timeseries', field: null }, 0, false], ['a clustered collection', { kind: 'clustered', field: '_id' }, 0, false],
  ])) it(`${what}: ${can}`, () => assert.equal(canMove({ ...index, ...more }, ratio), can));
});

describe('a moment in quiet hours', () => {
  const at = (text) => new Date(`2026-01-${text}Z`);
  const move = vm.runInNewContext(quietFunction(quiet), { Date });
  for (const [due, moved] of [
    ['05T01:00', '05T01:00'], ['05T04:59', '05T04:59'], // in quiet hours: stays
    ['05T05:00', '06T01:40'], ['05T13:00', '06T03:00'], ['06T00:59:54', '06T04:59:59'], // the next quiet hours, spread over them
  ]) it(`${due} becomes ${moved}`, () => assert.equal(Number(move(at(due))), Number(at(moved))));
});

describe('the commands of the design', () => {
  it('application, documents that are there, new index, old index; quoted as names need', () => {
    const [application, fill, create, drop] = commands({ collection: 'a"b' });
    assert.match(application, /^const quiet = /);
    assert.ok(fill.startsWith('db.getSiblingDB("d").getCollection("a\\"b").updateMany({"expireAt":{"$exists":false},'), fill);
    assert.equal(create, 'db.getSiblingDB("d").getCollection("a\\"b").createIndex({ expireAt: 1 }, { expireAfterSeconds: 0 })');
    assert.equal(drop, 'db.getSiblingDB("d").getCollection("a\\"b").dropIndex("at_1")');
  });
  it('an index on expireAt stays: only its dates move', () => {
    const [application, fill, ...more] = commands({ field: 'expireAt', expireAfterSeconds: 0 });
    assert.ok(application && !fill.includes('$exists'));
    assert.deepEqual(more, []);
    assert.equal(commands({ field: 'expireAt', expireAfterSeconds: 60 }).length, 4);
  });
  it('a filter goes along, by itself where JSON says it, else from the old index', () => {
    assert.match(commands({ partial: { a: { $gt: 5, $in: [1, 'x', null, true] } } })[2], /, partialFilterExpression: \{"a":\{"\$gt":5,"\$in":\[1,"x",null,true\]\}\} \}\)$/);
    for (const value of [new Date(0), { _bsontype: 'ObjectId' }, /x/, 5n, undefined]) {
      assert.match(commands({ partial: { a: { $gt: value } } })[2], /partialFilterExpression: db\..*getIndexes\(\)\.find\(\(\{ name \}\) => name === "at_1"\)\.partialFilterExpression \}\)$/);
    }
  });
});
