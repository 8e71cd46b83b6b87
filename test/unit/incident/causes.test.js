'use strict';

const assert = require('node:assert/strict');
const { incidentOf, MAX_EVENTS } = require('../../../lib/incident/pure/incident');
const { bundleOf } = require('../../../lib/incident/pure/bundle');
const { renderIncident, renderWholeIncident } = require('../../../lib/incident/pure/incident-text');
const { EventList } = require('../../../lib/incident/pure/event-list');
const { CODES, countedLabels, labelOf } = require('../../../lib/incident/pure/event-codes');
const { EDGES, REFUTATIONS } = require('../../../lib/incident/pure/cause-table');
const { event, loweredTrigger, readOf, HOST, NIGHT_MS } = require('../../support/incident-events');

const { NEXT } = require('../../../lib/incident/pure/follow-up');
const { showIncident } = require('../../../lib/report/pure/html/parts/incident');

/** @import { RawEvent } from '../../../lib/incident/types' */

const plain = (/** @type {string} */ text) => text;
/** @param {RawEvent[]} events @param {object} [more] */
function told(events, more) {
  const made = incidentOf(readOf(events, more));
  const codeOf = (/** @type {string | null} */ id) =>
    made.events.find((one) => one.id === id)?.code ?? null;
  return {
    made,
    first: codeOf(made.firstCause),
    chain: made.chain.map(({ event: id }) => codeOf(id)),
  };
}
/** What the page of an incident says. @param {any} made */
function pageOf(made) {
  const { lead, before, after } = showIncident(made, '');
  return [lead, ...before, ...after]
    .map((one) => String(one?.body ?? one))
    .join(' ')
    .replace(/<[^>]*>/g, ' ')
    .replace(/\s+/g, ' ');
}
const other = { host: 'db2:27018' };

describe('the table of causes', () => {
  it('has codes that exist alone', () => {
    const named = [
      ...Object.keys(EDGES),
      ...Object.keys(REFUTATIONS),
      ...Object.values(EDGES)
        .flat()
        .flatMap(({ to }) => to),
    ];
    assert.deepEqual(
      named.filter((code) => !(code in CODES)),
      [],
    );
  });
  it('every code has words for a sentence, the same on the screen, the page and in a bundle', () => {
    assert.deepEqual(
      Object.keys(CODES).filter((code) => !/ |^swapping$/.test(labelOf(code))),
      [],
    );
    const events = ['latency-up', 'parameter-set', 'latency-up', 'stall'].map((code) => ({ code }));
    assert.equal(countedLabels(events), 'slower operations (2), a changed parameter, a stall');
    assert.equal(countedLabels(events, 1), 'slower operations (2), and 2 more kinds');
    assert.equal(countedLabels([]), '');
    const night = loweredTrigger();
    const { made } = told(night);
    const names = countedLabels(made.events);
    assert.match(renderIncident(made, plain), /^EVENTS {7}4: a changed parameter, blocked/m);
    assert.ok(pageOf(made).includes(`${names}.`));
    const { holds } = bundleOf(
      { ...readOf(night), members: [] },
      { names: false, atMs: NIGHT_MS, version: '1' },
    );
    assert.equal(holds[0], `4 events: ${names}.`);
  });
  it('every code of a chain has a next step', () => {
    const chain = Object.keys(CODES).filter((code) => CODES[code].role !== 'context');
    assert.deepEqual(Object.keys(NEXT).sort(), chain.sort());
    for (const [code, text] of Object.entries(NEXT))
      assert.match(text, /^[A-Z].{20,130}[.?]$/, code);
  });
  it('every code has a sentence, without any value too', () => {
    for (const [code, { say }] of Object.entries(CODES)) {
      assert.match(say({}), /^[A-Z?a-z].*\.$/, code);
      assert.doesNotMatch(say({}), /undefined|NaN|null/, code);
    }
  });
});

describe('the first cause', () => {
  it('a setting, and what followed it in order', () => {
    const { made, first, chain } = told(loweredTrigger());
    assert.equal(made.verdict, 'incident');
    assert.equal(first, 'parameter-set');
    assert.deepEqual(chain, ['parameter-set', 'clients-blocked', 'latency-up', 'slow-burst']);
    assert.equal(made.confidence, 'high');
    assert.equal(made.chain[1].delaySeconds, 4);
    assert.match(String(made.next), /^1\. Revert evictionDirtyTrigger: tune\.drift\(\)/);
    assert.match(renderIncident(made, plain), /NEXT {9}1\. Revert evictionDirtyTrigger/);
    assert.match(pageOf(made), /Next: 1\. Revert/);
    assert.equal(told([]).made.next, null);
    assert.ok(made.refutedBy.length > 0);
  });
  it('a parameter of the log level is no cause: the first sign stands for it', () => {
    const [set, ...rest] = loweredTrigger();
    const { made, first } = told([
      { ...set, values: { parameter: 'logLevel', from: '0', to: '1' } },
      ...rest,
    ]);
    assert.equal(made.verdict, 'incident');
    assert.notEqual(first, 'parameter-set');
    assert.equal(made.confidence, 'low');
    assert.match(made.because, /cause is not known/);
  });
  for (const [
    what,
    events,
    first,
    chain,
  ] of /** @type {[string, RawEvent[], string, string[]][]} */ ([
    [
      'a kill of the kernel',
      [
        event('kernel-oom-kill', 100, {
          source: 'kernel',
          host: 'db1',
          values: { process: 'mongod', pid: 5, cgroup: null, rssBytes: null },
        }),
        event('process-died', 100, { seconds: 30, values: { downSeconds: 30 } }),
        event('process-unclean-start', 131),
        event('election-started', 111, {
          ...other,
          values: { reason: 'no-primary', timeoutMs: 10_000 },
        }),
      ],
      'kernel-oom-kill',
      ['process-died', 'election-started', 'process-unclean-start'],
    ],
    [
      'a full disk',
      [
        event('disk-full', 10, { values: { file: 'a.wt' } }),
        event('process-fatal', 10, { values: { assertion: 50853 } }),
        event('process-died', 11, { seconds: 60, values: { downSeconds: 60 } }),
        event('process-unclean-start', 72),
      ],
      'disk-full',
      ['process-fatal', 'process-died', 'process-unclean-start'],
    ],
    [
      'a machine that went down',
      [
        event('process-died', 0, { seconds: 200, values: { downSeconds: 200 } }),
        event('kernel-boot', 150, { source: 'kernel', host: null }),
        event('process-unclean-start', 201),
      ],
      'kernel-boot',
      ['process-died', 'process-unclean-start'],
    ],
    [
      'a frozen primary',
      [
        event('sample-gap', 100, { seconds: 14, source: 'ftdc', values: { seconds: 14 } }),
        event('election-started', 111, {
          ...other,
          values: { reason: 'no-primary', timeoutMs: 10_000 },
        }),
        event('stepped-down', 115, { values: { reason: 'a new term has begun' } }),
        event('member-down', 113, { ...other, values: { member: HOST, reason: 'timeout' } }),
      ],
      'sample-gap',
      ['election-started', 'member-down', 'stepped-down'],
    ],
    [
      'a build, not the dump that was over',
      [
        event('dump-client', 0, {
          seconds: 60,
          values: { application: 'mongodump', durationMs: 60_000 },
        }),
        event('index-build', 100, {
          seconds: 60,
          values: { ns: 'a.b', index: 'x_1', durationMs: 60_000 },
        }),
        event('clients-blocked', 105, {
          seconds: 50,
          source: 'ftdc',
          values: { threads: 5, usual: 0 },
        }),
        event('latency-up', 106, {
          seconds: 50,
          source: 'ftdc',
          values: { latencyMs: 500, usualMs: 2 },
        }),
      ],
      'index-build',
      ['clients-blocked', 'latency-up'],
    ],
    [
      'a disk that does not answer, with all members that report the one as down once',
      [
        event('journal-slow', 100, {
          seconds: 30,
          source: 'ftdc',
          values: { syncMs: 4000, usualMs: 5 },
        }),
        event('latency-up', 101, {
          seconds: 30,
          source: 'ftdc',
          values: { latencyMs: 4000, usualMs: 2 },
        }),
        event('slow-burst', 104, {
          values: { operations: 90, ns: 'a.b', command: 'update', plan: null, maxMs: 4000 },
        }),
      ],
      'journal-slow',
      ['latency-up', 'slow-burst'],
    ],
    [
      'a frozen secondary, which two members report as down',
      [
        event('sample-gap', 100, { seconds: 40, source: 'ftdc', values: { seconds: 40 } }),
        event('member-down', 110, { ...other, values: { member: HOST, reason: 'no response' } }),
        event('member-down', 111, {
          host: 'db3:27019',
          values: { member: HOST, reason: 'timed out' },
        }),
        event('majority-lag', 112, { ...other, seconds: 30, values: { seconds: 25 } }),
      ],
      'sample-gap',
      ['majority-lag', 'member-down'],
    ],
    [
      'a start with a long recovery',
      [
        event('process-died', 0, { seconds: 10, values: { downSeconds: 10 } }),
        event('process-unclean-start', 10),
        event('recovery-long', 10.5, { seconds: 60, values: { durationMs: 60_000 } }),
      ],
      'process-died',
      ['process-unclean-start', 'recovery-long'],
    ],
    [
      'a TTL that was set, and the deletes that it caused',
      [
        event('ttl-set', 0, { values: { ns: 'o', index: 'old', afterSeconds: 60 } }),
        event('ttl-burst', 70, { seconds: 2, source: 'ftdc', values: { perSec: 9000, usual: 0 } }),
        event('clients-blocked', 40, {
          seconds: 30,
          source: 'ftdc',
          values: { threads: 9, usual: 0 },
        }),
        event('latency-up', 41, {
          seconds: 30,
          source: 'ftdc',
          values: { latencyMs: 900, usualMs: 2 },
        }),
      ],
      'ttl-set',
      ['clients-blocked', 'latency-up', 'ttl-burst'],
    ],
    [
      'a clock that was set back',
      [
        event('clock-jump', 50, { seconds: 300, source: 'ftdc', values: { seconds: 300 } }),
        event('election-started', 60, {
          ...other,
          values: { reason: 'no-primary', timeoutMs: 10_000 },
        }),
      ],
      'clock-jump',
      ['election-started'],
    ],
    [
      'no build that was over long before what it would have caused',
      [
        event('index-build', 0, {
          seconds: 2,
          values: { ns: 'a.b', index: 'x_1', durationMs: 2000 },
        }),
        event('clients-blocked', 6, {
          seconds: 50,
          source: 'ftdc',
          values: { threads: 9, usual: 0 },
        }),
        event('latency-up', 7, {
          seconds: 50,
          source: 'ftdc',
          values: { latencyMs: 900, usualMs: 2 },
        }),
      ],
      'clients-blocked',
      ['latency-up'],
    ],
    [
      'connections first, slow operations behind them',
      [
        event('connections-up', 100, {
          seconds: 60,
          source: 'ftdc',
          values: { connections: 900, usual: 20, perSec: 300 },
        }),
        event('latency-up', 103, {
          seconds: 50,
          source: 'ftdc',
          values: { latencyMs: 500, usualMs: 2 },
        }),
        event('slow-burst', 104, {
          seconds: 60,
          values: { operations: 100, ns: 'a.b', command: 'find', plan: null, maxMs: 900 },
        }),
      ],
      'connections-up',
      ['latency-up', 'slow-burst'],
    ],
  ]))
    it(what, () => {
      const found = told(events);
      assert.equal(found.first, first);
      assert.deepEqual(found.chain.slice(1), chain);
    });
  it('a kill of another process is no cause', () => {
    const { made } = told([
      event('kernel-oom-kill', 5, {
        source: 'kernel',
        host: 'db1',
        values: { process: 'java', pid: 3 },
      }),
    ]);
    assert.equal(made.verdict, 'nothing-unusual');
  });
  it('two that explain the same make it uncertain, and the other is named', () => {
    const { made } = told([
      ...loweredTrigger(),
      event('index-build', 598, {
        seconds: 100,
        values: { ns: 'a.b', index: 'x_1', durationMs: 100_000 },
      }),
    ]);
    assert.equal(made.confidence, 'medium');
    assert.equal(made.alternatives.length, 1);
  });
  it('a consequence that comes late makes it uncertain', () => {
    const [set, blocked, latency] = loweredTrigger();
    const late = [blocked, latency].map((one) => ({ ...one, fromMs: one.fromMs + 100_000 }));
    const { made } = told([
      set,
      ...late,
      event('stall', 705, { seconds: 5, source: 'ftdc', values: { seconds: 5 } }),
    ]);
    assert.equal(made.confidence, 'medium');
    assert.match(String(made.confidenceBecause), /first consequence came/);
  });
  it('what no log names is known by counters only', () => {
    const { made } = told(
      loweredTrigger()
        .slice(1)
        .concat(
          event('load-up', 598, {
            seconds: 100,
            source: 'ftdc',
            values: { perSec: 9000, usual: 900 },
          }),
        ),
    );
    assert.match(String(made.confidenceBecause), /counters only/);
  });
});

/** A primary that was frozen, and all members shut down later. */
const frozenThenShutDown = () => [
  event('sample-gap', 100, { seconds: 14, source: 'ftdc', values: { seconds: 14 } }),
  event('election-started', 111, { ...other, values: { reason: 'no-primary', timeoutMs: 10_000 } }),
  event('process-signal', 160, { values: { signal: 15 } }),
  event('process-signal', 161, { ...other, values: { signal: 15 } }),
  event('load-down', 159, {
    ...other,
    seconds: 8,
    source: 'ftdc',
    values: { perSec: 0, usual: 90 },
  }),
  event('election-started', 172, { ...other, values: { reason: 'no-primary', timeoutMs: 10_000 } }),
  event('member-down', 162, { ...other, values: { member: HOST, reason: 'refused' } }),
];
const SET = { hosts: [HOST, other.host] };

describe('the reasons', () => {
  const gap = event('sample-gap', 100, { seconds: 14, source: 'ftdc', values: { seconds: 14 } });
  const build = event('index-build', 600, { seconds: 99, values: { ns: 'a.b', index: 'x' } });
  const felt = loweredTrigger().slice(1);
  it('a confidence has its reason, high too', () => {
    const { made } = told(loweredTrigger());
    assert.match(String(made.confidenceBecause), /^A log names it, its first consequence came 4 s/);
    const alone = told([event('process-died', 5)]).made;
    assert.equal(
      alone.confidenceBecause,
      'A log names it, and no other event explains nearly as much.',
    );
  });
  it('the refuter says what was looked for', () => {
    assert.equal(told([gap]).made.checked, 'none among the events of the 5,000 lines read');
    assert.match(renderIncident(told([gap]).made, plain), /Checked/);
    assert.match(pageOf(told([gap]).made), /Checked: none among the events/);
    const line = event('parameter-set', 107, { values: { parameter: 'a' } });
    assert.match(
      String(told([gap, line]).made.checked),
      /^1 among .* a changed parameter at 03:01:47/,
    );
    assert.equal(told([{ ...gap, host: other.host }]).made.checked, null);
    assert.equal(told([event('process-died', 5)]).made.checked, 'no log of the kernel was read');
    assert.equal(told([build, ...felt]).made.checked, 'none from 03:00:00 until it began');
    assert.equal(told([build, ...felt], { sources: [] }).made.checked, null);
  });
  it('and a log of the kernel that was read', () => {
    const [source] = readOf([]).sources;
    const { made } = told([event('process-died', 5)], {
      sources: [source, { ...source, kind: 'kernel', host: null, read: 80 }],
    });
    assert.equal(made.checked, "none among the 80 lines of the kernel's log");
  });
});

describe('delays', () => {
  it('agree with the times that are shown, and name the number of their cause', () => {
    const [set, blocked, latency, slow] = loweredTrigger();
    const made = told([
      { ...set, fromMs: set.fromMs + 900 },
      { ...blocked, fromMs: blocked.fromMs + 100 },
      { ...latency, fromMs: latency.fromMs + 990 },
      slow,
    ]).made;
    assert.match(pageOf(made), /2 2026-11-25 03:10:04 4 s after 1/);
    assert.doesNotMatch(pageOf(made), /(?:s after|noticed with) its cause/);
  });
  it('of a cause that repeats itself count from the one in the chain', () => {
    const [set, blocked, latency] = loweredTrigger();
    const again = [
      { ...blocked, fromMs: blocked.fromMs + 130_000, toMs: Number(blocked.toMs) + 130_000 },
      event('load-down', 800, { seconds: 9, source: 'ftdc', values: { perSec: 0, usual: 900 } }),
    ];
    const { made } = told([set, blocked, latency, ...again]);
    const inChain = new Set(made.chain.map(({ event: id }) => id));
    assert.ok(made.chain.slice(1).every(({ from }) => inChain.has(String(from))));
    assert.match(pageOf(made), /load|Operations fell/);
    assert.doesNotMatch(pageOf(made), / after 0/);
  });
  it('the mean and the maximum are not mixed up', () => {
    const { made } = told(loweredTrigger());
    const texts = made.events.map(({ message }) => message).join(' ');
    assert.match(texts, /Up to 6\.2 application threads were blocked/);
    assert.doesNotMatch(texts, /on average/);
  });
});

describe('where and how long', () => {
  const screenOf = (/** @type {any} */ made) => renderIncident(made, plain).replace(/\s+/g, ' ');
  it('names the server and its role where there is more than one', () => {
    const changed = event('state-changed', 700, { values: { from: 'PRIMARY', to: 'SECONDARY' } });
    const { made } = told([...loweredTrigger(), changed], SET);
    assert.equal(made.role, 'PRIMARY');
    assert.match(screenOf(made), /began 2026-11-25 03:10:00 UTC on db1:27017 \(primary\) with/);
    assert.match(made.because, /UTC on db1:27017 \(primary\): /);
    const alone = told(loweredTrigger()).made;
    assert.doesNotMatch(screenOf(alone), / on db1/);
  });
  it('the role is the last one before it, or that of the samples', () => {
    const won = event('election-won', 5, { values: { term: 1 } });
    const seen = event('member-state', 6, {
      ...other,
      values: { member: HOST, state: 'SECONDARY' },
    });
    assert.equal(told([...loweredTrigger(), won], SET).made.role, 'PRIMARY');
    assert.equal(told([...loweredTrigger(), won, seen], SET).made.role, 'SECONDARY');
    const rows = {
      length: 2,
      everyMs: 0,
      atMs: [NIGHT_MS, NIGHT_MS + 5e6],
      columns: { state: [2, 1] },
    };
    const of = (/** @type {object} */ member) =>
      told(loweredTrigger(), { ...SET, members: [{ member }] }).made.role;
    assert.equal(of({ host: HOST, rows }), 'SECONDARY');
    assert.equal(of({ host: HOST }), null);
    assert.equal(of({ host: null, rows }), null);
  });
  it('the end of what was read is not the end of the trouble', () => {
    const [source] = readOf([]).sources;
    const { made } = told(loweredTrigger(), {
      sources: [{ ...source, to: new Date(NIGHT_MS + 732_000) }],
    });
    assert.equal(made.lastSignIs, 'end-of-data');
    assert.match(screenOf(made), /what was read ends there, and it may have gone on/);
    const other = told(loweredTrigger(), { sources: [{ ...source, host: null }] }).made;
    assert.equal(other.lastSignIs, 'end');
    assert.equal(told([]).made.lastSignIs, null);
  });
  it('nor is a shutdown', () => {
    const { made } = told([
      ...loweredTrigger(),
      event('process-signal', 731, { values: { signal: 15 } }),
    ]);
    assert.equal(made.lastSignIs, 'shutdown');
    assert.match(screenOf(made), /2 min 10 s later: the server\s+was shut down within\s+seconds/);
  });
  it('the page says the same', () => {
    const shut = event('process-signal', 731, { values: { signal: 15 } });
    const page = pageOf(told([...loweredTrigger(), shut], SET).made);
    assert.match(page, /Began: 2026-11-25 03:10:00 UTC on db1:27017/);
    assert.match(
      page,
      /Last sign of it: 2026-11-25 03:12:10 UTC: the server was shut down within seconds of it/,
    );
    assert.match(page, /At 03:12:11 db1:27017 was shut down/);
  });
});

describe('an orderly shutdown', () => {
  it('owns what follows it, and stands in a line of its own', () => {
    const { made, first, chain } = told(frozenThenShutDown(), SET);
    assert.equal(first, 'sample-gap');
    assert.deepEqual(chain, ['sample-gap', 'election-started']);
    assert.equal(made.lastSignAt?.getTime(), NIGHT_MS + 114_000);
    assert.doesNotMatch(made.notes.join(), /not explained/);
    const screen = renderIncident(made, plain).replace(/\s+/g, ' ');
    assert.match(screen, /At 03:02:40 all servers were shut down \(signal 15\)\./);
  });
  it('two of them, several notes and a long chain fit on one screen', () => {
    const [gap, election, signal, second, , , down] = frozenThenShutDown();
    const early = {
      ...down,
      fromMs: NIGHT_MS + 113_000,
      values: { member: HOST, reason: 'x'.repeat(90) },
    };
    const late = { ...signal, fromMs: signal.fromMs + 900_000 };
    const { made } = told(
      [gap, election, early, signal, late, { ...second, fromMs: late.fromMs }],
      { ...SET, notes: ['one '.repeat(40), 'two', 'three'] },
    );
    const lines = renderIncident(made, plain).split('\n');
    assert.ok(lines.length <= 24, String(lines.length));
    assert.match(lines.join('\n'), /At 03:17:40 all servers/);
  });
  it('of one member owns what that one shows, and what others see of it', () => {
    const [gap, election, signal, , load, , down] = frozenThenShutDown();
    const { made, chain } = told(
      [gap, election, signal, { ...load, host: HOST }, down, event('process-signal', 900)],
      SET,
    );
    assert.deepEqual(chain, ['sample-gap', 'election-started']);
    assert.deepEqual(
      made.shutdowns.map(({ isAll, hosts }) => [isAll, hosts]),
      [
        [false, [HOST]],
        [false, [HOST]],
      ],
    );
    assert.match(made.shutdowns[0].message, /db1:27017 was shut down/);
  });
  it('does not outweigh trouble before it, whose cause is not known', () => {
    const { made, first } = told([
      event('latency-up', 20, {
        seconds: 9,
        source: 'ftdc',
        values: { latencyMs: 900, usualMs: 2 },
      }),
      event('clients-blocked', 21, {
        seconds: 9,
        source: 'ftdc',
        values: { threads: 9, usual: 0 },
      }),
      event('process-shutdown-command', 200),
      event('load-down', 201, { seconds: 9, source: 'ftdc', values: { perSec: 0, usual: 90 } }),
      event('process-restarted', 202, { seconds: 20, values: { downSeconds: 20 } }),
    ]);
    assert.equal(first, 'latency-up');
    assert.match(made.shutdowns[0].message, /the server was shut down \(command shutdown\)/);
  });
  it('alone is what happened: the chain has it', () => {
    const { made, first } = told(
      frozenThenShutDown().filter(({ fromMs }) => fromMs >= NIGHT_MS + 150_000),
      SET,
    );
    assert.equal(first, 'process-signal');
    assert.doesNotMatch(renderIncident(made, plain), /SHUTDOWN/);
  });
  it('ends with the next start: later trouble is trouble', () => {
    const { first } = told([
      event('process-signal', 10, { values: { signal: 15 } }),
      event('process-started', 20, { values: { pid: 2, version: null } }),
      event('member-down', 500, { values: { member: other.host, reason: 'refused' } }),
      event('election-started', 505, { values: { reason: 'no-primary', timeoutMs: 10_000 } }),
    ]);
    assert.equal(first, 'member-down');
  });
});

describe('nothing unusual', () => {
  it('signs before the set had its first primary', () => {
    const start = [
      event('process-started', 0, { values: { pid: 1, version: null } }),
      event('member-down', 3, { values: { member: other.host, reason: 'refused' } }),
      event('majority-lag', 4, { seconds: 5, source: 'ftdc', values: { seconds: 11 } }),
      event('election-won', 15, { values: { term: 1 } }),
    ];
    assert.equal(told(start).made.verdict, 'nothing-unusual');
    assert.doesNotMatch(told([...start, ...loweredTrigger()]).made.notes.join(), /not explained/);
    // A set that ran before and has no primary is in trouble.
    const died = event('process-died', -5, { seconds: 5, values: { downSeconds: 5 } });
    assert.equal(told([died, ...start]).made.verdict, 'incident');
  });
  for (const [what, events] of /** @type {[string, RawEvent[]][]} */ ([
    ['nothing at all', []],
    ['a setting that nobody felt', loweredTrigger().slice(0, 1)],
    [
      'a build that nobody felt',
      [
        event('index-build', 10, {
          seconds: 30,
          values: { ns: 'a.b', index: 'x', durationMs: 30_000 },
        }),
      ],
    ],
    [
      'a few slow operations',
      [
        event('slow-burst', 10, {
          values: { operations: 12, ns: 'a.b', command: 'find', plan: null, maxMs: 200 },
        }),
      ],
    ],
    [
      'one second of latency',
      [
        event('latency-up', 10, {
          seconds: 3,
          source: 'ftdc',
          values: { latencyMs: 120, usualMs: 3 },
        }),
      ],
    ],
    [
      'the first election of a set that starts',
      [
        event('process-started', 0, { values: { pid: 1, version: null } }),
        event('election-started', 5, { values: { reason: 'no-primary', timeoutMs: 10_000 } }),
      ],
    ],
    [
      'an election that was planned',
      [
        event('election-started', 5, {
          values: { reason: 'a member with a higher priority takes over', timeoutMs: null },
        }),
      ],
    ],
  ]))
    it(what, () => assert.equal(told(events).made.verdict, 'nothing-unusual'));
  it('an election behind the first primary is an incident', () => {
    const { made } = told([
      event('process-started', 0, { values: { pid: 1, version: null } }),
      event('election-won', 5, { values: { term: 1 } }),
      event('election-started', 30, { values: { reason: 'no-primary', timeoutMs: 10_000 } }),
    ]);
    assert.equal(made.verdict, 'incident');
  });
  it('where nothing was read, that is said', () => {
    assert.equal(told([], { sources: [] }).made.verdict, 'unknown');
    assert.match(told([], { sources: [] }).made.because, /nothing that was read/);
    const late = told([], { range: { fromMs: NIGHT_MS + 9e6, toMs: NIGHT_MS + 9.1e6 } }).made;
    assert.equal(late.from, null);
  });
});

describe('events in bounded memory', () => {
  it('repetitions become a count', () => {
    const list = new EventList();
    for (let i = 0; i < 50; i++)
      list.add(event('kernel-io-error', i, { values: { device: 'sda' } }));
    list.add(event('kernel-io-error', 3, { values: { device: 'sdb' } }));
    assert.deepEqual(
      list.events.map(({ count }) => count),
      [50, 1],
    );
  });
  it('too many of a code are counted, and so is an unknown code', () => {
    const list = new EventList();
    for (let i = 0; i < 300; i++)
      list.add(event('parameter-set', i, { values: { parameter: `p${i}` } }));
    list.add(event('no-such-code', 0));
    assert.deepEqual([list.events.length, list.dropped], [200, 101]);
  });
  it('of too many events those of weight stay, and that is noted', () => {
    const many = Array.from({ length: 900 }, (_, i) =>
      event('member-state', i, { values: { member: `m${i}`, state: 'UP' } }),
    );
    const { made } = told([...many, ...loweredTrigger()]);
    assert.equal(made.events.length, MAX_EVENTS);
    assert.equal(made.verdict, 'incident');
    assert.match(made.notes.join(), /left out/);
  });
});

describe('two sources of one thing', () => {
  it('a death was after the last sample, where the log had been quiet before', () => {
    const death = event('process-died', 60, { seconds: 49, values: { downSeconds: 49 } });
    const restart = event('process-restarted', 100, {
      seconds: 12,
      source: 'ftdc',
      values: { downSeconds: 12 },
    });
    const [made] = told([death, restart]).made.events;
    assert.deepEqual([made.at.getTime(), made.values.downSeconds], [NIGHT_MS + 100_000, 9]);
    // Of another time, or before the last line: the log alone counts.
    for (const other of [
      { ...restart, fromMs: restart.fromMs - 50_000 },
      { ...restart, fromMs: restart.fromMs + 50_000, toMs: NIGHT_MS + 170_000 },
    ])
      assert.equal(
        told([death, other]).made.events.at(0)?.at.getTime(),
        told([death]).made.events[0].at.getTime(),
      );
  });
  it('the log names it, the samples are not told twice', () => {
    const { made } = told([
      event('process-died', 100, { seconds: 9, values: { downSeconds: 9 } }),
      event('process-restarted', 100, { seconds: 10, source: 'ftdc', values: { downSeconds: 10 } }),
      event('ttl-deleted', 100, {
        seconds: 9,
        values: { ns: 'a.b', index: 'x', deleted: 5, durationMs: 9000 },
      }),
      event('ttl-burst', 100, { seconds: 9, source: 'ftdc', values: { perSec: 900, usual: 0 } }),
    ]);
    assert.deepEqual(made.events.map(({ code }) => code).sort(), ['process-died', 'ttl-deleted']);
  });
  it('new connections of the log belong to the rise of the samples', () => {
    const { made } = told([
      event('connections-up', 102, {
        seconds: 60,
        source: 'ftdc',
        host: 'db1',
        values: { connections: 900, usual: 20, perSec: null },
      }),
      event('connections-up', 100, {
        seconds: 1,
        values: { connections: 400, usual: 20, perSec: 380 },
      }),
      event('connections-up', 900, {
        seconds: 1,
        values: { connections: 100, usual: 20, perSec: 80 },
      }),
    ]);
    assert.deepEqual(
      made.events.map(({ values }) => values.perSec),
      [380, 80],
    );
  });
  it("tune's own change is told once", () => {
    const { made } = told([
      ...loweredTrigger(),
      event('tune-changed', 599, {
        source: 'journal',
        values: { settings: 'evictionDirtyTrigger to 1' },
      }),
    ]);
    assert.ok(!made.events.some(({ code }) => code === 'parameter-set'));
    assert.equal(made.events.find(({ id }) => id === made.firstCause)?.code, 'tune-changed');
  });
});

describe('the screen of an incident', () => {
  const compared = {
    from: new Date(NIGHT_MS - 864e5),
    to: new Date(NIGHT_MS - 828e5),
    samples: { now: 3600, normal: 3600 },
    rows: [
      { metric: 'latencyMs', now: 40, normal: 2, ratio: 20, maxNow: 480, maxNormal: 9 },
      { metric: 'opsPerSec', now: null, normal: 2, ratio: null, maxNow: null, maxNormal: 9 },
      { metric: 'ttlPerSec', now: 0, normal: 0, ratio: null, maxNow: 0, maxNormal: 0 },
    ],
  };
  it('is one of 24 lines at 80 columns, the conclusion first', () => {
    const { made } = told(
      [
        ...loweredTrigger(),
        ...Array.from({ length: 20 }, (_, i) =>
          event('member-down', 610 + i * 100, {
            values: { member: `m${i}:1`, reason: 'x'.repeat(90) },
          }),
        ),
      ],
      {
        notes: ['one', 'two', 'three'],
        clocks: [{ of: 'b', against: 'a', aheadSeconds: -61, events: 2 }],
      },
    );
    const lines = renderIncident({ ...made, compared }, plain).split('\n');
    assert.ok(lines.length <= 24, String(lines.length));
    assert.match(lines[1], /^INCIDENT /);
    for (const line of lines) assert.ok(line.length <= 80, line);
    assert.match(lines.join('\n'), /more in \.notes/);
    const whole = renderWholeIncident({ ...made, compared }, plain);
    assert.match(whole, /TIMELINE/);
    assert.match(whole, /61 s behind a/);
  });
  it('a chain that is too long is counted', () => {
    const codes = [
      'disk-saturated',
      'dirty-high',
      'cache-full',
      'checkpoint-long',
      'memory-low',
      'swapping',
      'clients-blocked',
      'latency-up',
      'stall',
      'connections-up',
      'load-down',
      'slow-burst',
    ];
    const { made } = told([
      ...loweredTrigger().slice(0, 1),
      ...codes.map((code, i) =>
        event(code, 602 + i, {
          source: 'ftdc',
          seconds: 30,
          values: { ns: 'n'.repeat(60), device: 'd'.repeat(40) },
        }),
      ),
    ]);
    assert.match(renderIncident(made, plain), /and \d+ more/);
  });
  it('says how long it lasted, and which signs are left', () => {
    const { made } = told([
      event('stall', 10, { seconds: 3, source: 'ftdc', values: { seconds: 3 } }),
      ...loweredTrigger(),
    ]);
    assert.equal(made.lastSignAt?.getTime(), NIGHT_MS + 730_000);
    const screen = renderIncident(made, plain).replace(/\s+/g, ' ');
    assert.match(screen, /last sign 03:12:10, 2 min 10 s later/);
    assert.match(screen, /1 sign of trouble is not explained by it: a stall at 03:00:10\./);
    const died = told([event('process-died', 5)]).made;
    assert.doesNotMatch(renderIncident(died, plain), /last sign/);
  });
  it('more signs than a note names are counted', () => {
    const stalls = [1, 100, 200, 300].map((second) =>
      event('stall', second, { seconds: 3, source: 'ftdc', values: { seconds: 3 } }),
    );
    const late = loweredTrigger().map((one) => ({ ...one, fromMs: one.fromMs + 1e6 }));
    assert.match(told([...stalls, ...late]).made.notes.join(), /, and 1 more\./);
  });
  it('of nothing, it says so', () => {
    assert.match(renderIncident(told([], { sources: [] }).made, plain), /no time covered/);
    assert.match(renderIncident(told([], { sources: [] }).made, plain), /Unknown/);
    assert.match(
      renderWholeIncident(
        told([], {
          sources: [
            { kind: 'kernel', file: 'k', host: null, from: null, to: null, read: 0, garbled: 0 },
          ],
        }).made,
        plain,
      ),
      /READ/,
    );
  });
});
