'use strict';

/** A call whose answer was lost arrives after later calls, and the log no longer reaches back. */
const assert = require('node:assert/strict');
const { entriesOf, sendsOf } = require('../../../lib/change/pure/journal');
const { makeTimeline } = require('../../../lib/change/pure/timeline');
const { othersSince } = require('../../../lib/change/pure/later-changes');
const { pendingCall } = require('../../../lib/change/pure/pending-call');

const RUN = { host: 'h', pid: 1, processId: 'p', startedAtMs: 0 };
const T = 1e12;
const at = new Date(T).toISOString();
const KNOWN = { config: 'eviction_target=80', id: null };
const LINE = { atMs: T - 9e6, config: 'eviction_target=80' };
const CHANGE = { evictionThreadsMax: 8, evictionTarget: 75 };
const [FIRST, LATE, UNDO, BACK] = [
  'eviction=(threads_max=8)  ',
  'eviction_target=75   ',
  'eviction=(threads_max=4)    ',
  'eviction_target=80   ',
];

/** @param {object} more @returns {any} */
const intent = (more) => ({
  kind: 'intent',
  format: 1,
  at,
  host: 'h',
  version: '6.0.5',
  run: RUN,
  writerPid: 1,
  was: KNOWN.config,
  known: [KNOWN],
  logged: LINE,
  undoes: null,
  ...more,
});
const E1 = intent({
  id: 'e1',
  atMs: T,
  readFromMs: T - 50,
  action: 'apply',
  change: CHANGE,
  before: { evictionThreadsMax: 4, evictionTarget: 80 },
  commands: [FIRST, LATE],
});
/** @param {string} id @param {number} ms @param {string} command */
const asking = (id, ms, command) => ({ kind: 'asking', id, atMs: T + ms, command });
/** @param {string} id @param {number} ms @param {string} command @param {string} was */
const sent = (id, ms, command, was) => [
  asking(id, ms, command),
  { kind: 'sent', id, atMs: T + ms, command, was, answeredAtMs: T + ms + 8 },
];
/** @param {string} id @param {string} outcome */
const closed = (id, outcome) => ({
  kind: 'outcome',
  id,
  at,
  outcome,
  after: null,
  verified: null,
  reason: null,
});

const CHANGE_AND_UNDO = [
  E1,
  ...sent('e1', 100, FIRST, KNOWN.config),
  asking('e1', 300, LATE),
  closed('e1', 'unknown'),
  intent({
    id: 'u',
    atMs: T + 20_000,
    readFromMs: T + 19_900,
    action: 'undo',
    undoes: 'e1',
    unsettled: true,
    change: { evictionThreadsMax: 4 },
    before: { evictionThreadsMax: 8 },
    commands: [UNDO],
    was: FIRST,
    known: [KNOWN, { config: FIRST, id: 'e1' }],
    logged: { atMs: T + 104, config: FIRST },
  }),
  ...sent('u', 20_100, UNDO, FIRST),
  closed('u', 'applied'),
];
const TRIAL = [
  { ...E1, action: 'trial' },
  asking('e1', 100, LATE),
  ...sent('e1', 3000, BACK, KNOWN.config),
  closed('e1', 'unknown'),
];
/** @param {number} ms @param {string} config */
const line = (ms, config) => ({ atMs: T + ms, config, ok: true });

for (const [what, journal, sets, rolled] of /** @type {[string, any[], any[], string][]} */ ([
  [
    'a change of two calls and its undo',
    CHANGE_AND_UNDO,
    [line(104, FIRST), line(20_104, UNDO), line(60_000, LATE)],
    `80 ${FIRST.trim()}!e1 ${UNDO.trim()}!u`,
  ],
  ['a trial', TRIAL, [line(3004, BACK), line(60_000, LATE)], '80 80!e1'],
]))
  describe(`change/pure/timeline: a call arrives late, after ${what}`, () => {
    const entries = entriesOf(journal);
    const sends = sendsOf(entries, RUN);
    /** @param {object} log @param {any[]} [own] */
    const read = (log, own = sends) => {
      const { events } = makeTimeline(
        { sets: [], logFromMs: T, logWhole: false, lastString: LATE, ...log },
        own,
      );
      return {
        text: events
          .map((one) =>
            one.kind === 'gap'
              ? '-'
              : `${one.config.trim()}${one.id ? `!${one.id}` : ''}`.replace('eviction_target=', ''),
          )
          .join(' '),
        overwritten: othersSince(events, { ...entries[0], change: CHANGE }).overwritten,
        pending: pendingCall(entries[0], events, T + 61_000),
      };
    };
    for (const [name, log, gap] of /** @type {[string, object, string][]} */ ([
      ['is whole', { sets: [{ ...LINE, ok: true }, ...sets], logWhole: true }, ''],
      ['reaches back to the change', { sets: [{ ...LINE, ok: true }, ...sets] }, ''],
      ['has that call alone', { sets: sets.slice(-1), logFromMs: T + 40_000 }, '- '],
      ['has nothing of it', { sets: [], logFromMs: T + 90_000 }, '- '],
    ]))
      it(`it is of its change, where the log ${name}`, () =>
        assert.deepEqual(read(log), {
          text: `${rolled} ${gap}75!e1`,
          overwritten: [],
          pending: null,
        }));

    for (const [what, blanks] of Object.entries({
      'without blanks': '',
      'with a single blank': ' ',
    }))
      it(`${what}, and without its time, it may be another session’s, as any gap`, () => {
        const late = LATE.trim() + blanks;
        const plain = (/** @type {any} */ one) =>
          JSON.parse(JSON.stringify(one).replaceAll(LATE, late));
        const own = sendsOf(entriesOf(plain(journal)), RUN);
        const log = { sets: [], logFromMs: T + 90_000, lastString: late };
        assert.match(read(log, own).text, /- 75$/);
      });
    it('the same string a second time is another session’s', () => {
      const twice = [...sets, line(70_000, LATE)];
      assert.match(read({ sets: [{ ...LINE, ok: true }, ...twice] }).text, / 75!e1 75$/);
    });
    it('so is one that had arrived before the later change', () => {
      const last = sends.findLastIndex(({ known }) => known);
      const own = sends.map((send, i) =>
        i === last ? { ...send, known: [...(send.known ?? []), { config: LATE, id: 'e1' }] } : send,
      );
      assert.match(read({ sets: sets.slice(-1), logFromMs: T + 40_000 }, own).text, / 75$/);
    });
    it('what was sent again after a refusal is of whoever had set it', () => {
      const own = sends.map((send) =>
        send.sure ? send : { ...send, again: /** @type {const} */ (true) },
      );
      assert.match(read({ sets: [], logFromMs: T + 90_000 }, own).text, / - 75$/);
    });
  });
