'use strict';

const assert = require('node:assert/strict');
const {
  collectionBlockers,
  collectionWarnings,
} = require('../../../lib/split/pure/plan-collection');
const { wholeBlockers, wholeWarnings } = require('../../../lib/split/pure/plan-checks');
const { targetRemarks } = require('../../../lib/split/pure/plan-target');
const { accessTo, clusterActions, lacking, unknownOf } = require('../../../lib/split/pure/rights');
const { refusal } = require('../../../lib/split/pure/split-names');
const { collection, view, server, whats } = require('./plan-kit');

const index = (more) => ({ name: 'x', key: { x: 1 }, ...more });
const move = (more = {}) => ({
  ns: 'app.c',
  into: 'app2.c',
  uuid: 'u',
  bytes: 1e6,
  documents: 10,
  indexBytes: 0,
  writtenBytesPerSec: 0,
  method: 'out',
  why: '',
  estimateSeconds: { copy: 1, indexes: 1, total: 2 },
  diskBytes: 100,
  blockers: [],
  warnings: [],
  ...more,
});

describe('what stands in the way of a collection', () => {
  for (const [what, seen, mode] of [
    ['split', collection('c__aside_20240101000000-abcdef')],
    ['split', collection('c__tune_20240101000000-abcdef')],
    [
      'split',
      view('c', { viewOn: 'd', pipeline: refusal('app.c was moved to app2.c by mongosh-tune') }),
    ],
    ['view', view('c', { viewOn: 'd', pipeline: [] })],
    ['time-series', collection('c', { type: 'timeseries' })],
    ['system', collection('system.views')],
    ['encrypted', collection('c', { options: { encryptedFields: {} } })],
    ['encrypted', collection('enxcol_.c.esc')],
    ['capped', collection('c', { options: { capped: true } })],
    ['capped', collection('c', { options: null, capped: true })],
    ['clustered', collection('c', { options: { clusteredIndex: {} } })],
    ['sharded', collection('c', { sharded: true })],
    ['temporary', collection('c', { options: { temp: true } })],
    ['index-build', collection('c', { building: ['a_1'] })],
    ['index-kind', collection('c', { indexes: [index({ key: { '$**': 'columnstore' } })] })],
    ['index-order', collection('c', { indexes: [index({ key: { a: 1, 1: 1 } })] })],
    [
      'index-order',
      collection('c', { indexes: [index({ partialFilterExpression: { v: { a: 1, 1: 1 } } })] }),
    ],
    [
      'validator-order',
      collection('c', { options: { validator: { v: { $ne: { a: 1, 1: 1 } } } } }),
    ],
  ]) {
    it(`${what} is a blocker${mode ?? ''}`, () => {
      const remarks = collectionBlockers(/** @type {any} */ (seen), 'online');
      assert.ok(whats(remarks).includes(String(what)), JSON.stringify(remarks));
      assert.match(remarks[0].say, /^[A-Z].*\.$/);
    });
  }
  for (const [what, seen] of [
    ['collation', { options: { collation: { locale: 'de' } } }],
    ['validator', { options: { validator: {} } }],
    ['pre-images', { options: { changeStreamPreAndPostImages: { enabled: true } } }],
    ['pre-images', { options: { recordPreImages: true } }],
    ['storage-engine', { options: { storageEngine: {} } }],
    ['unknown', { options: null }],
    ['unknown', { indexes: null }],
    ['unknown', { documents: null }],
    ['ttl', { indexes: [index({ expireAfterSeconds: 0 })] }],
    ['unique', { indexes: [index({ unique: true })] }],
    ['partial', { indexes: [index({ partialFilterExpression: {} })] }],
    ['sparse', { indexes: [index({ sparse: true })] }],
    ['hidden', { indexes: [index({ hidden: true })] }],
    ['index-collation', { indexes: [index({ collation: { locale: 'fr' } })] }],
    ['text', { indexes: [index({ key: { _fts: 'text', _ftsx: 1 } })] }],
    ['wildcard', { indexes: [index({ key: { 'a.$**': 1 } })] }],
    ['hashed', { indexes: [index({ key: { x: 'hashed' } })] }],
    ['2dsphere', { indexes: [index({ key: { x: '2dsphere' } })] }],
    ['2d', { indexes: [index({ key: { x: '2d' } })] }],
  ]) {
    it(`${what} is a warning and no blocker: ${JSON.stringify(seen)}`, () => {
      assert.deepEqual(collectionBlockers(collection('c', seen), 'online'), []);
      const [remark, ...more] = collectionWarnings(collection('c', seen), 'online');
      assert.deepEqual([remark.what, more], [what, []]);
      assert.match(remark.say, /\.$/);
    });
  }
  it(
    'a plain one has none; clustered moves offline; an index with the collation of its ' +
      'collection, and _id, are no news',
    () => {
      assert.deepEqual(
        [
          ...collectionBlockers(collection('c'), 'online'),
          ...collectionWarnings(collection('c'), 'online'),
        ],
        [],
      );
      assert.deepEqual(
        collectionWarnings(collection('c', { indexes: [index({ key: undefined })] }), 'online'),
        [],
      );
      const clustered = collection('c', {
        options: { clusteredIndex: {} },
        indexes: [index({ clustered: true, unique: true, key: undefined })],
      });
      assert.deepEqual(
        [
          whats(collectionBlockers(clustered, 'offline')),
          whats(collectionWarnings(clustered, 'offline')),
        ],
        [[], ['clustered']],
      );
      assert.deepEqual(
        whats(
          collectionWarnings(
            collection('c', {
              options: { collation: { locale: 'de' } },
              indexes: [index({ collation: { locale: 'de' } })],
            }),
            'online',
          ),
        ),
        ['collation'],
      );
    },
  );
});

describe('what stands in the way of the new place', () => {
  const around = (more = {}) =>
    /** @type {any} */ ({
      id: '20240101000000-abcdef',
      places: new Map([['c', 'app2']]),
      views: [],
      server: server(),
      ...more,
    });
  const of = (more, aMove = {}) => targetRemarks(/** @type {any} */ (move(aMove)), around(more));
  it('nothing, where nothing is there', () =>
    assert.deepEqual(of({}), { blockers: [], warnings: [] }));
  it('a name that is taken; one that gets too long, in either count of the server; unknown names', () => {
    assert.deepEqual(whats(of({ server: server({ taken: { app2: ['c'] } }) }).blockers), [
      'exists',
    ]);
    assert.deepEqual(of({ server: server({ taken: { app2: null } }) }).blockers, []);
    const named = (length, compatibility) =>
      whats(
        of(
          { server: server({ compatibility }) },
          { ns: `app.${'n'.repeat(length)}`, into: `app2.${'n'.repeat(length)}` },
        ).blockers,
      );
    // 37 for the database and what is added while it moves
    assert.deepEqual(
      [
        named(218, '6.0'),
        named(219, '6.0'),
        named(218, null),
        named(83, '4.2'),
        named(84, '4.2'),
        named(84, '4.4'),
      ],
      [[], ['name-length'], [], [], ['name-length'], []],
    );
    assert.deepEqual(
      whats(of({}, { ns: `app.${'ä'.repeat(110)}`, into: `app2.${'ä'.repeat(110)}` }).blockers),
      ['name-length'],
    );
  });
  it('views: a warning where all they read goes along, a blocker where it is torn apart', () => {
    const whole = of({
      views: [
        { name: 'v', reads: ['c'], elsewhere: false },
        { name: 'w', reads: ['d'], elsewhere: false },
      ],
    });
    assert.deepEqual([whats(whole.blockers), whats(whole.warnings)], [[], ['views']]);
    const torn = of({
      views: ['a', 'b', 'c', 'd', 'e', 'f'].map((name) => ({
        name,
        reads: ['c', 'd'],
        elsewhere: false,
      })),
    });
    assert.deepEqual([whats(torn.blockers), whats(torn.warnings)], [['views'], []]);
    assert.match(torn.blockers[0].say, /^View a, b, c, d, e and 1 more reads it together/);
  });
  it('roles and users that name it; change streams on it', () => {
    const roles = [
      {
        role: 'r',
        db: 'admin',
        privileges: [{ resource: { db: 'app', collection: 'c' }, actions: ['find'] }],
        roles: [],
      },
    ];
    const users = [{ name: 'admin.u', roles: [{ role: 'r', db: 'admin' }] }];
    assert.deepEqual(whats(of({ server: server({ roles, users }) }).warnings), ['roles', 'users']);
    assert.deepEqual(
      of({ server: server({ roles: null, users: null, streams: null }) }).warnings,
      [],
    );
    const one = { database: 'app', collection: 'c' };
    assert.match(
      of({ server: server({ streams: [one] }) }).warnings[0].say,
      /^1 change stream is open on it: it ends/,
    );
    assert.match(
      of({ server: server({ streams: [one, one, { database: 'app', collection: 'd' }] }) })
        .warnings[0].say,
      /^2 change streams are open on it: they end/,
    );
  });
  it('an oplog that does not hold the time of the copy is a blocker, one that hardly does a warning', () => {
    const oplog = (seconds, more = {}) => {
      const { blockers, warnings } = of(
        { server: server({ oplog: { maxBytes: null, bytesPerSec: null, seconds } }) },
        more,
      );
      return [whats(blockers), whats(warnings)];
    };
    assert.deepEqual(
      [oplog(1.9), oplog(2), oplog(3.9), oplog(4)],
      [
        [['oplog'], []],
        [[], ['oplog']],
        [[], ['oplog']],
        [[], []],
      ],
    );
    assert.deepEqual(oplog(0.9, { method: 'ranges' }), [['oplog'], []]);
    assert.deepEqual(
      oplog(1.5, { method: 'ranges', estimateSeconds: { copy: 900, indexes: null, total: null } }),
      [[], []],
    );
    assert.deepEqual(oplog(0.1, { estimateSeconds: { copy: null, indexes: null, total: null } }), [
      [],
      [],
    ]);
  });
});

describe('what stands in the way of the whole', () => {
  const whole = (more = {}, of = {}) =>
    /** @type {any} */ ({
      from: 'app',
      into: ['app2'],
      mode: 'online',
      moves: [move()],
      server: server(more),
      ...of,
    });
  for (const [what, more, of] of /** @type {[string, any, any?][]} */ ([
    ['secondary', { role: 'secondary' }],
    ['sharded-cluster', { shardServer: true }],
    ['sharded-cluster-unknown', { shardServer: null }],
    ['write-block', { writesBlocked: true }],
    ['majority', { committedReads: false }],
    ['disk', { freeBytes: 99 }],
    [
      'privileges',
      {
        privileges: [
          { resource: { cluster: true }, actions: ['anyAction'] },
          { resource: { anyResource: true }, actions: ['find'] },
        ],
      },
    ],
    ['database-name', {}, { into: ['tune'] }],
    ['database-name', {}, { into: ['Tune'] }],
    ['database-name', {}, { into: ['a.b'] }],
    ['database-name', {}, { into: ['n'.repeat(64)] }],
    ['database-name', {}, { into: ['APP'] }],
  ])) {
    it(`${what}: ${JSON.stringify([more, of])}`, () =>
      assert.deepEqual(whats(wholeBlockers(whole(more, of))), [what]));
  }
  it('nothing, with what is enough, or is not known; of a standalone', () => {
    for (const more of [
      {},
      { privileges: [{ resource: { anyResource: true }, actions: ['anyAction'] }] },
      { privileges: 'all' },
      { privileges: null, databases: null, freeBytes: null, role: null },
      { role: 'standalone', committedReads: false },
      { freeBytes: 100 },
    ])
      assert.deepEqual(wholeBlockers(whole(more)), []);
    assert.deepEqual(wholeBlockers(whole({}, { into: ['n'.repeat(63), 'app'] })), []);
    assert.deepEqual(wholeWarnings(whole({}, { moves: [] })), []);
  });
  it('warnings', () => {
    const warned = (more, of) =>
      wholeWarnings(whole(more, of)).filter(({ what }) => what !== 'lookups');
    assert.deepEqual(
      [
        whats(warned({ freeBytes: 124 })),
        whats(warned({ freeBytes: 125 })),
        whats(warned({ freeBytes: 99 })),
      ],
      [['disk'], [], []],
    );
    assert.match(
      warned({ freeBytes: 124, freeOn: 'b:27017' })[0].say,
      /that takes 100 B more on every member, of 124 B that are free on b:27017\.$/,
    );
    assert.match(warned({}, { mode: 'offline' })[0].say, /while it is copied \(up to 2 s\)\./);
    assert.match(
      wholeWarnings({
        from: 'app',
        into: ['app2'],
        mode: 'offline',
        moves: [move({ estimateSeconds: { copy: 0.00001, indexes: 0, total: 0.00001 } })],
        server: server(),
      })[0].say,
      /while it is copied \(up to 1 s\)\./,
    );
    assert.match(
      warned(
        {},
        {
          mode: 'offline',
          moves: [
            move({ diskBytes: null, estimateSeconds: { copy: null, indexes: null, total: null } }),
          ],
        },
      )[0].say,
      /while it is copied\./,
    );
    assert.match(
      warned({ transactions: { open: 1, longestSeconds: 1 } })[0].say,
      /^1 transaction is open, the longest for 1 s/,
    );
    assert.match(
      warned({ transactions: { open: 2, longestSeconds: 60 } })[0].say,
      /^2 transactions are open/,
    );
    assert.deepEqual(
      [
        warned({ transactions: { open: 9, longestSeconds: 0.9 } }),
        warned({ transactions: null, streams: null }),
      ],
      [[], []],
    );
    assert.match(
      warned({ streams: [{ database: null, collection: null }] })[0].say,
      /^1 change stream watches/,
    );
    assert.match(
      warned({
        streams: [
          { database: 'app', collection: null },
          { database: null, collection: null },
          { database: 'other', collection: null },
        ],
      })[0].say,
      /^2 change streams watch/,
    );
  });
  it('what could not be seen is said', () => {
    assert.deepEqual(unknownOf(server()), []);
    assert.deepEqual(unknownOf(server({ unseenDisks: ['b:1', 'c:1'] })), [
      'Unknown: the free disk space of b:1, c:1: it cannot be queried from here.',
    ]);
    const nothing = Object.fromEntries(Object.keys(server()).map((key) => [key, null]));
    assert.equal(unknownOf(/** @type {any} */ ({ ...nothing, taken: { app2: null } })).length, 9);
    assert.equal(unknownOf(server({ role: 'standalone', oplog: null })).length, 0);
  });
});

describe('who may do something with it', () => {
  const role = (name, more) => ({ role: name, db: 'admin', privileges: [], roles: [], ...more });
  const reading = (collectionName) => [
    { resource: { db: 'app', collection: collectionName }, actions: ['find'] },
  ];
  it(
    'custom roles on it or its database; users by those, by built-in ones, and through others; ' +
      'circles end',
    () => {
      const roles = [
        role('own', { privileges: reading('c') }),
        role('all', { privileges: reading('') }),
        role('other', { privileges: reading('d') }),
        role('over', { roles: [{ role: 'own', db: 'admin' }] }),
        role('round', { roles: [{ role: 'round', db: 'admin' }] }),
      ];
      const user = (name, ...held) => ({
        name,
        roles: held.map(([one, db]) => ({ role: one, db })),
      });
      const users = [
        user('a', ['readWrite', 'app']),
        user('b', ['over', 'admin']),
        user('c', ['other', 'admin']),
        user('d', ['root', 'admin']),
        user('e', ['round', 'admin']),
        user('f', ['read', 'app2']),
      ];
      assert.deepEqual(accessTo({ users, roles }, { database: 'app', name: 'c' }), {
        roles: ['admin.own', 'admin.all'],
        users: ['a', 'b'],
      });
      assert.deepEqual(accessTo({ users, roles: null }, { database: 'app', name: 'c' }), {
        roles: [],
        users: ['a'],
      });
      assert.deepEqual(accessTo({ users: null, roles }, { database: 'app', name: 'd' }), {
        roles: ['admin.all', 'admin.other'],
        users: [],
      });
      assert.equal(accessTo({ users: null, roles: null }, { database: 'app', name: 'c' }), null);
    },
  );
});

describe('what a user may not do', () => {
  const READ_WRITE = [
    'find',
    'insert',
    'update',
    'remove',
    'createCollection',
    'dropCollection',
    'renameCollectionSameDB',
    'createIndex',
    'dropIndex',
    'listCollections',
    'listIndexes',
    'changeStream',
  ];
  const on = (db, ...actions) => ({ resource: { db, collection: '' }, actions });
  const enough = [
    { resource: { cluster: true }, actions: ['applyOps', 'useUUID', 'inprog'] },
    on('app', ...READ_WRITE, 'bypassDocumentValidation', 'collMod'),
    on('app2', ...READ_WRITE, 'bypassDocumentValidation', 'collMod'),
    on('tune', ...READ_WRITE),
  ];
  const of = (held, ranges = false) =>
    lacking(/** @type {any} */ (held), {
      databases: ['app', 'app2'],
      cluster: clusterActions({ version: null, ranges }),
    });
  it('nothing, with the smallest role, with rights on every database, or where it is not known', () => {
    for (const held of [
      null,
      'all',
      enough,
      [enough[0], on('', ...READ_WRITE, 'bypassDocumentValidation', 'collMod')],
      [{ resource: { anyResource: true }, actions: ['anyAction'] }],
    ])
      assert.deepEqual(of(held), []);
  });
  for (const [gone, lack] of /** @type {[number, any][]} */ ([
    [0, { on: 'the cluster', actions: ['applyOps', 'useUUID', 'inprog'] }],
    [
      3,
      {
        on: 'tune',
        actions: ['find', 'insert', 'update', 'remove', 'createCollection', 'createIndex'],
      },
    ],
  ])) {
    it(`without the ${gone + 1}. privilege: ${JSON.stringify(lack)}`, () =>
      assert.deepEqual(of(enough.filter((_, i) => i !== gone)), [lack]));
  }
  it(
    'rights to one collection, or of another database, are not those to the database; ranges ' +
      'look at the server',
    () => {
      assert.deepEqual(
        of([
          ...enough.slice(0, 2),
          { resource: { db: 'app2', collection: 'c' }, actions: READ_WRITE },
          enough[3],
        ])[0].on,
        'app2',
      );
      assert.deepEqual(
        of([...enough.slice(0, 2), on('app3', ...READ_WRITE), enough[3]])[0].actions.length,
        14,
      );
      assert.deepEqual(of([enough[0], on('app', ...READ_WRITE), ...enough.slice(2)]), [
        { on: 'app', actions: ['bypassDocumentValidation', 'collMod'] },
      ]);
      assert.deepEqual(of(enough, true), [
        { on: 'the cluster', actions: ['serverStatus', 'replSetGetStatus'] },
      ]);
    },
  );
  it('before 5.0 there is no action applyOps', () => {
    for (const [version, actions] of [
      ['4.4.29', ['useUUID', 'inprog']],
      ...['5.0.0', '8.0.10', null].map((one) => [one, ['applyOps', 'useUUID', 'inprog']]),
    ])
      assert.deepEqual(clusterActions(/** @type {any} */ ({ version, ranges: false })), actions);
    assert.match(
      wholeBlockers(
        /** @type {any} */ ({
          from: 'app',
          into: ['app2'],
          mode: 'online',
          moves: [move()],
          server: server({ version: '4.4.2', privileges: [] }),
        }),
      )[0].say,
      /readWrite on tune, and on the cluster useUUID, inprog \(docs/,
    );
  });
  it('the plan says what, and names the smallest role', () => {
    const blockers = (method) =>
      wholeBlockers(
        /** @type {any} */ ({
          from: 'app',
          into: ['app2'],
          mode: 'online',
          moves: [move({ method })],
          server: server({ privileges: enough.slice(1) }),
        }),
      );
    assert.equal(
      blockers('out')[0].say,
      'This user lacks the privileges applyOps, useUUID, inprog on the cluster. ' +
        'The smallest role: readWrite and dbAdmin on app, app2, readWrite on tune, and on the ' +
        'cluster applyOps, useUUID, inprog (docs/privileges.md has it as commands).',
    );
    assert.match(
      blockers('ranges')[0].say,
      /lacks the privileges applyOps, useUUID, inprog, serverStatus, replSetGetStatus on the cluster\..*and on the cluster applyOps, useUUID, inprog, serverStatus/,
    );
  });
});
