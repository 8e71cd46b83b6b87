'use strict';

const assert = require('node:assert/strict');
const { renderSplits } = require('../../../lib/split/pure/split-text');

const AT = new Date('2026-01-01T00:00:00Z');
const ROW = Object.freeze({
  id: 's1',
  from: 'app.c',
  into: 'app2.c',
  phase: 'following',
  mode: 'online',
  method: 'out',
  documents: 1200,
  copied: 1200,
  changesApplied: 34,
  pendingConflicts: 0,
  since: new Date(AT.getTime() + 5000),
  history: [
    { phase: 'planned', at: AT },
    { phase: 'following', at: new Date(AT.getTime() + 5000) },
  ],
  renamedTo: 'app.c__aside_s1',
  stagingName: 'app2.c__tune_s1',
  verified: null,
  heldBy: null,
  next: 'tune.split.cutover("s1", { confirm: true })',
  nextBack: null,
  does: null,
});
const plain = (text) => text;
const render = (row, more = {}) =>
  renderSplits(
    {
      command: 'tune.split.status',
      dryRun: false,
      splits: [{ ...ROW, ...row }],
      confirm: null,
      ...more,
    },
    plain,
  );

describe('split/pure/split-text', () => {
  it('says that there is none', () => {
    assert.match(render({}, { splits: [] }), /There is no split on this server/);
    assert.match(
      render({}, { splits: [], command: 'tune.split.cutover' }),
      /No split is in a phase for that/,
    );
  });
  it('says how far it is, and what comes next', () => {
    const text = render({});
    assert.match(text, /app\.c → app2\.c\n {2}s1: copied; ready for the cutover\n/);
    assert.match(
      text,
      /about 1,200 documents, 34 changes applied; started\s+2026-01-01T00:00:00Z,\s+in\s+this\s+phase\s+since\s+2026-01-01T00:00:05Z\n/,
    );
    assert.match(text, /next: {2}tune\.split\.cutover\("s1", \{ confirm: true \}\)/);
    assert.doesNotMatch(text, /or: |apply:|verified|in use by|BLOCKED/);
  });
  it('says who works on it, what waits, the way back, and what a comparison found', () => {
    const text = render({
      pendingConflicts: 2,
      nextBack: 'tune.split.abort("s1", { confirm: true })',
      heldBy: { who: 'host, process 1', until: AT },
      verified: { at: AT, documents: 1200, differences: 0 },
    });
    for (const part of [
      /2\s+pending\s+\(unique\s+conflict\)/,
      /or: {4}tune\.split\.abort/,
      /in use by host, process 1/,
      /1,200 documents, no\s+difference/,
    ])
      assert.match(text, part);
    assert.match(render({ verified: { at: AT, documents: 1200, differences: 3 } }), /3\s+differ/);
  });
  it(
    'says up to when it is brought over, and how long the rest can be found; not while a shell ' +
      'is at it, nor offline',
    () => {
      const at = (row) => render({ broughtOverAt: AT, ...row }).replace(/\s+/g, ' ');
      assert.match(
        at({}),
        /app2\.c has what was written to app\.c until 2026-01-01T00:00:00Z; cutover or resume applies the rest next: /,
      );
      assert.match(
        at({ oplogFrom: AT }),
        /cutover or resume applies the rest \(the oplog reaches back to 2026-01-01T00:00:00Z\)/,
      );
      assert.match(
        at({ oplogFrom: new Date(AT.getTime() + 1) }),
        /the oplog no longer has the rest: tune\.split\.resume\("s1", \{ restart: true, confirm: true \}\)/,
      );
      assert.match(
        at({ phase: 'switched' }),
        /the old data of app\.c has what was written to app2\.c until \S+; rollback or resume applies the rest/,
      );
      for (const row of [
        { mode: 'offline' },
        { broughtOverAt: null },
        { heldBy: { who: 'h', until: AT } },
        { phase: 'copying' },
      ])
        assert.doesNotMatch(at(row), /what was written/);
    },
  );
  it('names what differs, the first of it', () => {
    const differing = (ids, differences) =>
      render({ verified: { at: AT, documents: 9, differences, ids } }).replace(/\s+/g, ' ');
    assert.match(
      differing(
        [
          { id: 7, where: 'both' },
          { id: 'a', where: 'source' },
          { id: { x: 1 }, where: 'target' },
          { id: 0, where: 'odd' },
        ],
        4,
      ),
      /4 differ: _id 7 \(not the same\), "a" \(only in the side that counts\), \{"x":1\} \(only in the other\), 0 \(odd\) next/,
    );
    assert.match(
      differing(
        Array.from({ length: 6 }, (_, id) => ({ id, where: 'both' })),
        6,
      ),
      /4 \(not the same\) … next/,
    );
  });
  it('says how long it was held back', () =>
    assert.match(
      render({ throttledMs: 61_000 }).replace(/\s+/g, ' '),
      /in this phase since 2026-01-01T00:00:05Z, throttled for 61 s/,
    ));
  it('says when the name that should refuse does not, and nothing where that is not known', () => {
    const at = (row) => render({ phase: 'switched', ...row }).replace(/\s+/g, ' ');
    assert.match(
      at({ viewInPlace: false, nameTaken: true }),
      /a collection that another session made has the name app\.c: what is written to it is not in app2\.c/,
    );
    assert.match(
      at({ phase: 'rolled-back', viewInPlace: false, nameTaken: true }),
      /has the name app2\.c: what is written to it is not in app\.c/,
    );
    assert.match(
      at({ viewInPlace: false, nameTaken: false }),
      /the view at app\.c, which refused every operation, was dropped by another session: a write to app\.c makes a new collection/,
    );
    for (const viewInPlace of [true, null, undefined])
      assert.doesNotMatch(at({ viewInPlace }), /another session/);
  });
  it('says what would be done, and with which call', () => {
    const text = render(
      { does: ['It is copied.'] },
      { dryRun: true, confirm: 'tune.split.run(plan, { confirm: true })' },
    );
    assert.match(
      text,
      /DRY RUN: nothing was sent[^]+ {2}- It is copied\.[^]+apply: {2}tune\.split\.run\(plan, \{ confirm: true \}\)$/,
    );
  });
  it('says that old data is still read, while it is', () => {
    assert.match(
      render({ phase: 'switched', reads: 'view', cutAt: AT }).replace(/\s+/g, ' '),
      /reads of app\.c are answered with old data, of 2026-01-01T00:00:00Z or of the last tune\.split\.resume\(\) or attempt to roll back: writes to app2\.c are not in it/,
    );
    for (const row of [
      { phase: 'following', reads: 'view', cutAt: null },
      { phase: 'finished', reads: 'view', cutAt: AT },
      { phase: 'rolled-back', reads: 'view', cutAt: AT },
      { phase: 'switched', reads: 'refused', cutAt: AT },
    ])
      assert.doesNotMatch(render(row), /old data, of/);
  });
  it('says how much is copied', () =>
    assert.match(render({ phase: 'copying', copied: 400 }), /400 of about 1,200 documents/));
  it('where nothing is left to do it names no call', () =>
    assert.doesNotMatch(render({ phase: 'finished', next: null }), /next:|or:/));
  it('what is over is told shortly beside others, the newest of it; alone in full', () => {
    const row = (i, more) => ({
      ...ROW,
      id: `s${i}`,
      since: new Date(AT.getTime() + i * 1000),
      next: null,
      ...more,
    });
    const text = render(
      {},
      {
        splits: [
          ROW,
          ...[0, 1, 2, 3, 4, 5].map((i) => row(i + 2, { phase: i % 2 ? 'aborted' : 'finished' })),
        ],
      },
    );
    const short = [
      'app.c → app2.c, s7: aborted, 2026-01-01T00:00:07Z',
      'app.c → app2.c, s6: finished, 2026-01-01T00:00:06Z',
    ]
      .map((line) => `  ${line}\n`)
      .join('');
    assert.ok(text.includes(`\n${short}`), text);
    assert.match(
      text,
      /s1: copied; ready for the cutover[^]+s3: aborted[^\n]+\n {2}and 1 that ended before; tune\.split\.status\(id\) shows one in full$/,
    );
    assert.doesNotMatch(text, /s2/);
    assert.match(
      render({}, { splits: [ROW, row(2, { phase: 'finished' })] }),
      /s2: finished, 2026-01-01T00:00:02Z\n {2}tune\.split\.status\(id\) shows one in full$/,
    );
    assert.match(
      render({}, { splits: [row(2, { phase: 'finished' })] }),
      /s2: finished\n {2}about 1,200 documents/,
    );
  });
  it('one change is one, and one document', () =>
    assert.match(
      render({ changesApplied: 1, documents: 1 }),
      /about 1 document, 1 change applied/,
    ));
  it('says where the data is when it was taken back, and promises no way back where there is none', () => {
    const history = [
      ...ROW.history,
      { phase: 'rolled-back', at: AT },
      { phase: 'finished', at: AT },
    ];
    assert.match(
      render({ phase: 'finished', history }).replace(/\s+/g, ' '),
      /s1: finished; rolled back, the data is in app\.c about/,
    );
    assert.match(render({ phase: 'finished' }), /s1: finished\n/);
    assert.match(
      render({ phase: 'switched', mode: 'offline' }),
      /s1: moved; the old data is kept until finish\n/,
    );
    assert.match(render({ phase: 'switched' }), /s1: moved; the old data is kept for a rollback\n/);
  });
  it('says first that neither name takes writes, in the worst tone', () => {
    const tones = [];
    const text = renderSplits(
      {
        command: 'tune.split.status',
        dryRun: false,
        splits: [{ ...ROW, phase: 'draining', blocked: true }],
        confirm: null,
      },
      (line, tone) => {
        tones.push([line, tone]);
        return line;
      },
    );
    assert.match(text, /s1: BLOCKED: neither name takes writes; cutover in progress/);
    assert.equal(tones.find(([line]) => line.includes('BLOCKED'))?.[1], 'bad');
  });
  it('says first that a name does not refuse, in the place of that neither takes writes', () => {
    const said = (/** @type {boolean} */ isFree) =>
      renderSplits(
        {
          command: 'tune.split.status',
          dryRun: false,
          splits: [{ ...ROW, phase: 'cutting', blocked: true, open: [{ ns: 'app.c', isFree }] }],
          confirm: null,
        },
        (line) => line,
      ).replace(/\s+/g, ' ');
    assert.match(said(false), /s1: app\.c TAKES WRITES into a new collection that is not part of/);
    assert.match(said(true), /s1: app\.c DOES NOT REFUSE: a write makes a new collection there/);
    assert.doesNotMatch(said(true) + said(false), /neither name/);
  });
  it('names what is kept, and what is pending', () => {
    assert.match(
      render({ phase: 'rolled-back' }),
      /kept until finish: app2\.c__tune_s1, the data that app2\.c had/,
    );
    assert.match(
      render({ phase: 'switched' }),
      /kept until finish: app\.c__aside_s1, the old data of app\.c/,
    );
    assert.match(
      render({ verified: { at: AT, documents: 9, differences: 0, pending: 4 } }).replace(
        /\s+/g,
        ' ',
      ),
      /no difference, 4 pending: written since the last resume/,
    );
  });
  it('shows a phase of a newer release as it is', () =>
    assert.match(render({ phase: 'resting' }), /s1: resting/));
});
