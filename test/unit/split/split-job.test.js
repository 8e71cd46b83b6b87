'use strict';

const assert = require('node:assert/strict');
const { TuneError } = require('../../../lib/base/pure/errors');
const { SplitJob } = require('../../../lib/split/split-job');

const SILENT = Object.assign(new Error('connect ECONNREFUSED 127.0.0.1:1'), {
  name: 'MongoNetworkError',
});
const RAN_OUT = new TuneError('TUNE-35003', 'The lease of the split p:app.c ran out.');

/** @param {number} checks how often the lease is still held @param {TuneError} [ranOut] */
function workWith(checks, ranOut = RAN_OUT) {
  let left = checks;
  const lease = {
    owner: 'o',
    release: async () => undefined,
    check: () => {
      left -= 1;
      if (left < 0) throw ranOut;
    },
  };
  const ctx = { port: {}, signal: new AbortController().signal, progress: () => undefined };
  return new SplitJob(
    /** @type {any} */ (ctx),
    /** @type {any} */ ({ planId: 'p', alone: true, source: 'app.c', phase: 'copying' }),
    lease,
  );
}

describe('split: work under a lease', () => {
  it('is tried again while the server is silent', async () => {
    let tries = 0;
    assert.equal(
      await workWith(9).again(async () => {
        tries += 1;
        if (tries < 3) throw SILENT;
        return 'done';
      }),
      'done',
    );
  });

  it('whatever the driver calls a connection that is lost', async () => {
    // As the driver builds it when its monitor had no answer in time.
    const { PoolClearedOnNetworkError } = require('mongodb/lib/cmap/errors');
    let tries = 0;
    assert.equal(
      await workWith(9).again(async () => {
        tries += 1;
        if (tries < 2) throw new PoolClearedOnNetworkError({ address: '127.0.0.1:1' });
        return tries;
      }),
      2,
    );
  });

  it('ends with what the server did, not with the lease that ran out meanwhile', async () => {
    await assert.rejects(
      workWith(2).again(async () => {
        throw SILENT;
      }),
      (error) =>
        error.code === 'TUNE-20006' &&
        error.cause === SILENT &&
        /The split of app\.c stopped \(copying\).*ECONNREFUSED.*tune\.split\.resume\("p", \{ confirm: true \}\) continues/.test(
          error.message,
        ),
    );
  });

  it('nor with the lease that could not be renewed, whoever met the silence', async () => {
    const job = workWith(
      0,
      new TuneError('TUNE-35003', 'The lease of the split p:app.c ran out.', { cause: SILENT }),
    );
    const isSilence = (error) =>
      error.code === 'TUNE-20006' && error.cause === SILENT && /ECONNREFUSED/.test(error.message);
    await assert.rejects(
      job.again(async () => 'done'),
      isSilence,
    );
    assert.throws(() => job.throwIfInterrupted(), isSilence);
  });

  it('ends with the lease where the server had answered', async () => {
    await assert.rejects(
      workWith(0).again(async () => 'done'),
      RAN_OUT,
    );
  });

  it('ends at once with a fault that does not pass', async () => {
    const fault = Object.assign(new Error('no'), { code: 2 });
    await assert.rejects(
      workWith(9).again(async () => {
        throw fault;
      }),
      fault,
    );
  });
});
