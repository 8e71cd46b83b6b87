'use strict';

const assert = require('node:assert/strict');
const { entriesOf, sendsOf, sameRun } = require('../../../lib/change/pure/journal');
const { maybeSent, noWayBack } = require('../../../lib/change/pure/way-back');

const RUN = { host: 'h:1', processId: 'p1', pid: 7, startedAtMs: 1000 };
/** @param {string} id @param {object} [more] @returns {any} */
const intent = (id, more = {}) => ({
  kind: 'intent',
  id,
  at: '2026-01-01T00:00:00.000Z',
  atMs: 100,
  action: 'apply',
  undoes: null,
  host: 'h:1',
  version: '6.0.5',
  run: RUN,
  change: { cacheSizeGB: 1, evictionTarget: 70 },
  before: { cacheSizeGB: 2, evictionTarget: 80 },
  commands: ['cache_size=1024M', 'eviction_target=70'],
  was: '',
  ...more,
});
/** @param {string} id @param {number} atMs @param {string} command @returns {any} */
const asking = (id, atMs, command) => ({ kind: 'asking', id, atMs, command });
/**
 * @param {string} id
 * @param {number} atMs
 * @param {string} command
 * @param {string} was
 * @returns {any}
 */
const sent = (id, atMs, command, was) => ({ kind: 'sent', id, atMs, command, was });
/** @param {string} id @param {string} outcome @returns {any} */
const outcome = (id, outcome) => ({
  kind: 'outcome',
  id,
  at: 'x',
  outcome,
  after: null,
  verified: true,
  reason: 'r',
});

describe('change/pure/journal', () => {
  it('adds the lines of an entry up', () => {
    const [entry] = entriesOf([
      intent('a'),
      asking('a', 101, 'cache_size=1024M'),
      sent('a', 101, 'cache_size=1024M', ''),
      outcome('a', 'applied'),
    ]);
    assert.deepEqual(
      [entry.id, entry.outcome, entry.asking, entry.sent.length, entry.verified, entry.reason],
      ['a', 'applied', null, 1, true, 'r'],
    );
    assert.equal('kind' in entry, false);
  });
  it('a call that was refused is not on its way, others may be', () => {
    const refused = { kind: 'refused', id: 'a', atMs: 101, command: 'cache_size=1024M' };
    const of = (/** @type {any[]} */ ...lines) => entriesOf([intent('a'), ...lines])[0];
    const one = asking('a', 101, 'cache_size=1024M');
    assert.deepEqual([of(one, refused).asking, of(one, refused).open], [null, []]);
    assert.deepEqual(maybeSent(of(one, refused)), []);
    const later = asking('a', 102, 'eviction_target=70');
    const both = of(one, later, refused);
    assert.deepEqual([both.asking, both.open], [later, [later]]);
  });
  it('an intent without an outcome is unknown', () =>
    assert.equal(entriesOf([intent('a')])[0].outcome, 'unknown'));
  it('lines whose intent is lost are left out', () =>
    assert.deepEqual(
      entriesOf([asking('x', 1, 'a=1'), sent('x', 1, 'a=1', ''), outcome('x', 'applied')]),
      [],
    ));
  it('an applied undo makes its change undone, an undo of that makes it stand again', () => {
    const undo = (/** @type {string} */ id, /** @type {string} */ undoes) => [
      intent(id, { action: 'undo', undoes }),
      outcome(id, 'applied'),
    ];
    const of = (/** @type {any[]} */ ...lines) =>
      entriesOf(lines.flat()).map((entry) => entry.outcome);
    assert.deepEqual(of([intent('a'), outcome('a', 'applied')], undo('b', 'a')), [
      'undone',
      'applied',
    ]);
    assert.deepEqual(of([intent('a'), outcome('a', 'applied')], undo('b', 'a'), undo('c', 'b')), [
      'applied',
      'undone',
      'applied',
    ]);
    assert.deepEqual(
      of([intent('a'), outcome('a', 'applied')], [intent('b', { action: 'undo', undoes: 'a' })]),
      ['applied', 'unknown'],
    );
  });
  it('two undos that undo each other: only the later one can', () => {
    const entries = entriesOf([
      sent('a', 1, 'cache_size=1024M', ''),
      sent('b', 1, 'cache_size=1024M', ''),
      intent('a', { action: 'undo', undoes: 'b' }),
      intent('b', { action: 'undo', undoes: 'a' }),
      outcome('a', 'applied'),
      outcome('b', 'applied'),
      intent('c', { action: 'undo', undoes: 'c' }),
      outcome('c', 'applied'),
    ]);
    assert.deepEqual(
      entries.map((entry) => entry.outcome),
      ['undone', 'applied', 'applied'],
    );
  });
  it('a second beginning does not make an entry forget what it sent', () => {
    const [entry, ...more] = entriesOf([
      intent('a'),
      sent('a', 101, 'cache_size=1024M', ''),
      outcome('a', 'applied'),
      intent('a', { at: '2026-01-02T00:00:00.000Z', change: {} }),
    ]);
    assert.deepEqual(
      [entry.outcome, entry.sent.length, entry.change, more],
      ['applied', 1, intent('a').change, []],
    );
  });
  it('an interrupted undo of an undo counts where all of it was sent', () => {
    const undo = { action: 'undo', undoes: 'a', change: { evictionTarget: 80 } };
    const again = { action: 'undo', undoes: 'b', change: { evictionTarget: 70 } };
    const of = (/** @type {string[]} */ ...commands) =>
      entriesOf([
        intent('a'),
        outcome('a', 'applied'),
        intent('b', undo),
        outcome('b', 'applied'),
        intent('c', again),
        ...commands.map((command, i) => sent('c', 200 + i, command, '')),
        outcome('c', 'interrupted'),
      ]).map((entry) => entry.outcome);
    assert.deepEqual(of('eviction_target=70 '), ['applied', 'undone', 'interrupted']);
    assert.deepEqual(of(), ['undone', 'applied', 'interrupted']);
    const taken = of('eviction_target=70', 'eviction_target=80');
    assert.deepEqual(taken, ['undone', 'applied', 'interrupted'], 'it was taken back');
    const once = entriesOf([
      intent('a'),
      outcome('a', 'applied'),
      intent('b', undo),
      sent('b', 200, 'eviction_target=80', ''),
      outcome('b', 'interrupted'),
    ]);
    assert.equal(once[0].outcome, 'applied', 'an undo of a change is done again');
  });
  it('a setting that only a later release knows has no way back', () => {
    const newer = { change: { evictionTarget: 70, closeIdleSeconds: 600 } };
    const [entry] = entriesOf([intent('a', newer), outcome('a', 'applied')]);
    assert.deepEqual(noWayBack(entry), ['closeIdleSeconds']);
    const [refused] = entriesOf([intent('a', newer), outcome('a', 'refused')]);
    assert.deepEqual(noWayBack(refused), []);
  });
  it('an undo leaves what has no way back, and says so', () => {
    const before = { evictionTarget: 80 };
    const undo = [
      intent('b', { action: 'undo', undoes: 'a', change: before }),
      outcome('b', 'applied'),
    ];
    const calls = [
      sent('a', 150, 'cache_size=1024M', ''),
      sent('a', 160, 'eviction_target=70', 'cache_size=1024M'),
      outcome('a', 'applied'),
    ];
    const of = (/** @type {any[]} */ ...lines) => {
      const [entry] = entriesOf(lines.flat());
      return [entry.outcome, noWayBack(entry)];
    };
    assert.deepEqual(of(intent('a', { before }), calls), ['applied', ['cacheSizeGB']]);
    assert.deepEqual(of(intent('a', { before }), calls, undo), ['partly-undone', ['cacheSizeGB']]);
    assert.deepEqual(of(intent('a', { before }), calls, outcome('a', 'partly-undone')), [
      'partly-undone',
      ['cacheSizeGB'],
    ]);
    assert.deepEqual(of(intent('a', { before }), asking('a', 150, 'cache_size=1024M'), undo), [
      'partly-undone',
      ['cacheSizeGB'],
    ]);
    assert.deepEqual(of(intent('a'), calls, undo), ['undone', []]);
  });

  it('an undo undoes what was sent before it, and no call that may still arrive', () => {
    const of = (/** @type {any[]} */ ...lines) => {
      const [{ outcome: now, undoneBy }] = entriesOf(lines.flat());
      return [now, undoneBy];
    };
    const first = [intent('a'), asking('a', 150, 'cache_size=1024M')];
    const undo = (more = {}) => [
      intent('u', { action: 'undo', undoes: 'a', ...more }),
      outcome('u', 'applied'),
    ];
    const answer = sent('a', 150, 'cache_size=1024M', '');
    assert.deepEqual(of(first, answer, undo()), ['undone', 'u']);
    assert.deepEqual(of(first, undo(), answer), ['unknown', undefined]);
    assert.deepEqual(of(first, undo(), answer, outcome('a', 'applied')), ['applied', undefined]);
    assert.deepEqual(of(first, undo({ unsettled: true })), ['unknown', undefined]);
    assert.deepEqual(of(first, outcome('a', 'undone'), undo()), ['undone', undefined]);
  });
  it('what was sent again after a refusal is not what was set', () => {
    const again = (/** @type {any} */ line) => ({ ...line, again: true });
    const lines = [
      intent('a'),
      asking('a', 150, 'cache_size=1024M'),
      again(asking('a', 160, 'x=1')),
    ];
    const [open] = entriesOf(lines);
    assert.deepEqual(
      [open.asking?.command, open.resent, maybeSent(open)],
      [
        'cache_size=1024M',
        [{ id: 'a', atMs: 160, command: 'x=1', was: 'x=1', sure: false }],
        ['cache_size=1024M'],
      ],
    );
    const closed = entriesOf([
      ...lines,
      again(sent('a', 160, 'x=1', 'y=2')),
      again(sent('a', 170, 'z=3', 'x=1')),
      outcome('a', 'refused'),
    ]);
    assert.deepEqual(sendsOf(closed, RUN), [
      { atMs: 160, config: 'x=1', was: 'y=2', id: 'a', sure: true, again: true },
      { atMs: 170, config: 'z=3', was: 'x=1', id: 'a', sure: true, again: true },
    ]);
    assert.deepEqual(maybeSent(closed[0]), []);
  });
  it('a file that says everything twice says it once', () => {
    const lines = [
      intent('a'),
      asking('a', 150, 'cache_size=1024M'),
      sent('a', 150, 'cache_size=1024M', ''),
      outcome('a', 'applied'),
    ];
    const undo = [intent('u', { action: 'undo', undoes: 'a' }), outcome('u', 'applied')];
    assert.deepEqual(entriesOf([...lines, ...undo, ...lines]), entriesOf([...lines, ...undo]));
    const undone = [...lines, outcome('a', 'undone')];
    assert.deepEqual(entriesOf([...undone, ...lines]), entriesOf(undone), 'an old copy');
  });
  it('one that was cut, and got the lines again behind what it kept, has them in order', () => {
    const [first, ...rest] = [
      intent('a'),
      asking('a', 150, 'cache_size=1024M'),
      sent('a', 150, 'cache_size=1024M', ''),
      asking('a', 160, 'eviction_target=75'),
    ];
    const other = intent('b');
    for (const kept of [[], rest.slice(1, 2), rest.slice(2)])
      assert.deepEqual(
        entriesOf([first, other, ...kept, first, ...rest]),
        entriesOf([first, other, ...rest]),
      );
  });

  it('tells runs apart by the process id of hello', () => {
    assert.equal(sameRun(RUN, { ...RUN, startedAtMs: 9e9 }), true);
    assert.equal(sameRun(RUN, { ...RUN, processId: 'p2' }), false);
  });
  it('and, where hello does not report it, by pid and start, which may be off by some seconds', () => {
    const old = { ...RUN, processId: null };
    assert.equal(sameRun(old, { ...old, startedAtMs: 11_000 }), true);
    assert.equal(sameRun(old, { ...old, startedAtMs: 11_001 }), false);
    assert.equal(sameRun(old, { ...old, startedAtMs: null }), true);
    assert.equal(sameRun(old, { ...old, pid: 8 }), false);
    assert.equal(sameRun(old, { ...old, host: 'other:1' }), false);
  });

  it('what was sent to this run, in the order of time', () => {
    const entries = entriesOf([
      intent('b'),
      intent('a'),
      sent('b', 300, 'y=2', 'x=1'),
      outcome('b', 'applied'),
      sent('a', 200, 'x=1', ''),
      outcome('a', 'applied'),
      intent('o', { run: { ...RUN, processId: 'p0' } }),
      sent('o', 1, 'z=1', ''),
    ]);
    assert.deepEqual(sendsOf(entries, RUN), [
      { atMs: 200, config: 'x=1', was: '', id: 'a', sure: true },
      { atMs: 300, config: 'y=2', was: 'x=1', id: 'b', sure: true },
    ]);
  });
  it('with what was known when an entry was planned, and the last line of the log then', () => {
    const known = [{ config: 'x=1', id: null }];
    const logged = { atMs: 150, config: 'x=1' };
    const of = (/** @type {object} */ more) =>
      sendsOf(entriesOf([intent('a', more), sent('a', 200, 'y=2', 'x=1')]), RUN)[0];
    const call = { atMs: 200, config: 'y=2', was: 'x=1', id: 'a', sure: true, known };
    assert.deepEqual(of({ known, logged, readFromMs: 160 }), {
      ...call,
      knownAtMs: 160,
      knownLine: logged,
    });
    assert.deepEqual(of({ known }), { ...call, knownAtMs: 200, knownLine: null });
  });
  it("in the order of the journal where the server's clock was set back between two entries", () => {
    const begun = Date.parse('2026-01-01T00:00:00.000Z');
    const later = '2026-01-01T00:01:00.000Z';
    const order = (/** @type {any[]} */ ...lines) =>
      sendsOf(entriesOf(lines), RUN).map(({ config }) => config);
    const ahead = [intent('a', { atMs: begun + 3_600_000 }), sent('a', begun + 3_600_001, 'x', '')];
    assert.deepEqual(
      order(
        ...ahead,
        intent('b', { at: later, atMs: begun + 60_000 }),
        sent('b', begun + 60_001, 'y', 'x'),
        intent('c', { at: later, atMs: begun + 60_002 }),
        sent('c', begun + 60_003, 'z', 'y'),
      ),
      ['x', 'y', 'z'],
    );
    // The clock of another computer, or of an editor, sets nothing back.
    assert.deepEqual(
      order(...ahead, intent('b', { at: 'x', atMs: 1 }), sent('b', begun + 2, 'y', '')),
      ['y', 'x'],
    );
  });
  it('what a change knew of came before it, also where both clocks were set back', () => {
    const begun = Date.parse('2026-01-01T02:00:00.000Z');
    const order = (/** @type {any[]} */ ...lines) =>
      sendsOf(entriesOf(lines), RUN).map(({ config }) => config);
    const back = (
      /** @type {string} */ id,
      /** @type {number} */ ms,
      /** @type {any[]} */ known,
    ) => {
      const atMs = begun - 3_600_000 + ms;
      return intent(id, { at: new Date(atMs).toISOString(), atMs, known });
    };
    const first = [
      intent('a', { at: new Date(begun).toISOString(), atMs: begun }),
      sent('a', begun + 1, 'x', ''),
    ];
    const [x, y] = [
      { config: 'x', id: 'a' },
      { config: 'y', id: 'b' },
    ];
    const second = [back('b', 0, [x]), sent('b', begun - 3_599_999, 'y', 'x')];
    const third = [back('c', 9, [x, y]), sent('c', begun - 3_599_990, 'z', 'y')];
    assert.deepEqual(order(...first, ...second, ...third), ['x', 'y', 'z']);
    // A trial sends its two strings by turns.
    const trial = [sent('a', begun + 2, 'w', 'x'), sent('a', begun + 3, 'x', 'w')];
    assert.deepEqual(order(...first, ...trial, ...second), ['x', 'w', 'x', 'y']);
    // A change by force, while that trial goes on.
    const meanwhile = [
      intent('b', { at: new Date(begun + 2).toISOString(), atMs: begun + 2, known: [x] }),
      sent('b', begun + 2, 'y', 'x'),
    ];
    assert.deepEqual(order(...first, ...meanwhile, sent('a', begun + 5, 'x', 'y')), [
      'x',
      'y',
      'x',
    ]);
  });
  it('of an entry whose writer died, the call that was written down last may have been on its way', () => {
    const half = [
      intent('a'),
      asking('a', 140, 'cache_size=1500M'),
      sent('a', 140, 'cache_size=1500M', ''),
    ];
    assert.deepEqual(sendsOf(entriesOf([intent('a')]), RUN), []);
    assert.deepEqual(sendsOf(entriesOf([intent('a'), asking('a', 101, 'cache_size=1500M')]), RUN), [
      { atMs: 101, config: 'cache_size=1500M', was: '', id: 'a', sure: false },
    ]);
    assert.deepEqual(sendsOf(entriesOf([...half, asking('a', 150, 'cache_size=1024M')]), RUN)[1], {
      atMs: 150,
      config: 'cache_size=1024M',
      was: 'cache_size=1500M',
      id: 'a',
      sure: false,
    });
    assert.equal(sendsOf(entriesOf(half), RUN).length, 1);
    assert.equal(
      sendsOf(
        entriesOf([
          ...half,
          asking('a', 150, 'cache_size=1024M'),
          intent('u', { action: 'undo', undoes: 'a' }),
          outcome('u', 'applied'),
        ]),
        RUN,
      ).length,
      2,
    );
    assert.equal(
      sendsOf(
        entriesOf([...half, asking('a', 150, 'cache_size=1024M'), outcome('a', 'refused')]),
        RUN,
      ).length,
      1,
    );
  });
  it('which strings the server has or may have taken', () => {
    const of = (/** @type {any[]} */ ...lines) => maybeSent(entriesOf([intent('a'), ...lines])[0]);
    const first = sent('a', 150, 'cache_size=1024M', '');
    const next = asking('a', 160, 'eviction_target=70');
    assert.deepEqual(of(), []);
    assert.deepEqual(of(first), ['cache_size=1024M']);
    assert.deepEqual(of(first, next), ['cache_size=1024M', 'eviction_target=70']);
    assert.deepEqual(of(first, next, outcome('a', 'interrupted')), ['cache_size=1024M']);
    assert.deepEqual(of(outcome('a', 'refused')), []);
    assert.deepEqual(of(first, outcome('a', 'applied')), [
      'cache_size=1024M',
      'eviction_target=70',
    ]);
  });

  it('a journal of years is read within moments: it is read just before each call', function () {
    this.timeout(15_000);
    const run = { host: 'h:1', processId: null, pid: 1, startedAtMs: 1 };
    const lines = Array.from({ length: 6000 }, (_, i) => [
      {
        kind: 'intent',
        id: `e${i}`,
        atMs: i,
        action: i % 2 === 1 ? 'undo' : 'apply',
        undoes: i % 2 === 1 ? `e${i - 1}` : null,
        run,
        change: { evictionTarget: 70 },
        before: { evictionTarget: 80 },
        commands: ['eviction_target=70'],
      },
      { kind: 'outcome', id: `e${i}`, outcome: 'applied' },
    ]).flat();
    const entries = entriesOf(/** @type {any} */ (lines));
    assert.deepEqual(
      [entries[0].outcome, entries[5998].outcome, entries[5999].outcome],
      ['undone', 'undone', 'applied'],
    );
  });
});
