'use strict';

const assert = require('node:assert/strict');
const vm = require('node:vm');
const { scriptOf } = require('../../../lib/split/pure/script');
const { makePlan } = require('../../../lib/split/pure/plan');
const {
  namesOf,
  partsOf,
  refusal,
  remark,
  isOurPipeline,
  movedSentence,
  notYetSentence,
  frozenSentence,
  bytesOf,
} = require('../../../lib/split/pure/split-names');
const { collection, view, server, asked } = require('./plan-kit');

const EVIL = 'evil"];\n\u202edropDatabase()//\x1b[31m';
const of = (collections, names, more) =>
  scriptOf(makePlan(asked({ names }), { collections, server: server(more), sample: null }));
/**
 * What it does, in order: calls that stand alone on a line, not those inside of functions.
 * @param {string} script
 */
const callsOf = (script) =>
  [
    ...script.matchAll(
      /^(?:(at)\(.*\$(out)\b|(\w+)\(move|move\d\.stream\.(close)|db\..*(create): )/gm,
    ),
  ].map((found) => found.slice(1).filter(Boolean).join(''));

describe('the script of a plan', () => {
  it(
    'online: the stream before the copy, the cut before the last events, and those before the ' +
      'place opens',
    () => {
      const script = of([collection('c'), view('v', { viewOn: 'c', pipeline: [] })], ['c']);
      assert.deepEqual(callsOf(script), [
        'prepare',
        'follow',
        'atout',
        'buildIndexesAndFollow',
        'verify',
        'catchUp',
        'sameDefinitions',
        'blockSource',
        'sameDefinitions',
        'catchUp',
        'applyPending',
        'sameCount',
        'verifyRest',
        'activateTarget',
        'close',
        'create',
      ]);
      assert.match(script, /catchUp\(move1, move1\.renamedTo, true\);/);
      assert.doesNotThrow(() => new vm.Script(script));
    },
  );
  it('in ranges where the plan says so; of every collection one after the other', () => {
    const large = collection('c', { documents: 1e9 });
    const calls = callsOf(of([large, collection('d')], ['c', 'd'], { oplog: null }));
    assert.deepEqual(
      calls.filter((call) => /copy|out|activate/.test(call)),
      ['copyInRanges', 'activateTarget', 'atout', 'activateTarget'],
    );
  });
  it('offline: the cut before the copy, and nothing that follows', () => {
    const script = of([collection('c')], ['c'], {
      role: 'standalone',
      oplog: null,
      host: null,
      version: null,
    });
    assert.deepEqual(callsOf(script), [
      'prepare',
      'blockSource',
      'atout',
      'buildIndexes',
      'sameDefinitions',
      'sameCount',
      'activateTarget',
    ]);
    assert.doesNotMatch(script, /watch|catchUp/);
    assert.match(
      script,
      /^\/\/ Split of app into app2: plan 20240101000000-abcdef, for this server, MongoDB \?\.$/m,
    );
    assert.doesNotThrow(() => new vm.Script(script));
  });
  it('no name ends a comment or a string', () => {
    const script = of([collection(EVIL), view(`v${EVIL}`, { viewOn: EVIL, pipeline: [] })], [EVIL]);
    assert.doesNotThrow(() => new vm.Script(script));
    assert.doesNotMatch(script, /[\x1b\u202e]/);
    const [, literal] = /^var move1 = (\{.*\});$/m.exec(script) ?? [];
    const move = vm.runInNewContext(`(${literal})`);
    assert.deepEqual(
      [move.ns, move.collection, move.stagingName],
      [`app.${EVIL}`, EVIL, `${EVIL}__tune_20240101000000-abcdef`],
    );
    assert.deepEqual(
      script
        .split('\n')
        .filter(
          (line) =>
            line.includes('dropDatabase') &&
            !/^\/\/|^var move1 = |^db\.getSiblingDB\("app2"\)\.runCommand\(\{ create: "/.test(line),
        ),
      [],
    );
  });
});

describe('names of a split', () => {
  it('only the first point parts database and collection', () =>
    assert.deepEqual(
      [partsOf('a.b.c'), partsOf('a.b')],
      [
        ['a', 'b.c'],
        ['a', 'b'],
      ],
    ));
  it('what a collection is called meanwhile, and what those read who come', () => {
    const names = namesOf({ ns: 'app.c.d', into: 'app2.c.d', id: 'x' });
    assert.deepEqual(names, {
      ns: 'app.c.d',
      database: 'app',
      collection: 'c.d',
      targetDatabase: 'app2',
      stagingName: 'c.d__tune_x',
      renamedTo: 'c.d__aside_x',
    });
    assert.deepEqual(
      [movedSentence('app.c.d', 'app2.c.d'), notYetSentence('app2.c.d', 'app.c.d')],
      [
        'app.c.d was moved to app2.c.d by mongosh-tune',
        'app2.c.d is not there yet: app.c.d is being moved to it by mongosh-tune',
      ],
    );
    assert.deepEqual(refusal('no'), [{ $match: { $expr: { $toInt: 'no' } } }]);
    for (const ours of [
      refusal(movedSentence('a.c', 'b.c')),
      refusal(notYetSentence('b.c', 'a.c')),
      remark(frozenSentence('a.c', 'b.c')),
    ])
      assert.ok(isOurPipeline(ours));
    for (const other of [
      undefined,
      [],
      [{ $match: { a: 1 } }],
      [{ $project: { a: 1 } }],
      [{ $match: { $comment: 'mine' } }],
      [{ $match: { $expr: { $toInt: 5 } } }],
    ])
      assert.ok(!isOurPipeline(other));
  });
  it('bytes as the server counts them', () => {
    for (const text of ['', 'abc', 'ä', '€', '😀', 'aä€😀'])
      assert.equal(bytesOf(text), Buffer.byteLength(text));
  });
});
