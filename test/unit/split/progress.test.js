'use strict';

const assert = require('node:assert/strict');
const { withProgress } = require('../../../lib/split/progress');
const { SplitJob } = require('../../../lib/split/split-job');

const LOST = Object.assign(new Error('connection 3 to 127.0.0.1:1 closed'), {
  name: 'MongoNetworkError',
});
const ENDED = Object.assign(new Error('operation was interrupted'), {
  name: 'MongoServerError',
  code: 11601,
});

/**
 * @param {() => Promise<any>} [kill] what the search for own operations answers
 * @returns {{ job: SplitJob, interrupt(): void }}
 */
function jobWith(kill = async () => ({ cursor: { firstBatch: [] } })) {
  const interrupted = new AbortController();
  const port = { adminCommand: kill };
  const job = new SplitJob(
    /** @type {any} */ ({ port, signal: interrupted.signal, progress: () => undefined }),
    /** @type {any} */ ({ _id: 'p:app.c', source: 'app.c', into: { db: 'a', stagingName: 's' } }),
    /** @type {any} */ ({ owner: 'o', tookOver: false, check: () => undefined }),
  );
  return { job, interrupt: () => interrupted.abort() };
}

/** What ends only when it is told to. */
function held() {
  /** @type {(error: Error) => void} */ let fail = () => {};
  const command = new Promise((_, reject) => (fail = reject));
  return { command, fail };
}

const WAS_INTERRUPTED = { code: 'TUNE-30009' };

describe('split: a long command, and Ctrl-C', () => {
  it('was ended by the server: nothing of it can arrive any more', async () => {
    const { command, fail } = held();
    const { job, interrupt } = jobWith(async () => {
      fail(ENDED);
      return { cursor: { firstBatch: [] } };
    });
    interrupt();
    await assert.rejects(
      withProgress(job, command, async () => null),
      WAS_INTERRUPTED,
    );
    assert.equal(job.isQuiet, true);
  });

  it('whose answer was lost: its lease is not given back as if all were over', async () => {
    const { command, fail } = held();
    const { job, interrupt } = jobWith(async () => {
      fail(LOST);
      return { cursor: { firstBatch: [] } };
    });
    interrupt();
    await assert.rejects(
      job.write(() => withProgress(job, command, async () => null)),
      WAS_INTERRUPTED,
    );
    assert.equal(job.isQuiet, false);
  });

  it('which this shell could not end: the same', async () => {
    const notSent = Object.assign(new Error('no server'), { name: 'MongoServerSelectionError' });
    const { job, interrupt } = jobWith(async () => {
      throw notSent;
    });
    interrupt();
    await assert.rejects(
      job.write(() => withProgress(job, held().command, async () => null)),
      notSent,
    );
    assert.equal(job.isQuiet, false);
  });

  it('a write whose answer was lost counts, whoever meets the error', async () => {
    const { job } = jobWith();
    await job.write(() => Promise.reject(LOST)).catch(() => undefined);
    assert.equal(job.isQuiet, false);
    job.isCertain();
    await job.write(() => Promise.reject(ENDED)).catch(() => undefined);
    assert.equal(job.isQuiet, true);
  });
});
