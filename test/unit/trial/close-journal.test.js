'use strict';

const assert = require('node:assert/strict');
const { closeJournal } = require('../../../lib/trial/close-journal');

/** What the journal gets of a trial that ended with A restored. @param {object} more */
function outcomeOf(more) {
  const closed = [];
  const changeRun = {
    id: 'x',
    lateCalls: [],
    unansweredCall: null,
    note: () => {},
    close: (line) => closed.push(line.outcome),
  };
  closeJournal(
    {
      changeRun,
      spec: { B: { cacheSizeGB: 2 } },
      externalSettings: {},
      activeSide: 'A',
      hasLateCall: false,
      ...more,
    },
    { verified: true, reason: 'r' },
  );
  return closed;
}

describe('trial/close-journal', () => {
  const restoreFailure = { say: 'the log no longer reaches back', force: true };

  it('A is restored: undone', () =>
    assert.deepEqual(outcomeOf({ restoreFailure: null }), ['undone']));
  it('a call that was given up arrived later, and the way back is blocked: unknown', () =>
    assert.deepEqual(outcomeOf({ restoreFailure, hasLateCall: true }), ['unknown']));
  it('blocked under B: unknown', () =>
    assert.deepEqual(outcomeOf({ restoreFailure, activeSide: 'B' }), ['unknown']));
  it('blocked with A restored, and nothing arrived: undone', () =>
    assert.deepEqual(outcomeOf({ restoreFailure }), ['undone']));
});
