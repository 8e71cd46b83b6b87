'use strict';

const assert = require('node:assert/strict');
const { DEFECTS, defectsOf, defectsOfRelease } = require('../../../lib/defects/pure/defects');
const { countSignatures } = require('../../../lib/defects/pure/evidence');
const { versionNumber } = require('../../../lib/base/pure/version');
const { renderDefects } = require('../../../lib/defects/pure/defects-text');
const { CASES, RSTL } = require('../../support/defect-cases');

const MIN_ENTRIES = 25;

/** @param {string} version @param {{ values?: object, log?: string[] }} seen */
const look = (version, { values = {}, log }) =>
  defectsOf({ version, values, logSignatures: log === undefined ? null : countSignatures(log) });
/** @param {ReturnType<typeof look>} answer */
const tickets = ({ found }) => found.map(({ ticket }) => ticket);

describe('known defects', () => {
  it(`are at least ${MIN_ENTRIES}, each once, each with a case`, () => {
    const all = DEFECTS.map(({ ticket }) => ticket);
    assert.ok(all.length >= MIN_ENTRIES, String(all.length));
    assert.equal(new Set(all).size, all.length);
    assert.deepEqual(Object.keys(CASES).sort(), all.toSorted());
  });

  for (const defect of DEFECTS) {
    const { ticket, ranges, source } = defect;
    const { version, fixed, without, ...seen } = CASES[ticket];
    describe(ticket, () => {
      it('is found where release and mark are there, with its evidence', () => {
        const one = look(version, seen).found.find((each) => each.ticket === ticket);
        assert.ok(one, 'not found');
        assert.ok(one.evidence.length > 0 && one.evidence.every(({ value }) => value !== null));
        assert.equal(one.url, `https://jira.mongodb.org/browse/${ticket}`);
        assert.equal(one.source, source);
        assert.ok(one.fixedIn === null || versionNumber(one.fixedIn) > versionNumber(version));
      });
      it('is not found in a release without it', () => {
        assert.ok(!tickets(look(fixed, seen)).includes(ticket));
        assert.ok(!defectsOfRelease(fixed).includes(defect));
      });
      it('is not found without its mark', () => {
        const answer = look(version, without);
        assert.ok(!tickets(answer).includes(ticket));
      });
      it('is undecided, and says what is missing, where nothing is known', () => {
        const { undecided } = look(version, {});
        const one = undecided.find((each) => each.ticket === ticket);
        assert.ok(one !== undefined && one.missing.length > 0);
      });
      it('has ranges that end after they begin, each within one series or to the next', () => {
        for (const { from, fixed: end } of ranges) {
          assert.ok(defectsOfRelease(from).includes(defect), from);
          if (end === null) continue;
          assert.ok(versionNumber(end) > versionNumber(from), `${from} to ${end}`);
          assert.ok(!defectsOfRelease(end).includes(defect), `${end} is fixed`);
        }
      });
    });
  }

  it('without a release nothing is said', () => {
    const nothing = { found: [], absent: [], undecided: [] };
    for (const version of [null, '', 'unknown', 'v8'])
      assert.deepEqual(defectsOf({ version, values: {}, logSignatures: {} }), nothing);
  });
  it('of a release with a suffix the numbers count', () => {
    const values = { 'zlib.isAccepted': 1 };
    for (const version of ['6.0.5-4', '6.0.26', '6.0.5-rc1'])
      assert.ok(tickets(look(version, { values })).includes('SERVER-115508'), version);
    assert.deepEqual(tickets(look('6.0.27-21', { values })), []);
  });
  it('the severest comes first', () => {
    const { found } = look('6.0.5', {
      values: { 'zlib.isAccepted': 1, 'backup.cursorOpen': 1, 'window.longestGapSeconds': 9 },
    });
    assert.deepEqual(
      found.map(({ status }) => status),
      ['critical', 'warning', 'info'],
    );
  });
  it('one of several signatures is enough, and a false one leaves the others open', () => {
    assert.ok(tickets(look('6.0.5', { log: [RSTL] })).includes('SERVER-75205'));
    const { undecided, absent } = look('6.0.5', { values: { 'tickets.readEmptyShare': 0 } });
    assert.deepEqual(
      undecided.find(({ ticket }) => ticket === 'SERVER-75205'),
      { ticket: 'SERVER-75205', missing: ['log.rstl-timeout'] },
    );
    assert.ok(!absent.includes('SERVER-75205'));
  });
  it('a release before and after all of them has none', () => {
    for (const version of ['4.2.6', '3.6.8', '99.0.0'])
      assert.deepEqual(defectsOfRelease(version), []);
  });
});

describe('the first line of tune.defects()', () => {
  const NONE = { found: [], absent: [], undecided: [], notes: [], upgradeTo: null };
  const line = (/** @type {object} */ data) =>
    renderDefects(/** @type {any} */ ({ host: 'h:1', ...NONE, ...data }), (one) => one);

  it('says that the release is not known, or that there is nothing to look for', () => {
    assert.match(line({ version: null }), /not known: the server does not report its release/);
    assert.match(line({ version: '9.9.9' }), /tune knows no defect of this release/);
    const absent = { version: '6.0.5', absent: ['WT-1'] };
    assert.match(line(absent), /no sign of a known defect of this release/);
    const undecided = [{ ticket: 'WT-2', missing: [] }];
    assert.match(line({ ...absent, undecided }), /no sign of a known defect in what could be read/);
  });
});
