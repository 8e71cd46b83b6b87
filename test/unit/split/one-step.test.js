'use strict';

const assert = require('node:assert/strict');
const { checkMayStep } = require('../../../lib/split/rehearsal');
const { runAtomicStep } = require('../../../lib/split/atomic-step');
const { stepsOf } = require('../../support/split-steps');
const { workOf, failed, NONE } = require('./kit');

const NOW = new Date(1_000_000);
const PLACE = Object.freeze({ db: 'app', name: 'c' });
const WAITS = Object.freeze({ waitingForLock: true, opid: 7, ns: 'admin.$cmd' });

/**
 * A server that carries a step out as soon as its transaction is committed.
 * @param {{ answer?(spec: any): void, running?(comment: string): any[] }} [of] `answer` throws;
 *   `running`: what $currentOp shows
 */
function serverOf({
  answer = () => {},
  running = (comment) => [{ ...WAITS, command: { comment } }],
} = {}) {
  const state = {
    done: false,
    sent: /** @type {any[]} */ ([]),
    granted: /** @type {string[]} */ ([]),
    killed: /** @type {any[]} */ ([]),
    comment: '',
  };
  /** @type {() => void} */ let letGo = () => {};
  const command = async (/** @type {string} */ _db, /** @type {any} */ spec) => {
    if (spec.hello) return { localTime: NOW };
    if (spec.listIndexes || spec.listCollections) return NONE;
    if (spec.aggregate) return { cursor: { firstBatch: running(state.comment) } };
    if (spec.killOp) {
      state.killed.push(spec.op);
      letGo();
      return { ok: 1 };
    }
    if (!spec.applyOps) return { ok: 1 };
    // Asked once: whether this user may name the buckets of time series.
    if (!spec.comment && /system\.buckets/.test(JSON.stringify(spec))) return { ok: 1 };
    state.sent.push(spec);
    answer(spec);
    if (!spec.comment) return { ok: 1 };
    state.comment = spec.comment;
    const killedBefore = state.killed.length;
    await new Promise((resolve) => {
      letGo = () => resolve(undefined);
    });
    if (state.killed.length > killedBefore) throw failed(11601);
    state.done = true;
    return { ok: 1 };
  };
  const transaction = () => ({
    session: { id: 1 },
    command: async (/** @type {string} */ _db, /** @type {any} */ spec) => {
      state.granted.push(Object.keys(spec)[0]);
      return { n: 1 };
    },
    commit: async () => letGo(),
    abort: async () => undefined,
  });
  const job = workOf({ command, transaction });
  job.split.permit = null;
  const step = {
    place: PLACE,
    touches: [PLACE],
    isDone: async () => state.done,
    operations: async () => [
      { op: 'c', ns: 'app.$cmd', o: { renameCollection: 'app.c', to: 'app.d' } },
    ],
  };
  return { state, job, step };
}

describe('split: one step of several commands', () => {
  it(
    'the lock is tried for with its own time, and only then the step is sent, each operation ' +
      'by itself, the permit first, that it is done last',
    async () => {
      const { state, job, step } = serverOf();
      await runAtomicStep(job, /** @type {any} */ (step));
      assert.deepEqual(
        state.sent.map(({ maxTimeMS, applyOps }) => [
          maxTimeMS,
          applyOps.length,
          applyOps.every((/** @type {any} */ { o }) => o.applyOps.length === 1),
        ]),
        [
          [500, 1, true],
          [3_000, 5, true],
        ],
      );
      const { id } = job.split.permit;
      assert.deepEqual(stepsOf(state.sent[1]), [
        { _id: `${id} begins`, permit: id },
        { _id: `${id} begins` },
        { _id: `${id} used`, permit: id },
        { renameCollection: 'app.c', to: 'app.d' },
        { _id: `${id} done`, permit: `${id} done` },
      ]);
      assert.deepEqual(state.granted, ['delete']);
    },
  );
  it(
    'while the lock is not to be had the step is not sent; what happens meanwhile is brought ' +
      'over before the next try',
    async () => {
      let refused = 2;
      let brought = 0;
      const { state, job, step } = serverOf({
        answer: () => {
          if (refused > 0) {
            refused -= 1;
            throw failed(50);
          }
        },
      });
      await runAtomicStep(
        job,
        /** @type {any} */ ({
          ...step,
          meanwhile: async () => {
            brought += 1;
          },
        }),
      );
      assert.deepEqual(
        [state.sent.map(({ maxTimeMS }) => maxTimeMS), brought],
        [[500, 500, 500, 3_000], 2],
      );
    },
  );
  it('what was seen to be done and is not any more is prepared before it is done again', async () => {
    let brought = 0;
    const { state, job, step } = serverOf();
    state.done = true;
    // Another primary, which does not have it.
    job.save = async (/** @type {any} */ changes) => {
      if (brought === 0) state.done = false;
      Object.assign(job.split, changes);
    };
    const meanwhile = async () => void (brought += 1);
    await runAtomicStep(job, /** @type {any} */ ({ ...step, meanwhile }));
    assert.deepEqual([state.sent.length, brought], [2, 1]);
  });
  it(
    'what was brought over too long ago by the clock of the server is brought over again ' +
      'before the step is let go',
    async () => {
      let brought = 0;
      const { state, job, step } = serverOf({});
      job.freshAtMs = NOW.getTime() - 5_000;
      await runAtomicStep(
        job,
        /** @type {any} */ ({
          ...step,
          meanwhile: async () => {
            brought += 1;
            job.freshAtMs = NOW.getTime();
          },
        }),
      );
      assert.deepEqual([brought, state.granted.length, state.done], [1, 2, true]);
    },
  );
  for (const [code, isCertain] of /** @type {[number, boolean][]} */ ([
    [11_000, false],
    [11_601, false],
    [26, true],
  ]))
    it(`answered with ${code}, a step ${isCertain ? 'was not done' : 'may have been done'}`, async () => {
      let isFirst = true;
      let refused = 0;
      const { job, step } = serverOf({
        answer: ({ comment }) => {
          const fails = Boolean(comment) && isFirst;
          isFirst &&= !comment;
          if (fails) throw failed(code);
        },
      });
      const told = {
        ...step,
        refused: () => {
          refused += 1;
        },
      };
      await runAtomicStep(job, /** @type {any} */ (told));
      assert.equal(refused, isCertain ? 1 : 0);
    });

  it('a release that says that there is nothing to rename has had the lock, too', async () => {
    const { state, job, step } = serverOf({
      answer: (spec) => {
        if (!spec.comment) throw failed(26);
      },
    });
    await runAtomicStep(job, /** @type {any} */ (step));
    assert.ok(state.done);
  });
  it('an error of another kind is no reason to try again', async () => {
    const { state, job, step } = serverOf({
      answer: (spec) => {
        if (spec.comment) throw failed(13);
      },
    });
    await assert.rejects(runAtomicStep(job, /** @type {any} */ (step)), { code: 13 });
    assert.equal(state.sent.length, 2);
  });
  it('an index that is being built: the step is ended before it is let go', async () => {
    const build = { opid: 8, ns: 'app.$cmd', command: { createIndexes: 'c' } };
    const { state, job, step } = serverOf({
      running: (comment) => [{ ...WAITS, command: { comment } }, build],
    });
    await assert.rejects(runAtomicStep(job, /** @type {any} */ (step)), { code: 'TUNE-35016' });
    assert.deepEqual([state.killed, state.done], [[7], false]);
  });
  for (const [what, other] of [
    ['a rename', { ns: 'admin.$cmd', command: { renameCollection: 'app.c' } }],
    ['a change of an option', { ns: 'app.c', command: { collMod: 'c' } }],
    ['a build', { ns: 'app.$cmd', command: { createIndexes: 'c' } }],
    ['something of another name, on the collection', { ns: 'app.c', command: { comment: '' } }],
  ])
    it(`${what} of another that waits would come first: the step is ended, and tried again`, async () => {
      let attempts = 0;
      const { state, job, step } = serverOf({
        running: (comment) => {
          attempts += 1;
          return [
            { ...WAITS, command: { comment } },
            ...(attempts === 1 ? [{ opid: 8, waitingForLock: true, ...other }] : []),
          ];
        },
      });
      await runAtomicStep(job, /** @type {any} */ (step));
      assert.deepEqual([state.killed, attempts, state.done], [[7], 2, true]);
    });
  it('a changed collection: the step is not sent', async () => {
    const { state, job, step } = serverOf();
    const pinned = async () => [{ ...PLACE, uuid: 'aa' }];
    let tries = 0;
    const isDone = async () => {
      tries += 1;
      if (tries === 3) throw failed(26);
      return false;
    };
    await assert.rejects(runAtomicStep(job, /** @type {any} */ ({ ...step, pinned, isDone })), {
      code: 26,
    });
    assert.ok(state.sent.every(({ comment }) => !comment));
  });
  it('a build of a collection of the same name in another database is none of it', async () => {
    const { state, job, step } = serverOf({
      running: (comment) => [
        { ...WAITS, command: { comment } },
        { opid: 8, ns: 'other.$cmd', command: { createIndexes: 'c' } },
      ],
    });
    await runAtomicStep(job, /** @type {any} */ (step));
    assert.ok(state.done);
  });
  it('missing privileges and mongos are refused', async () => {
    const ask = (/** @type {number | null} */ code) =>
      checkMayStep(
        /** @type {any} */ ({
          adminCommand: async () => {
            if (code) throw failed(code);
            return { ok: 1 };
          },
        }),
        'app',
      );
    await assert.rejects(
      ask(13),
      (error) =>
        error.code === 'TUNE-20005' &&
        /readWrite and dbAdmin on app; applyOps, useUUID and inprog on the cluster/.test(
          error.message,
        ),
    );
    await assert.rejects(ask(59), { code: 'TUNE-20003' });
    for (const code of [null, 26, 50]) await ask(code);
    let asked;
    await checkMayStep(
      /** @type {any} */ ({
        adminCommand: async (/** @type {any} */ command) => {
          asked = command;
        },
      }),
      'app',
    );
    assert.equal(asked?.maxTimeMS, 500, 'behind a wait for this lock the whole server waits');
  });
});
