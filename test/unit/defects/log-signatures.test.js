'use strict';

const assert = require('node:assert/strict');
const {
  LOG_SIGNATURES,
  countSignatures,
  signatureOf,
} = require('../../../lib/defects/pure/evidence');
const { CASES, UNCLEAN, line } = require('../../support/defect-cases');

describe('marks in the log', () => {
  it('are each found in a line of a case', () => {
    const lines = Object.values(CASES).flatMap(({ log = [] }) => log);
    const seen = Object.keys(countSignatures(lines));
    const unseen = Object.keys(LOG_SIGNATURES).filter((name) => !seen.includes(name));
    assert.deepEqual(unseen, ['rstl-timeout'], 'which has a test of its own');
  });
  it('go by the number that mongod wrote, not by what a client put into a line', () => {
    const forged = line(
      51803,
      'COMMAND',
      `"ctx":"conn1","msg":"Slow query","attr":{"command":{"comment":"\\"id\\":22271,"}}`,
    );
    assert.equal(signatureOf(forged), null);
    assert.equal(signatureOf(`x${UNCLEAN}`), null);
  });
  it('are counted, and a line that is cut, empty or no JSON is none', () => {
    assert.deepEqual(countSignatures([UNCLEAN, UNCLEAN, '', '{', UNCLEAN.slice(0, 40), 'plain']), {
      'unclean-start': 2,
    });
  });
  it('read the log of 8.0, which names the service before the thread', () => {
    assert.equal(signatureOf(UNCLEAN.replace('"ctx":', '"svc":"-", "ctx":')), 'unclean-start');
  });
});
