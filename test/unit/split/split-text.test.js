'use strict';

const assert = require('node:assert/strict');
const { renderSplits } = require('../../../lib/split/pure/split-text');

const AT = new Date('2026-01-01T00:00:00Z');
const ROW = Object.freeze({
  id: 's1',
  ownId: 's1',
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
    assert.match(
      render({}, { splits: [] }),
      /^No split on this server\.\n {2}Plan {7}tune\.split\.plan\(\{ source: "shop" \}\)$/,
    );
    assert.match(
      render({}, { splits: [], command: 'tune.split.cutover' }),
      /^No split is in a phase for this command\.\n {2}Check {6}tune\.split\.status\(\)$/,
    );
  });
  it('says how far it is, and what comes next', () => {
    const text = render({});
    assert.match(
      text,
      /^SPLIT {8}app\.c → app2\.c {2}s1\nPHASE {8}copied, ready for the cutover \(since 2026-01-01 00:00:05 UTC\)\n/,
    );
    assert.match(text, /\nPROGRESS {5}about 1,200 documents, 34 changes applied\n/);
    assert.match(
      text,
      /\n {2}Verify {5}tune\.split\.verify\("s1"\)\n {2}Dry run {4}tune\.split\.cutover\("s1"\)$/,
    );
    assert.doesNotMatch(text, /Abort|Apply|VERIFIED|IN USE|BLOCKED/);
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
      /\n {2}Way back {3}tune\.split\.abort/,
      /\nIN USE {7}by host, process 1/,
      /\nVERIFIED {5}no difference in 1,200 documents/,
    ])
      assert.match(text, part);
    assert.match(
      render({ verified: { at: AT, documents: 1200, differences: 3 } }),
      /\nDIFFERENCES {2}3 differ in/,
    );
  });
  it(
    'says up to when it is brought over, and how long the rest can be found; not while a shell ' +
      'is at it, nor offline',
    () => {
      const at = (row) => render({ broughtOverAt: AT, ...row }).replace(/\s+/g, ' ');
      assert.match(
        at({}),
        /APPLIED writes to app\.c until 2026-01-01 00:00:00 UTC are in the copy; tune\.split\.cutover\(\) applies later writes if the oplog still holds them NEXT before the cutover, deploy applications that try both names \(docs\/split\.md\) Verify /,
      );
      assert.match(
        at({ oplogFrom: AT }),
        /tune\.split\.cutover\(\) applies later writes if the oplog still holds them the oplog reaches back to 2026-01-01 00:00:00 UTC NEXT before the cutover, deploy applications that try both names \(docs\/split\.md\) Verify/,
      );
      assert.match(
        at({ oplogFrom: new Date(AT.getTime() + 1) }),
        /CRIT The oplog lost later writes: tune\.split\.[a-z]+\(\) is refused\. "Copy again" starts a new copy of app\.c, which stays active\. NEXT [^]+ Copy again tune\.split\.resume\("s1", \{ restart: true, confirm: true \}\)/,
      );
      assert.match(
        at({ phase: 'switched', oplogFrom: new Date(AT.getTime() + 1) }),
        /"Renew" compares all documents, and updates the old data of app\.c from app2\.c, which stays active\. NEXT [^]+ Renew tune\.split\.resume\("s1", \{ restart: true, confirm: true \}\)/,
      );
      assert.match(
        at({ phase: 'switched' }),
        /writes to app2\.c until \S+ \S+ UTC are in the old data of app\.c; tune\.split\.rollback\(\) applies later writes if the oplog/,
      );
      for (const row of [
        { mode: 'offline' },
        { broughtOverAt: null },
        { heldBy: { who: 'h', until: AT } },
        { phase: 'copying' },
      ])
        assert.doesNotMatch(at(row), /APPLIED/);
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
      /4 differ in 9 documents, \S+ \S+ UTC _id 7: differs _id "a": only in the active collection _id \{"x":1\}: only in the copy _id 0: odd Dry run tune/,
    );
    assert.match(
      differing(
        Array.from({ length: 6 }, (_, id) => ({ id, where: 'both' })),
        6,
      ),
      /_id 4: differs and 1 more Dry run tune/,
    );
  });
  it('prints the dry run of a cutover and an abort; the command itself where neither name takes writes', () => {
    const abort = 'tune.split.abort("s1", { confirm: true })';
    const at = (row) =>
      render({ nextBack: abort, ...row })
        .replace(/\s+/g, ' ')
        .replace(/^.*?(?=(?:Verify|Resume|Dry run|Way back|Abort|Copy again) tune)/, '');
    assert.match(
      at({}),
      / Dry run tune\.split\.cutover\("s1"\) Way back tune\.split\.abort\("s1"\)$/,
    );
    const next = 'tune.split.resume("s1", { confirm: true })';
    assert.equal(at({ phase: 'copying', next }), `Resume ${next} Way back tune.split.abort("s1")`);
    for (const row of [
      { phase: 'cutting' },
      { phase: 'draining' },
      { phase: 'copying', mode: 'offline' },
    ])
      assert.equal(at({ ...row, next }), `Resume ${next} Abort ${abort}`);
    // Where the oplog lost writes, the cutover is not printed in any form.
    assert.doesNotMatch(
      at({ broughtOverAt: AT, oplogFrom: new Date(AT.getTime() + 1) }),
      /split\.cutover\("|\{ confirm: true \}\) Dry run tune\.split\.cutover/,
    );
  });
  it('says how long it was held back', () =>
    assert.match(
      render({ throttledMs: 61_000 }).replace(/\s+/g, ' '),
      /34 changes applied, throttled for 61 s NEXT before the cutover, deploy applications that try both names \(docs\/split\.md\) Verify/,
    ));
  it('says when the name that should refuse does not, and nothing where that is not known', () => {
    const at = (row) => render({ phase: 'switched', ...row }).replace(/\s+/g, ' ');
    assert.match(
      at({ viewInPlace: false, nameTaken: true, blockCall: 'BLOCK', renameTo: 'c_other' }),
      /CRIT Another session created a collection app\.c\. Its documents are not in app2\.c \(TUNE-35013\)\. NEXT stop the writer, then run these three in order\. [^]+ Rename db\.getSiblingDB\("app"\)\.getCollection\("c"\)\.renameCollection\("c_other"\) Block BLOCK Copy db\./,
    );
    assert.match(
      at({ phase: 'rolled-back', viewInPlace: false, nameTaken: true, renameTo: 'c_other' }),
      /Its documents are not in app\.c \(TUNE-35013\)\. [^]+getCollection\("c_other"\)\.aggregate\(\[\{ \$merge: \{ into: \{ db: "app", coll: "c" \}, whenMatched: "fail" \} \}\]\)$/,
    );
    assert.match(
      at({ viewInPlace: false, nameTaken: false, blockCall: 'BLOCK' }),
      /CRIT Another session dropped the view at app\.c that blocked it\. A write to app\.c creates a new collection\. NEXT [^:]+: after that there is no rollback\. Block BLOCK Dry run tune/,
    );
    for (const viewInPlace of [true, null, undefined])
      assert.doesNotMatch(at({ viewInPlace }), /Another session/);
  });
  it('says what would be done, and with which call', () => {
    const text = render(
      { does: ['It is copied.'] },
      { dryRun: true, confirm: 'tune.split.run(plan, { confirm: true })' },
    );
    assert.match(
      text,
      /^DRY RUN: nothing was changed\n[^]+\nWOULD DO {5}It is copied\.\n {2}Run {8}tune\.split\.run\(plan, \{ confirm: true \}\)$/,
    );
  });
  it('says that old data is still read, while it is', () => {
    assert.match(
      render({ phase: 'switched', reads: 'view', cutAt: AT }).replace(/\s+/g, ' '),
      /WARN Reads of app\.c are allowed \(\{ reads: "view" \}\)\. They return old data, of 2026-01-01 00:00:00 UTC or of the last tune\.split\.resume\(\), without later writes to app2\.c\./,
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
    assert.doesNotMatch(render({ phase: 'finished', next: null }), /tune\.split/));
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
      'app.c → app2.c: aborted, the source has all data, 2026-01-01 00:00:07 UTC (s7)',
      'app.c → app2.c: finished, 2026-01-01 00:00:06 UTC (s6)',
    ]
      .map((line) => `  ${line}\n`)
      .join('');
    assert.ok(text.includes(`\n${short}`), text);
    assert.match(
      text,
      /PHASE {8}copied, ready for the cutover[^]+ENDED\n[^]+aborted, [^\n]+ UTC \(s3\)\n {2}and 1 earlier\n {2}Details {4}tune\.split\.status\("<id>"\)$/,
    );
    assert.doesNotMatch(text, /s2/);
    assert.match(
      render({}, { splits: [ROW, row(2, { phase: 'finished' })] }),
      /finished, 2026-01-01 00:00:02 UTC \(s2\)\n {2}Details {4}tune\.split\.status\("<id>"\)$/,
    );
    assert.match(
      render({}, { splits: [row(2, { phase: 'finished' })] }),
      / {2}s2\nPHASE {8}finished \(since [^\n]+\nPROGRESS {5}about 1,200 documents/,
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
      /PHASE ended after a rollback: app\.c is active \(since/,
    );
    assert.match(render({ phase: 'finished' }), /PHASE {8}finished \(since/);
    assert.match(
      render({ phase: 'switched', mode: 'offline' }),
      /PHASE {8}moved, old data kept until tune\.split\.finish\(\) \(since/,
    );
    assert.match(
      render({ phase: 'switched' }),
      /PHASE {8}moved, old data kept for a rollback \(since/,
    );
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
    assert.match(text, /PHASE {8}BLOCKED: neither namespace takes writes; cutover in progress/);
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
    assert.match(said(false), /PHASE app\.c TAKES WRITES into a new collection outside the split/);
    assert.match(said(true), /PHASE app\.c IS NOT BLOCKED: a write creates a new collection there/);
    assert.doesNotMatch(said(true) + said(false), /neither namespace/);
  });
  it('names what is kept, and what is pending', () => {
    assert.match(
      render({ phase: 'rolled-back', kept: 'app2.c__tune_s1' }),
      /KEPT {9}app2\.c__tune_s1, the data that app2\.c had/,
    );
    assert.match(
      render({ phase: 'switched', kept: 'app.c__aside_s1' }),
      /KEPT {9}app\.c__aside_s1, the old data of app\.c/,
    );
    assert.match(
      render({ verified: { at: AT, documents: 9, differences: 0, pending: 4 } }).replace(
        /\s+/g,
        ' ',
      ),
      /no difference in 9 documents, \S+ \S+ UTC 4 documents written meanwhile, not compared/,
    );
  });
  it('says where the names belong to a later split, and that the target is not blocked', () => {
    const said = (/** @type {any} */ row) => render({ phase: 'rolled-back', next: null, ...row });
    assert.match(said({ movedBy: 's2' }), /PHASE {8}rolled back; app\.c belongs to s2/);
    assert.doesNotMatch(said({ movedBy: 's2' }), /NEXT/);
    assert.match(said({ otherSplit: 's2' }), /PHASE {8}rolled back; app2\.c belongs to s2/);
    assert.match(said({ viewInPlace: false }), /PHASE {8}rolled back, the target is not blocked/);
  });
  it('says what others dropped, and the one call that leads on', () => {
    const calls = (/** @type {any} */ row) =>
      [...render(row).matchAll(/tune\.split\.\w+\([^)]*\)/g)].map(([call]) => call);
    const copy = { kept: 'app2.c__tune_s1', gone: 'source' };
    assert.deepEqual(calls({ phase: 'switched', gone: 'target' }), [
      'tune.split.rollback("s1", { lost: true })',
    ]);
    assert.deepEqual(calls({ phase: 'draining-back', gone: 'target' }), [
      'tune.split.rollback("s1", { lost: true })',
    ]);
    const replaced = { phase: 'draining-back', gone: 'target', activeHas: 'collection' };
    assert.deepEqual(calls(replaced), []);
    assert.match(render(replaced), /stop the writers of app2\.c, and rename it/);
    assert.deepEqual(calls({ phase: 'following', gone: 'source' }), [
      'tune.split.abort("s1", { keepCopy: true })',
    ]);
    assert.match(
      render({ phase: 'aborted', next: null, ...copy }),
      /aborted, the source was dropped or replaced[^]+KEPT {9}app2\.c__tune_s1/,
    );
    const over = { ...ROW, phase: 'aborted', next: null, ...copy };
    assert.match(render({}, { splits: [over, over] }), /kept:\s+app2\.c__tune_s1/);
  });
  it('says that another session opened the other name early, and what to type first', () => {
    const copyCall = 'db.getSiblingDB("app2").getCollection("c").renameCollection("c__tune_s1")';
    const next = 'tune.split.resume("s1", { confirm: true })';
    const early = { phase: 'draining', copyCall, next };
    const text = render({ ...early, endedEarly: 'copy' }).replace(/\s+/g, ' ');
    assert.match(text, /cutover stopped: another session ended it early/);
    assert.match(text, /renamed app2\.c__tune_s1 to app2\.c before it had all writes to app\.c\./);
    assert.match(text, /stop the writers of app2\.c, and save what was written there/);
    assert.match(text, /Rename db\.getSiblingDB[^]*Resume tune\.split\.resume/);
    const both = render({ ...early, phase: 'switching-back', endedEarly: 'both' });
    assert.match(both, /rollback stopped: [^]*app2\.c and app\.c both\s+take\s+writes/);
    assert.match(both, /type\s+these:\s+resume\s+then\s+asks\s+for\s+a\s+restart\./);
    assert.doesNotMatch(render({ ...early }), /early|Rename/);
    const stray = (/** @type {string} */ freeFirst) =>
      render({ ...early, endedEarly: 'copy', freeFirst }).replace(/\s+/g, ' ');
    assert.match(stray('x.renameCollection("y")'), /Rename x\.rename[^]*Rename db\.getSiblingDB/);
    assert.match(
      stray('drop the view x'),
      /drop the view x, which another session made\. Then stop/,
    );
    assert.doesNotMatch(render({ ...early, endedEarly: 'both', copyCall: undefined }), /Rename/);
  });
  it('says what the next command does where the other name has its collection already', () => {
    const said = (/** @type {any} */ row) => render({ unsaved: true, ...row }).replace(/\s+/g, ' ');
    const next = 'tune.split.resume("s1", { confirm: true })';
    const text = said({ phase: 'switching', next });
    assert.match(text, /PHASE app2\.c has its collection, cutover not saved yet/);
    assert.match(
      text,
      /resume first compares what was written to app\.c after its cut with app2\.c\. If nothing differs, the cutover counts as done\. If not, resume stops and says what to do\./,
    );
    assert.match(
      said({ phase: 'switching-back', next: 'tune.split.rollback("s1", { confirm: true })' }),
      /rollback not saved yet.* rollback first compares what was written to app2\.c after its cut with app\.c\./,
    );
    assert.match(
      said({ phase: 'switching', mode: 'offline', isWhole: true, next }),
      /connect the application to app2\.c: resume saves the cutover as done\. Resume/,
    );
    assert.match(said({ phase: 'switching', mode: 'offline', next }), /resume first compares/);
    assert.match(said({ phase: 'switching', next: null }), /the next command first compares/);
  });
  it('in the words of a standalone: there is no change stream, and no rollback', () => {
    const said = (/** @type {any} */ row) =>
      render({ phase: 'switched', mode: 'offline', ...row }).replace(/\s+/g, ' ');
    assert.match(
      said({ renamedAs: 'app2.x', renameCall: 'rename()' }),
      /NEXT rename it back before the next command\. Rename rename\(\)$/,
    );
    assert.doesNotMatch(said({ copyRenamedAs: 'app.x', copyCall: 'rename()' }), /rollback/);
    assert.match(
      said({ verified: { at: AT, documents: 9, differences: 1 } }),
      /UTC Writes to app2\.c since the cutover count as differences: nothing brings them to the old data\./,
    );
  });
  it('shows a phase of a newer release as it is', () =>
    assert.match(render({ phase: 'resting' }), /PHASE {8}resting \(since/));
});
