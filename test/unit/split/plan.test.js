'use strict';

const assert = require('node:assert/strict');
const vm = require('node:vm');
const { makePlan } = require('../../../lib/split/pure/plan');
const { unitsOf, assign, balancedBy, worthOf } = require('../../../lib/split/pure/placement');
const { viewsOf } = require('../../../lib/split/pure/dependents');
const { methodOf, oplogLasts } = require('../../../lib/split/pure/method');
const { partsFor, hashOf } = require('../../../lib/split/pure/parts');
const { collection, view, server, asked, whats } = require('./plan-kit');

const written = (name, writtenBytesPerSec, more = {}) =>
  collection(name, { writtenBytesPerSec, ...more });
const plan = (collections, ask = {}, more = {}, sample = null) =>
  makePlan(asked(ask), { collections, server: server(more), sample });
const placesOf = ({ moves }) => Object.fromEntries(moves.map(({ ns, into }) => [ns, into]));

describe('what a view reads', () => {
  const of = (...collections) =>
    viewsOf([collection('a'), collection('b'), ...collections]).map(
      ({ name, reads, elsewhere }) => [name, reads.join(), elsewhere],
    );
  it('its base, joins at any depth, and all behind other views', () => {
    assert.deepEqual(
      of(
        view('v', { viewOn: 'a', pipeline: [] }),
        view('w', {
          viewOn: 'v',
          pipeline: [
            {
              $facet: {
                x: [{ $lookup: { from: 'b', pipeline: [{ $graphLookup: { from: 'c' } }] } }],
              },
            },
          ],
        }),
      ),
      [
        ['v', 'a', false],
        ['w', 'a,b,c', false],
      ],
    );
    assert.deepEqual(
      of(
        view('v', {
          viewOn: 'a',
          pipeline: [
            { $unionWith: 'b' },
            { $unionWith: { coll: 'c', pipeline: [] } },
            { $lookup: { pipeline: [] } },
            { $match: null },
          ],
        }),
      ),
      [['v', 'a,b,c', false]],
    );
  });
  it('another database; circles end; what is not known is left out', () => {
    assert.deepEqual(
      of(
        view('v', {
          viewOn: 'a',
          pipeline: [
            { $lookup: { from: { db: 'local', coll: 'x' } } },
            { $unionWith: { db: 'app', coll: 'b' } },
          ],
        }),
      ),
      [['v', 'a,b', true]],
    );
    assert.deepEqual(of(view('v', { viewOn: 'w' }), view('w', { viewOn: 'v' }), view('u', null)), [
      ['v', '', false],
      ['w', '', false],
    ]);
  });
});

describe('the balance', () => {
  it('the heaviest first, each to where least is; what views join stays together', () => {
    const five = [
      written('a', 8),
      written('b', 7),
      written('c', 6),
      written('d', 5),
      written('e', 4),
    ];
    assert.deepEqual(
      [...assign(unitsOf(five, [], 'written'), ['app', 'app2'])].map(([, to]) => to).join(),
      'app,app2,app2,app,app',
    );
    const units = unitsOf(
      five,
      [
        { name: 'v', reads: ['a', 'e', 'gone'], elsewhere: false },
        { name: 'w', reads: ['e', 'd'], elsewhere: false },
      ],
      'written',
    );
    assert.deepEqual(
      units.map(({ weight, collections }) => [
        weight,
        collections.map(({ name }) => name).join(''),
      ]),
      [
        [17, 'ade'],
        [7, 'b'],
        [6, 'c'],
      ],
    );
  });
  it('by size where nothing was written; what is not known weighs nothing; equals by name', () => {
    assert.equal(balancedBy([written('a', 0), written('b', null)]), 'bytes');
    assert.equal(balancedBy([written('a', 0), written('b', 1)]), 'written');
    assert.deepEqual(
      unitsOf([written('b', null), written('a', null)], [], 'written').map(
        ({ weight, collections }) => [collections[0].name, weight],
      ),
      [
        ['a', 0],
        ['b', 0],
      ],
    );
    assert.deepEqual(
      unitsOf([written('a', null), written('b', null)], [], 'bytes').map(({ weight }) => weight),
      [1e6, 1e6],
    );
  });
});

describe('the method and its time', () => {
  const of = (seen, at = {}, mode = 'online') =>
    methodOf(collection('c', seen), server(at), /** @type {any} */ (mode));
  it('documents or bytes, what is slower; indexes without that of _id', () => {
    assert.deepEqual(
      of({ documents: 1e6, bytes: 1e6, indexes: [{ name: '_id_' }, { name: 'a' }, { name: 'b' }] })
        .estimateSeconds,
      { copy: 10, indexes: 10, total: 20 },
    );
    assert.equal(of({ documents: 10, bytes: 370e6 }).estimateSeconds.copy, 10);
    assert.deepEqual(of({ documents: 10, bytes: null, indexes: null }).estimateSeconds, {
      copy: 0.0001,
      indexes: null,
      total: null,
    });
    assert.deepEqual(
      [
        of({ documents: 10 }, { wanted: 'ranges' }),
        of({ documents: 10 }, { wanted: 'ranges' }, 'offline'),
      ].map(({ method, why }) => [method, why]),
      [
        ['ranges', 'requested'],
        ['out', 'the fastest method, while the source is blocked during the copy'],
      ],
    );
    assert.deepEqual(of({ documents: null }), {
      method: 'out',
      why: 'chosen because the size of the collection is unknown',
      estimateSeconds: { copy: null, indexes: null, total: null },
    });
  });
  it('ranges where one go is too long, or the oplog too short for it; both bounds', () => {
    const large = (seconds, at, mode) =>
      of({ documents: seconds * 100_000, bytes: 1000 }, { oplog: null, ...at }, mode);
    assert.deepEqual([large(600).method, large(601).method], ['out', 'ranges']);
    assert.match(large(601).why, /\$out would take 10 min 1 s/);
    assert.equal(Math.round(Number(large(601).estimateSeconds.copy)), 4293);
    assert.deepEqual(
      [
        large(601, {}, 'offline').method,
        large(601, { version: '4.4.2' }).method,
        large(601, { version: null }).method,
      ],
      ['out', 'out', 'ranges'],
    );
    // By what the server is, not by the feature compatibility version: which index a query takes
    // does not go by that.
    assert.deepEqual(
      [
        large(601, { version: '4.4.29' }).why,
        large(601, { version: '5.0.0', compatibility: '4.4' }).method,
        large(601, { version: '8.0.10' }).method,
      ],
      ['chosen because ranges of _id cannot use its index before 5.0', 'ranges', 'ranges'],
    );
    const oplog = (seconds) =>
      large(100, { oplog: { maxBytes: null, bytesPerSec: null, seconds } });
    assert.deepEqual(
      [oplog(200).method, oplog(199).method, oplog(5).why],
      ['out', 'ranges', 'chosen because the oplog covers 5 s: too short for a copy by one command'],
    );
  });
  it('ranges where clients write, who can be spared by them; with what $out would take; both bounds', () => {
    const busy = (writesPerSec, seen = { documents: 1e6, bytes: 1000 }, more = {}) =>
      of(seen, { writesPerSec, ...more });
    assert.deepEqual(
      [
        busy(19.9).method,
        busy(20).method,
        busy(null).method,
        busy(500, undefined, { version: '4.4.2' }).method,
        busy(500, undefined, { wanted: 'out' }).method,
      ],
      ['out', 'ranges', 'out', 'out', 'out'],
    );
    assert.equal(
      busy(1234.6).why,
      'chosen because it can be throttled, and clients write 1,235 times a second',
    );
    assert.equal(
      busy(20, { documents: null }).why,
      'chosen because it can be throttled, and clients write 20 times a second',
    );
  });
  it('the copy goes into the oplog, too', () => {
    assert.equal(
      oplogLasts({ maxBytes: 1000, bytesPerSec: 10, seconds: 100 }, { bytes: 900, seconds: 10 }),
      10,
    );
    assert.equal(
      oplogLasts({ maxBytes: 500, bytesPerSec: 10, seconds: 50 }, { bytes: 900, seconds: 10 }),
      5,
    );
    assert.equal(
      oplogLasts({ maxBytes: 2000, bytesPerSec: 10, seconds: 200 }, { bytes: 900, seconds: 10 }),
      110,
    );
    for (const [maxBytes, bytesPerSec, bytes, seconds] of [
      [null, 1, 1, 1],
      [1, null, 1, 1],
      [1, 1, null, 1],
      [1, 1, 1, 0],
      [1, 1, 1, null],
    ])
      assert.equal(oplogLasts({ maxBytes, bytesPerSec, seconds: 7 }, { bytes, seconds }), 7);
    assert.equal(oplogLasts(null, { bytes: 1, seconds: 1 }), null);
  });
});

describe('whether it is worth it', () => {
  const of = (collections, more = {}) =>
    worthOf({
      from: 'app',
      collections,
      seconds: 65,
      moved: collections.slice(1),
      server: server(more),
      split: null,
      ...more,
    });
  const spread = [written('a', 10), written('b', 10)];
  it('no: nothing there, nothing moves, too many handles, already spread, or one hot collection', () => {
    assert.match(of([]).because, /no collection in app/);
    assert.match(of(spread, { moved: [] }).because, /^Nothing would move/);
    assert.match(of(spread, { server: server({ handles: 10_001 }) }).because, /^10,001 handles/);
    assert.match(
      of(spread, { server: server({ handles: 10_000 }) }).because,
      /files, not databases: cache, eviction and checkpoints gain nothing/,
    );
    const hot = of([written('b', 1), written('a', 99)]);
    assert.deepEqual(
      [hot.worthIt, hot.because],
      [
        'no',
        'app.a gets 99.0% of the writes to app (100 B/s in all). After a move it is still one file. To ' +
          'spread it over several, plan parts: tune.split.plan({ source: "app", ' +
          'collections: "a", by: { hash: "_id" } }).',
      ],
    );
    for (const one of [of([]), of(spread), of(spread, { moved: [] })])
      assert.equal(one.worthIt, 'no');
  });
  it('unknown: nothing was written, or it is not known', () => {
    assert.deepEqual(of([written('a', 0), written('b', null)]), {
      worthIt: 'unknown',
      because:
        'No write of app reached the disk in 65 s. Under load, sample past one checkpoint: ' +
        '{ seconds: 65 }.',
    });
    assert.deepEqual(
      of([written('a', null), written('b', null)], { server: server({ handles: null }) }),
      { worthIt: 'unknown', because: 'Unknown: the writes of each collection.' },
    );
  });
  it('yes: folders that can lie on another disk, and a hot collection that becomes several', () => {
    const folders = of([written('a', 10), written('b', 10), written('c', null)], {
      server: server({ directoryPerDB: true }),
    });
    assert.match(
      folders.because,
      /^Each database has its own directory here \(directoryPerDB\)\. With the new one on another disk, 50\.0% of the writes to app go there\. On the same disk nothing is gained: WiredTiger works on files, not databases\.$/,
    );
    assert.match(
      of([written('a', 1), written('b', 10)], { server: server({ directoryPerDB: true }) }).because,
      /90\.9%[^]*app\.b gets 90\.9%/,
    );
    assert.deepEqual(of(spread, { split: spread[0], moved: [] }), {
      worthIt: 'no',
      because:
        'app.a takes 50.0% of what is written to app (20 B/s): the writes already go to ' +
        'several files.',
    });
    assert.equal(
      of([written('a', 51), written('b', 49)], { split: written('a', 51), moved: [] }).worthIt,
      'yes',
    );
    assert.equal(of(spread, { split: written('a', null), moved: [] }).worthIt, 'no');
  });
});

describe('the plan', () => {
  it('chooses what balances the database, and says why the rest stays', () => {
    const made = plan([
      written('a', 50),
      written('b', 30),
      written('c', 20),
      written('cap', 10, { options: { capped: true } }),
      written('t', 5),
      written('u', 5, { options: { capped: true } }),
      view('v', { viewOn: 't', pipeline: [{ $lookup: { from: 'u' } }] }),
      collection('system.views'),
    ]);
    assert.deepEqual(placesOf(made), { 'app.a': 'app2.a' });
    assert.deepEqual(
      made.stays.map(({ ns, because }) => [ns, because.slice(0, 25)]),
      [
        ['app.b', 'so that both databases ha'],
        ['app.c', 'so that both databases ha'],
        ['app.cap', 'It is capped: $out does n'],
        ['app.t', 'app.u has to stay, and a '],
        ['app.u', 'app.u has to stay, and a '],
      ],
    );
    assert.deepEqual(made.loads, [
      { database: 'app', before: 120, after: 70 },
      { database: 'app2', before: 0, after: 50 },
    ]);
    assert.deepEqual(
      [
        made.mode,
        made.balancedBy,
        made.blockers,
        whats(made.warnings),
        made.diskBytes,
        made.by,
        made.parts,
        made.views,
      ],
      ['online', 'written', [], ['lookups'], 500_000, null, [], []],
    );
    assert.deepEqual(
      [made.id, made.host, made.version, made.from, made.into, made.seconds],
      ['20240101000000-abcdef', 'h', '6.0.5', 'app', ['app2'], 65],
    );
  });
  it('moves what it was asked for, over several databases, whole views with it', () => {
    const all = [
      written('a', 9),
      written('b', 5),
      written('c', 4),
      written('d', 1),
      view('v', { viewOn: 'b', pipeline: [{ $unionWith: 'c' }] }),
      view('w', { viewOn: 'a', pipeline: [{ $lookup: { from: 'd' } }] }),
      view('x', { viewOn: 'nowhere' }),
    ];
    const made = plan(
      all,
      { into: ['p', 'q'], names: ['a', 'b', 'c', 'none', 'v'] },
      { taken: {} },
    );
    assert.deepEqual(placesOf(made), {
      'app.a': 'p.a',
      'app.b': 'q.b',
      'app.c': 'q.c',
      'app.v': 'p.v',
    });
    assert.deepEqual(made.stays, [{ ns: 'app.d', because: 'not requested' }]);
    assert.deepEqual(made.views, [{ ns: 'app.v', into: 'q.v' }]);
    assert.deepEqual(
      made.blockers.map(({ say }) => say),
      ['app.none does not exist, or this user cannot see it.'],
    );
    assert.deepEqual(
      made.moves.map(({ ns, blockers, warnings }) => [ns, whats(blockers), whats(warnings)]),
      [
        ['app.a', ['views'], []],
        ['app.b', [], ['views']],
        ['app.c', [], ['views']],
        ['app.v', ['view'], []],
      ],
    );
  });
  it('parts of a collection without documents: why there are none', () => {
    const made = makePlan(
      asked({ names: ['c'], into: ['app'], by: { kind: 'hash', field: '_id', parts: 2 } }),
      /** @type {any} */ ({
        collections: [collection('c', { documents: 0 })],
        server: server(),
        sample: { documents: 0, drawn: [] },
      }),
    );
    assert.deepEqual(
      [made.worthIt, made.because, made.parts],
      ['no', 'Collection app.c is empty, so the size of its parts is unknown.', []],
    );
  });
  it('a standalone is offline; what is not known stays unknown', () => {
    const made = plan(
      [
        written('a', null, { documents: null, bytes: null, storageBytes: null, indexBytes: null }),
        written('b', null, { indexBytes: null }),
      ],
      { names: ['a'] },
      { role: 'standalone', oplog: null },
    );
    assert.deepEqual(
      [made.mode, made.moves[0].diskBytes, made.diskBytes, made.estimateSeconds, made.worthIt],
      ['offline', null, null, null, 'unknown'],
    );
    assert.equal(
      plan([written('b', null, { indexBytes: null })], { names: ['b'] }).diskBytes,
      400_000,
    );
    assert.deepEqual(plan([]).moves, []);
  });
});

describe('one collection as several', () => {
  const draw = (keys, more = () => ({})) =>
    keys.map((key, i) => ({
      key: String(key),
      shown: String(key),
      bytes: 100,
      bornMs: null,
      missing: false,
      ...more(key, i),
    }));
  const hundred = draw(
    Array.from({ length: 100 }, (_, i) => i),
    (_, i) => ({ bornMs: (i * 37) % 100 }),
  );
  const by = (kind, parts = 2, field = 'k') => ({ kind, field, parts });
  const of = (drawn, aBy, into = ['app'], seen = {}) =>
    partsFor(
      written('c', 1000, { documents: 1000, bytes: 1e5, ...seen }),
      /** @type {any} */ (aBy),
      into,
      { documents: null, drawn },
    );
  it('by range: bounds between equal bytes, never between equal values', () => {
    const { parts, route, warnings } = of(hundred, by('range', 4), ['app', 'app2']);
    assert.deepEqual(
      parts.map(({ ns, holds, documents, bytes, ratio, writtenBytesPerSec }) => [
        ns,
        holds,
        documents,
        bytes,
        ratio,
        writtenBytesPerSec,
      ]),
      [
        ['app.c_1', 'k < 25', 250, 25_000, 0.25, 250],
        ['app2.c_2', 'k >= 25 and k < 50', 250, 25_000, 0.25, 250],
        ['app.c_3', 'k >= 50 and k < 75', 250, 25_000, 0.25, 250],
        ['app2.c_4', 'k >= 75', 250, 25_000, 0.25, 250],
      ],
    );
    assert.deepEqual([route, whats(warnings)], [null, ['queries', 'unique']]);
    const same = of(draw([...Array(90).fill(1), ...Array(10).fill(2)]), by('range', 2));
    assert.deepEqual(
      [same.parts.map(({ ratio }) => ratio), whats(same.warnings)],
      [
        [0.9, 0.1],
        ['queries', 'unique', 'uneven'],
      ],
    );
    const one = of(draw(Array(10).fill(1)), by('range', 2));
    assert.deepEqual(
      [one.parts.map(({ holds }) => holds), whats(one.warnings)],
      [['all'], ['queries', 'unique', 'uneven']],
    );
    assert.match(
      one.warnings[2].say,
      /app\.c_1 would hold 100\.0% of them, and there are 1 parts, not 2\./,
    );
  });
  it('by hash: what the function of the application answers', () => {
    const { parts, route, warnings } = of(hundred, by('hash', 3, '_id'));
    const partOf = vm.runInNewContext(`${route}\npartOf`, { TextEncoder });
    for (const [i, { ns, holds, ratio }] of parts.entries()) {
      assert.equal(holds, `hash of _id % 3 = ${i}`);
      assert.equal(ratio, hundred.filter(({ key }) => partOf(key) === ns).length / 100);
    }
    assert.equal(partOf('ä'), `app.c_${(hashOf('ä') % 3) + 1}`);
    assert.equal(hashOf('foobar'), 0xbf9cf968); // the published test vector
    assert.deepEqual(whats(warnings), ['queries']);
  });
  it('where everything new goes to one part; other unique indexes; documents without the field', () => {
    const growing = of(
      draw(
        Array.from({ length: 100 }, (_, i) => i),
        (_, i) => ({ bornMs: i }),
      ),
      by('range'),
    );
    assert.deepEqual(
      [whats(growing.warnings), growing.parts[0].writtenBytesPerSec],
      [['queries', 'unique', 'growing'], null],
    );
    assert.match(growing.warnings[2].say, /Split by hash: by: \{ hash: "k" \}\.$/);
    const hashed = of(
      draw(['1', '2'], (key) => ({ bornMs: Number(key) })),
      by('hash'),
    );
    assert.match(
      hashed.warnings.find(({ what }) => what === 'growing')?.say ?? '',
      /Choose another field\.$/,
    );
    const more = of(
      hundred.map((one, i) => ({ ...one, missing: i < 25 })),
      by('range'),
      ['app'],
      {
        bytes: null,
        writtenBytesPerSec: null,
        indexes: [
          { name: 'mail', key: { mail: 1 }, unique: true },
          { name: 'both', key: { k: 1, mail: 1 }, unique: true },
        ],
      },
    );
    assert.deepEqual(whats(more.warnings), ['queries', 'unique', 'unique', 'missing']);
    assert.deepEqual(
      more.parts.map(({ holds }) => holds),
      ['k < 50, or null, or no k', 'k >= 50'],
    );
    assert.equal(
      of([{ ...hundred[0], shown: 'null' }, ...hundred.slice(1)], by('range')).parts[0].holds,
      'k < 50, or null, or no k',
    );
    assert.match(more.warnings[1].say, /^Unique index mail:/);
    assert.deepEqual([more.parts[0].bytes, more.parts[0].writtenBytesPerSec], [null, null]);
    assert.equal(of(hundred, by('range'), ['app'], { indexes: null }).warnings.length, 2);
    assert.equal(of([], by('range')).parts[0].ratio, 0);
  });
  it('as a plan: of what is there, can be moved, and holds something', () => {
    const ask = { names: ['c'], into: ['app'], by: by('hash') };
    const made = plan(
      [written('c', 10), written('d', 1)],
      ask,
      {},
      { documents: 500, drawn: hundred },
    );
    assert.deepEqual(
      [
        made.worthIt,
        made.moves,
        made.parts.length,
        made.parts.reduce((sum, { documents }) => sum + Number(documents), 0),
        made.blockers,
      ],
      ['yes', [], 2, 500, []],
    );
    assert.deepEqual(
      [
        plan([written('c', 10)], ask, {}, { documents: 0, drawn: [] }).parts,
        plan([written('c', 10)], ask).parts,
      ],
      [[], []],
    );
    const none = plan([written('d', 10)], ask);
    assert.deepEqual(
      [none.worthIt, whats(none.blockers), none.diskBytes],
      ['no', ['missing'], null],
    );
    assert.deepEqual(whats(plan([written('c', 10, { options: { capped: true } })], ask).blockers), [
      'capped',
    ]);
  });
});
