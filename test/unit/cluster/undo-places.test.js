'use strict';

const assert = require('node:assert/strict');
const { TuneError } = require('../../../lib/base/pure/errors');
const { meet, mayKeep, missingWords } = require('../../../lib/cluster/pure/undo-places');

const run = (/** @type {string | null} */ processId, more = {}) => ({
  host: 'h',
  processId,
  pid: 7,
  startedAtMs: 1000,
  ...more,
});
const entry = (/** @type {string} */ member, /** @type {any} */ of = run(member)) =>
  /** @type {any} */ ({
    id: member,
    atMs: 100_000,
    run: of,
    group: { id: 'g', member, setId: 's' },
  });
const there = (
  /** @type {string} */ host,
  /** @type {any} */ is = run(host),
  /** @type {string | null} */ setId = 's',
) => ({ stop: { place: { host }, set: { setId } }, settings: { run: is } });
const met = (/** @type {any[]} */ active, /** @type {any[]} */ reached) => {
  const found = meet(active, reached);
  return {
    met: found.met.map((one) => [one.entry.id, one.stop.place.host]),
    restarted: found.restarted.map(({ host }) => host),
    missing: found.missing.map(({ id }) => id),
  };
};

describe('cluster/pure/undo-places: where the members of a change are now', () => {
  it('in the order of the members', () =>
    assert.deepEqual(met([entry('a'), entry('b')], [there('b'), there('a')]), {
      met: [
        ['b', 'b'],
        ['a', 'a'],
      ],
      restarted: [],
      missing: [],
    }));
  it('under another name by the process alone', () => {
    assert.deepEqual(met([entry('x', run('p'))], [there('b'), there('c', run('p'))]), {
      met: [['x', 'c']],
      restarted: [],
      missing: [],
    });
    assert.deepEqual(
      met([entry('x', run(null))], [there('c', run(null))]).missing,
      ['x'],
      'before 4.4 no number tells a process',
    );
    assert.deepEqual(met([entry('b', run(null))], [there('b', run(null))]).met, [['b', 'b']]);
  });
  it('a process that began after the change was restarted; an older one is another server', () => {
    const late = (/** @type {number | null} */ startedAtMs) =>
      met([entry('b')], [there('b', run('new', { startedAtMs }))]);
    assert.deepEqual(late(200_000), { met: [], restarted: ['b'], missing: [] });
    assert.deepEqual(late(null).restarted, ['b']);
    assert.deepEqual(late(90_001).restarted, ['b'], 'clocks are corrected');
    assert.deepEqual(late(90_000), { met: [], restarted: [], missing: ['b'] });
  });
  it('… unless a member of a new name does not answer: it may be the changed process', () => {
    const reached = [there('b', run('new', { startedAtMs: 200_000 }))];
    const known = {
      ...entry('b'),
      group: { id: 'g', member: 'b', members: ['b', 'c'], setId: 's' },
    };
    const restarted = (/** @type {string[]} */ silent) =>
      meet([known], reached, silent).restarted.map(({ host }) => host);
    assert.deepEqual([restarted([]), restarted(['c']), restarted(['b-old'])], [['b'], ['b'], []]);
  });
  it('a silent member that the set had then, though it had no turn, is not the changed process', () => {
    const reached = [there('b', run('new', { startedAtMs: 200_000 }))];
    const group = { id: 'g', member: 'b', members: ['b', 'c'], names: ['a', 'b', 'c'], setId: 's' };
    const restarted = (/** @type {string[]} */ silent) =>
      meet([{ ...entry('b'), group }], reached, silent).restarted.map(({ host }) => host);
    assert.deepEqual([restarted(['a']), restarted(['a', 'b-old'])], [['b'], []]);
  });
  it('the changed process under a new name, where a newer one has its name', () => {
    const reached = [there('b', run('new', { startedAtMs: 200_000 })), there('b-old', run('b'))];
    assert.deepEqual(met([entry('b')], reached), {
      met: [['b', 'b-old']],
      restarted: [],
      missing: [],
    });
  });
  it('a process of another set, or of one that is not reported, is not the member, started anew', () => {
    const late = run('new', { startedAtMs: 200_000 });
    for (const setId of ['another', null])
      assert.deepEqual(met([entry('b')], [there('b', late, setId)]).missing, ['b']);
    const old = { ...entry('b'), group: { id: 'g', member: 'b' } };
    assert.deepEqual(met([old], [there('b', late, null)]).missing, ['b']);
  });
  it('one that has a place in the set, or may be a silent one of a new name, may have its change', () => {
    const known = { ...entry('b'), group: { id: 'g', member: 'b', members: ['b', 'c'] } };
    const lost = new Error('Lost.');
    const kept = (/** @type {[string, Error | null][]} */ ...asked) =>
      mayKeep(
        known,
        asked.map(([host, error]) => ({ host, error })),
      );
    assert.deepEqual(
      [
        kept(['b', lost]),
        kept(['b', null]),
        kept(['c', null], ['b-new', lost]),
        kept(['c', lost], ['d', null]),
        kept(),
      ],
      [true, true, true, false, false],
    );
  });
  it('says why nothing is taken back', () => {
    const asked = (/** @type {string} */ host, /** @type {Error | null} */ error = null) => ({
      host,
      error,
    });
    assert.deepEqual(
      [
        missingWords(entry('b'), [asked('b', new Error('Lost.'))]),
        missingWords(entry('b'), [asked('b', new Error('Lost.'))], { isRedo: true }),
        missingWords(entry('b'), [asked('b', new TuneError('TUNE-20005', 'Not here.'))]).split(
          ' [',
        )[0],
        missingWords(entry('b'), [asked('b')]),
        missingWords({ ...entry('b'), group: { id: 'g', member: 'b', members: ['b', 'c'] } }, [
          asked('b'),
          asked('c', new Error('Lost.')),
          asked('d', new Error('Lost.')),
        ]),
        missingWords(entry('b'), [asked('c')]),
        missingWords(entry('b'), [asked('c', new Error('Lost.'))]),
      ],
      [
        'b does not answer, so its change stays until you run this again: Lost.',
        'b does not answer, so the undo stays there until you run this again: Lost.',
        'b refuses this login, so its change stays until you run this again:',
        'Another process now answers at b, and it is not certain that it is the same member after ' +
          'a restart. Nothing is undone there; its change stays in the journal.',
        'Another process now answers at b, and it is not certain that it is the same member after ' +
          'a restart. Nothing is undone there; its change stays in the journal. If b is now d, ' +
          'which does not answer, run this again.',
        'b is no longer a member, so nothing is undone there.',
        'b is no longer a member, so nothing is undone there. If it is c, which does not ' +
          'answer, run this again.',
      ],
    );
  });
});
