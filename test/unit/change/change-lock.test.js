'use strict';

const assert = require('node:assert/strict');
const { writeLine, readLines } = require('../../../lib/change/journal');
const {
  refuseBusyServer,
  refuseSecond,
  markInProgress,
} = require('../../../lib/change/change-lock');
const { ownWriter } = require('../../../lib/change/writer');
const { entriesOf } = require('../../../lib/change/pure/journal');
const { temporaryFolder } = require('../../support/cleanup');

const RUN = { host: 'h:1', processId: 'p1', pid: 7, startedAtMs: 1000 };
const BUSY = { code: 'TUNE-30010' };
/** Of a process that runs. @param {string} id @param {object} [more] @returns {any} */
const intent = (id, more = {}) => ({
  kind: 'intent',
  id,
  at: '2026-01-01T10:11:12.000Z',
  atMs: 100,
  action: 'apply',
  undoes: null,
  host: 'h:1',
  version: '6.0.5',
  run: RUN,
  change: { evictionTarget: 70 },
  before: { evictionTarget: 80 },
  commands: ['eviction_target=70'],
  was: '',
  writerPid: process.ppid,
  writer: { ...ownWriter(), startedTicks: null },
  ...more,
});

describe('change/change-lock', () => {
  /** @type {{ path: string, remove(): void }} */ let home;
  beforeEach(() => {
    home = temporaryFolder('home');
  });
  afterEach(() => home.remove());
  const outcomes = () => entriesOf(readLines(home.path).lines).map(({ outcome }) => outcome);

  it('of two that begin at the same moment the first in the journal goes on', () => {
    writeLine(home.path, intent('a'));
    writeLine(home.path, intent('b'));
    refuseSecond(home.path, RUN, { id: 'a' });
    assert.throws(() => refuseSecond(home.path, RUN, { id: 'b' }), BUSY);
    assert.deepEqual(outcomes(), ['unknown', 'refused']);
    writeLine(home.path, intent('c'));
    refuseSecond(home.path, RUN, { id: 'c', force: true });
    assert.deepEqual(outcomes(), ['unknown', 'refused', 'unknown']);
  });
  it('one whose line was lost goes on only where no other shell is at work', () => {
    refuseSecond(home.path, RUN, { id: 'lost' });
    writeLine(home.path, intent('a'));
    assert.throws(() => refuseSecond(home.path, RUN, { id: 'lost' }), BUSY);
    refuseSecond(home.path, { ...RUN, processId: 'p0' }, { id: 'lost' });
    assert.deepEqual(outcomes(), ['unknown']);
  });
  it('a writer on another run, or one that has ended, blocks no change', () => {
    const refuses = (more = {}) => refuseBusyServer(home.path, RUN, more);
    writeLine(home.path, intent('other', { run: { ...RUN, processId: 'p0' } }));
    refuses();
    writeLine(home.path, intent('own', { writerPid: process.pid, writer: ownWriter() }));
    refuses();
    const letGo = markInProgress('own');
    assert.throws(refuses, BUSY);
    letGo();
    writeLine(home.path, intent('a'));
    assert.throws(refuses, BUSY);
    refuses({ force: true });
    const closing = { after: null, verified: null, reason: 'the connection was lost' };
    writeLine(home.path, { kind: 'outcome', id: 'a', at: 'x', outcome: 'unknown', ...closing });
    refuses();
  });
});
