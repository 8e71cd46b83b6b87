'use strict';

const assert = require('node:assert/strict');
const { confirmOption } = require('../../../lib/base/pure/command');
const { TuneError } = require('../../../lib/base/pure/errors');
const { bind } = require('../../../lib/shell/tune');
const { listed } = require('../../support/listed');

const SYNTHETIC = Symbol.for('@@mongosh.syntheticPromise');
const signal = new AbortController().signal;

function placeOf(more = {}) {
  const shown = [];
  return {
    shown,
    send: async () => ({ ok: 1 }),
    home: '/home/u',
    terminal: { isTTY: false, columns: 80, write() {} },
    progress: () => (text) => shown.push(text),
    guard: (job) => job.run(signal),
    ...more,
  };
}
const call = (command, place = placeOf(), remember = () => {}) =>
  bind(listed(command, { takes: ['text', 'text'] }), place, remember);

/** A call that may write. */
const confirmed = (command, place = placeOf()) =>
  bind(
    listed(command, {
      takes: ['options'],
      options: { confirm: confirmOption('nothing is done') },
      changes: 'settings',
    }),
    place,
    () => {},
  )({ confirm: true });

describe('shell/tune: a call', () => {
  it('returns a promise that mongosh awaits by itself', async () => {
    const promise = call(async () => 7)();
    assert.equal(promise[SYNTHETIC], true);
    assert.deepEqual(Object.keys(promise), []);
    assert.equal(await promise, 7);
  });

  it('hands over a context and the arguments', async () => {
    const place = placeOf();
    const seen = await call(async (ctx, ...args) => ({ ctx, args }), place)(1, 'b');
    assert.deepEqual(seen.args, [1, 'b']);
    assert.deepEqual(Object.keys(seen.ctx).sort(), [
      'call',
      'connect',
      'connection',
      'guarded',
      'home',
      'policy',
      'port',
      'progress',
      'reach',
      'signal',
      'terminal',
    ]);
    assert.equal(seen.ctx.signal, signal);
    assert.equal(seen.ctx.home, '/home/u');
    assert.deepEqual(await seen.ctx.port.adminCommand({ ping: 1 }), { ok: 1 });
  });

  it('says what to do instead where it needs one mongod and a mongos answers', async () => {
    const onMongos = 'connect to a member of the shard';
    const mongos = async () => {
      throw new TuneError('TUNE-20003', 'This is a mongos.');
    };
    const messageOf = (more) =>
      bind(listed(mongos, { takes: ['text'], ...more }), placeOf(), () => {})().catch(
        ({ code, message }) => `${code} ${message}`,
      );
    assert.match(
      await messageOf({ onMongos }),
      /TUNE-20003 .*is about one mongod, and this is a mongos: connect to a member of the shard\./,
    );
    assert.match(await messageOf({}), /TUNE-20003 .*This is a mongos\./);
  });

  it('refuses what it would drop, and does not begin', async () => {
    let ran = 0;
    const of = (takes, usage) =>
      bind(
        listed(
          async () => {
            ran += 1;
          },
          { takes, usage },
        ),
        placeOf(),
        () => {},
      );
    const said = (message) => ({
      code: 'TUNE-10002',
      message: `[TUNE-10002] ${message} Give a value of the kind named in the message.`,
    });
    await assert.rejects(
      of([], 'tune.x()')({ seconds: 1 }),
      said('tune.x takes no argument, as in tune.x(); an object is an extra argument.'),
    );
    await assert.rejects(
      of(['options'], 'tune.x({ a })')('ycsb-a', { confirm: true }),
      said(
        'tune.x takes one argument at most, as in tune.x({ a }); an object is an extra argument.',
      ),
    );
    await assert.rejects(
      of(['change', 'options'], 'tune.x(change, { a })')({}, undefined, 3),
      said(
        'tune.x takes two arguments at most, as in tune.x(change, { a }); 3 is an extra argument.',
      ),
    );
    assert.equal(ran, 0);
    await of(['options'], 'tune.x({ a })')({}, undefined);
    assert.equal(ran, 1);
  });

  it('loads the command only when it is called', async () => {
    let loaded = 0;
    const one = listed(async () => 1);
    const command = bind(
      {
        ...one,
        load() {
          loaded += 1;
          return one.load();
        },
      },
      placeOf(),
      () => {},
    );
    assert.equal(loaded, 0);
    await command();
    assert.equal(loaded, 1);
  });

  it('remembers answers, not failures', async () => {
    const answers = [];
    await call(
      async () => 7,
      placeOf(),
      (answer) => answers.push(answer),
    )();
    await assert.rejects(
      call(
        async () => {
          throw new TypeError('x');
        },
        placeOf(),
        (answer) => answers.push(answer),
      )(),
    );
    assert.deepEqual(answers, [7]);
  });

  it('takes the progress line away, also after a failure', async () => {
    for (const end of [
      async () => 7,
      async () => {
        throw new TypeError('x');
      },
    ]) {
      const place = placeOf();
      await call(async ({ progress }) => {
        progress('half');
        return end();
      }, place)().catch(() => {});
      assert.deepEqual(place.shown, ['half', null]);
    }
  });

  it('tells the job whether it changes the server and how it ends', async () => {
    const jobs = [];
    const place = placeOf({
      guard: async (job) => {
        jobs.push([job.changes, job.goesOn]);
      },
    });
    await bind(
      listed(async () => 1, { changes: 'settings' }),
      place,
      () => {},
    )();
    await bind(
      listed(async () => 1, { endsByInterrupt: true }),
      place,
      () => {},
    )();
    assert.deepEqual(jobs, [
      [true, false],
      [false, true],
    ]);
  });

  it('refuses to send for a job that was given up', async () => {
    const place = placeOf({
      guard: async (job) => {
        job.giveUp();
        return job.run(signal);
      },
    });
    await assert.rejects(call(async ({ port }) => port.adminCommand({ ping: 1 }), place)(), {
      code: 'TUNE-30009',
    });
  });
});

describe('shell/tune: connections that a job opens of its own', () => {
  /** @type {string[]} */ let sent;
  const opened = (/** @type {string} */ name) => ({
    port: /** @type {any} */ ({
      command: async (/** @type {string} */ database, /** @type {object} */ spec) =>
        sent.push(`${name} ${database} ${Object.keys(spec)[0]}`),
    }),
    close: async () => {},
    isLost: () => true,
  });
  beforeEach(() => {
    sent = [];
  });

  it('send nothing once it was given up, those that are opened later neither', async () => {
    /** @type {() => void} */ let giveUp = () => {};
    const place = placeOf({
      connect: async (/** @type {string} */ host) => opened(host),
      reach: async (/** @type {string} */ uri) => opened(uri),
      guard: async (/** @type {any} */ job) => {
        giveUp = job.giveUp;
        return job.run(signal);
      },
    });
    await call(async ({ connect, reach }) => {
      const all = [await connect('a:1'), await reach('mongodb://b/', 1)];
      assert.equal(all[0].isLost?.(), true);
      await all[0].port.adminCommand({ ping: 1 });
      await all[1].port.command('d', { find: 'c' });
      giveUp();
      all.push(await connect('c:1'));
      for (const { port } of all)
        await assert.rejects(port.adminCommand({ setParameter: 1 }), { code: 'TUNE-30009' });
    }, place)();
    assert.deepEqual(sent, ['a:1 admin ping', 'mongodb://b/ d find']);
  });
});

describe('shell/tune: errors of a call', () => {
  const unauthorized = Object.assign(new Error('not authorized'), {
    name: 'MongoServerError',
    code: 13,
    codeName: 'Unauthorized',
  });

  it('lets a TuneError pass as it is', async () => {
    const error = new TuneError('TUNE-10004', 'What?');
    await assert.rejects(
      call(async () => {
        throw error;
      })(),
      (thrown) => thrown === error,
    );
  });
  it('lets a defect pass as it is', async () => {
    const error = new TypeError('x is not a function');
    await assert.rejects(
      call(async () => {
        throw error;
      })(),
      (thrown) => thrown === error,
    );
  });
  it('words what the server said, by the command that failed', async () => {
    const place = placeOf({
      send: async () => {
        throw unauthorized;
      },
    });
    await assert.rejects(
      confirmed(async ({ port }) => port.adminCommand({ setParameter: 1 }), place),
      (error) => error.code === 'TUNE-20005' && /hostManager/.test(error.message),
    );
  });
  it('takes what the connection says after Ctrl-C for the interrupt, but no defect', async () => {
    const closed = Object.assign(new Error('Operation interrupted because client was closed'), {
      name: 'MongoClientClosedError',
    });
    const place = placeOf({
      guard: (job) => job.run(AbortSignal.abort()),
      send: async () => {
        throw closed;
      },
    });
    await assert.rejects(call(async ({ port }) => port.adminCommand({ ping: 1 }), place)(), {
      code: 'TUNE-30009',
    });
    await assert.rejects(
      call(async () => {
        throw new TypeError('x');
      }, place)(),
      TypeError,
    );
  });
});
