'use strict';

const assert = require('node:assert/strict');
const { sleep } = require('../../../lib/base/context');
const { TuneError } = require('../../../lib/base/pure/errors');
const { interruptible } = require('../../../lib/shell/interrupt');
const { fakeState, fakeStream, pressCtrlC } = require('../../support/fake-shell');

const pause = (ms) =>
  new Promise((resolve) => {
    setTimeout(resolve, ms);
  });
const untilAborted = (signal) => sleep(5000, signal).catch(() => {});
const INTERRUPTED = { name: 'MongoshInterruptedError' };

/** A job that answers `value` as soon as it is interrupted. */
const job = (more = {}) => ({
  changes: false,
  shownBy: 'tune.history()',
  goesOn: false,
  giveUp() {},
  run: async (signal) => untilAborted(signal).then(() => ({ seen: 7 })),
  ...more,
});

describe('shell/interrupt: without an interrupt', () => {
  it('answers what the command answers', async () => {
    assert.equal(await interruptible(fakeState(), fakeStream(), job({ run: async () => 7 })), 7);
  });
  it('fails as the command fails', async () => {
    await assert.rejects(
      interruptible(
        fakeState(),
        fakeStream(),
        job({
          run: async () => {
            throw new TypeError('x');
          },
        }),
      ),
      TypeError,
    );
  });
  it('leaves no handler behind', async () => {
    const state = fakeState();
    await interruptible(state, fakeStream(), job({ run: async () => 7 }));
    assert.equal(state.interrupted.onInterruptListeners.size, 0);
  });
});

describe('shell/interrupt: at the prompt', () => {
  it('prints what was seen, ends the line, and is over before mongosh goes on', async () => {
    const [state, stdout] = [fakeState(), fakeStream()];
    const line = interruptible(state, stdout, job());
    const rejected = assert.rejects(line, INTERRUPTED);
    await pressCtrlC(state);
    assert.equal(stdout.text, '\n{ seen: 7 }\nIt is kept as tune.last.\n');
    await rejected;
  });

  it('is silent when a command that only reads has nothing to show', async () => {
    for (const run of [
      untilAborted,
      async (signal) => {
        await untilAborted(signal);
        throw new TuneError('TUNE-30009', 'Interrupted.');
      },
    ]) {
      const [state, stdout] = [fakeState(), fakeStream()];
      const rejected = assert.rejects(interruptible(state, stdout, job({ run })), INTERRUPTED);
      await pressCtrlC(state);
      assert.equal(stdout.text, '\n');
      await rejected;
    }
  });

  it('prints what became of a change', async () => {
    const [state, stdout] = [fakeState(), fakeStream()];
    const run = async (signal) => {
      await untilAborted(signal);
      throw new TuneError('TUNE-30005', 'Taken back.');
    };
    const rejected = assert.rejects(
      interruptible(state, stdout, job({ run, changes: true })),
      INTERRUPTED,
    );
    await pressCtrlC(state);
    assert.match(stdout.text, /^\n\[TUNE-30005\] Taken back\./);
    await rejected;
  });

  it(
    'lets the line have the value when Ctrl-C is the ordinary end, but the line cannot run ' +
      'another command',
    async () => {
      const [state, stdout] = [fakeState(), fakeStream()];
      const second = [];
      const line = interruptible(state, stdout, job({ goesOn: true })).then(async (value) => {
        await assert.rejects(
          interruptible(
            state,
            stdout,
            job({
              run: async () => {
                second.push('ran');
              },
            }),
          ),
          INTERRUPTED,
        );
        return value;
      });
      await pressCtrlC(state);
      assert.deepEqual(await line, { seen: 7 });
      assert.deepEqual(second, []);
      assert.equal(state.interrupted.onInterruptListeners.size, 0);
    },
  );

  it('draws the prompt again, which mongosh wrote while it was between connections', async () => {
    const [state, stdout] = [fakeState(), fakeStream({ isTTY: true })];
    const drawn = new Promise((resolve) => {
      stdout.once('resize', resolve);
    });
    const line = interruptible(state, stdout, job({ goesOn: true }));
    await pressCtrlC(state);
    await Promise.all([line, drawn]);
  });

  it('gives up a command that does not stop, within a second', async () => {
    const [state, stdout] = [fakeState(), fakeStream()];
    let givenUp = 0;
    const rejected = assert.rejects(
      interruptible(
        state,
        stdout,
        job({
          run: () => pause(3000),
          giveUp() {
            givenUp += 1;
          },
        }),
      ),
      INTERRUPTED,
    );
    const before = Date.now();
    await pressCtrlC(state);
    assert.ok(Date.now() - before < 2500, `${Date.now() - before} ms of 3000`);
    assert.equal(givenUp, 1);
    await rejected;
  });

  it('waits for a change, says so after a second, and a second Ctrl-C ends the waiting', async () => {
    const [state, stdout] = [fakeState(), fakeStream()];
    const listeners = process.listenerCount('SIGINT');
    let givenUp = 0;
    const rejected = assert.rejects(
      interruptible(
        state,
        stdout,
        job({
          run: () => pause(3000),
          changes: true,
          giveUp() {
            givenUp += 1;
          },
        }),
      ),
      INTERRUPTED,
    );
    const pressed = pressCtrlC(state);
    await pause(1200);
    assert.match(stdout.text, /Ctrl-C again stops that/);
    assert.equal(givenUp, 0);
    process.rawListeners('SIGINT').at(-1).call(process);
    await pressed;
    assert.equal(givenUp, 1);
    assert.match(stdout.text, /tune\.history\(\) shows what became of it/);
    assert.equal(process.listenerCount('SIGINT'), listeners);
    await rejected;
  });

  it('names what shows what became of such a change, where that is not the history of settings', async () => {
    const [state, stdout] = [fakeState(), fakeStream()];
    const rejected = assert.rejects(
      interruptible(
        state,
        stdout,
        job({ run: () => new Promise(() => {}), changes: true, shownBy: 'tune.split.status()' }),
      ),
      INTERRUPTED,
    );
    const pressed = pressCtrlC(state);
    await pause(10);
    const again = process.rawListeners('SIGINT').at(-1);
    again.call(process);
    assert.match(stdout.text, /Ctrl-C again stops that/);
    again.call(process);
    await pressed;
    assert.equal(
      stdout.text.split('\n').slice(2).join('\n'),
      'tune: the server has not answered yet; tune.split.status() shows what became of it.\n',
    );
    await rejected;
  });
});

describe('shell/interrupt: a second Ctrl-C', () => {
  it('counts only after it was said what it does, and what the command leaves is still said', async () => {
    const [state, stdout] = [fakeState(), fakeStream()];
    /** @type {() => void} */
    let shut = () => {};
    const cut = new Promise((_, reject) => {
      shut = () => setTimeout(reject, 300, new Error('tune.undo("an id") restores it'));
    });
    let givenUp = 0;
    const giveUp = () => {
      givenUp += 1;
      shut();
    };
    const rejected = assert.rejects(
      interruptible(state, stdout, job({ run: () => cut, changes: true, giveUp })),
      INTERRUPTED,
    );
    const pressed = pressCtrlC(state);
    await pause(10);
    const again = process.rawListeners('SIGINT').at(-1);
    again.call(process);
    await pause(10);
    assert.equal(givenUp, 0);
    again.call(process);
    await pause(10);
    assert.equal(process.rawListeners('SIGINT').at(-1), again, 'one more does not end the shell');
    again.call(process);
    await pressed;
    assert.equal(givenUp, 1);
    assert.match(stdout.text, /tune\.undo\("an id"\) restores it/);
    assert.doesNotMatch(stdout.text, /not answered/);
    assert.equal(process.rawListeners('SIGINT').includes(again), false);
    await rejected;
  });
});

describe('shell/interrupt: in a script', () => {
  it(
    'never lets the script go on, and holds up the closing of the connections until the ' +
      'command has stopped',
    async () => {
      const state = fakeState({ isInteractive: false });
      const order = [];
      const run = async (signal) => {
        await untilAborted(signal);
        await pause(100);
        order.push('stopped');
      };
      let settled = false;
      interruptible(state, fakeStream(), job({ run, goesOn: true })).finally(() => {
        settled = true;
      });
      const pressed = state.interrupted.set();
      // mongosh does not wait for its handlers here: it ends after this.
      await new Promise(setImmediate);
      const closed = state.close().then(() => order.push('closed'));
      await Promise.all([pressed, closed]);
      await pause(10);
      assert.deepEqual([order, state.closed, settled], [['stopped', 'closed'], 1, false]);
    },
  );

  it('whatever way mongosh takes to its end, it is held up until the command has stopped', async () => {
    const state = fakeState({ isInteractive: false });
    const order = [];
    state.evaluationListener.ioProvider = {
      close: async () => {
        order.push('program closed');
      },
    };
    const { exit } = process;
    process.exit = (code) => order.push(`ended with ${code}`);
    try {
      const ended = process.exit;
      interruptible(
        state,
        fakeStream(),
        job({
          run: async (signal) => {
            await untilAborted(signal);
            await pause(100);
            order.push('stopped');
          },
        }),
      );
      const pressed = state.interrupted.set();
      await new Promise(setImmediate);
      // 2.5.10 closes the program, 2.3.9 ends at once.
      const closed = state.evaluationListener.ioProvider.close();
      process.exit(1);
      assert.deepEqual(order, []);
      await Promise.all([pressed, closed]);
      await pause(10);
      assert.deepEqual(
        [order[0], order.slice(1).sort(), process.exit === ended],
        ['stopped', ['ended with 1', 'program closed'], true],
      );
    } finally {
      process.exit = exit;
    }
  });

  it('prints what was seen, but not into a JSON document', async () => {
    for (const [json, text] of [
      [undefined, /seen: 7/],
      ['relaxed', /^\n$/],
    ]) {
      const [state, stdout] = [fakeState({ isInteractive: false, json }), fakeStream()];
      interruptible(state, stdout, job());
      await state.interrupted.set();
      assert.match(stdout.text, text);
    }
  });
});

describe('shell/interrupt: in a script of mongosh 2.0 to 2.2, which would run on', () => {
  /** @param {object} more */
  const script = (more) => {
    const state = fakeState({ isInteractive: false });
    /** @type {number[]} */ const codes = [];
    Object.assign(
      state.evaluationListener,
      {
        onExit: async (/** @type {number} */ code) => {
          codes.push(code);
        },
      },
      more,
    );
    return { state, codes };
  };

  it('ends the shell with 1 once the command has said what it saw', async () => {
    const { state, codes } = script({ runtimeState: () => ({ repl: {} }) });
    const stdout = fakeStream();
    interruptible(state, stdout, job());
    await pressCtrlC(state);
    assert.deepEqual(codes, [1]);
    assert.match(stdout.text, /seen: 7/);
  });
  for (const [what, more] of /** @type {[string, object][]} */ ([
    ['a newer one, which ends by itself', { runtimeState: () => ({ repl: undefined }) }],
    ['one that does not report', {}],
  ])) {
    it(`leaves ${what} alone`, async () => {
      const { state, codes } = script(more);
      interruptible(state, fakeStream(), job());
      await pressCtrlC(state);
      assert.deepEqual(codes, []);
    });
  }
});
