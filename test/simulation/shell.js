'use strict';

const { EPOCH_MS } = require('./loop');
const { roll } = require('./random');
const { STREAMS } = require('./streams');
const { rawOf } = require('./values');

/**
 * A shell of somebody: one process, with the real code of a split in it. It can be stopped
 * (SIGSTOP), go on, or be killed; what it had sent is on its way all the same.
 */
class Shell {
  /**
   * @param {any} sim
   * @param {any} slot
   * @param {{ number: number, host: string, pid: number, namespace: number }} who
   */
  constructor(sim, slot, { number, host, pid, namespace }) {
    Object.assign(this, {
      sim,
      slot,
      number,
      host,
      pid,
      namespace,
      isAlive: true,
      isPaused: false,
      sent: 0,
      ids: 0,
      sessions: 0,
      offsetMs: 0,
      running: null,
    });
    /** @type {(() => void)[]} */ this.backlog = [];
    /** @type {Set<any>} */ this.timers = new Set();
    this.startedAt = sim.loop.now;
    this.sleptMs = 0;
    slot.shell = this;
    this.interrupt = new AbortController();
  }

  /** What this computer believes. */
  clock() {
    return this.sim.loop.now + this.offsetMs;
  }

  monotonic() {
    return this.sim.loop.now - EPOCH_MS - this.sleptMs;
  }

  uuid() {
    this.ids += 1;
    const part = Math.floor(roll(this.sim.seed, STREAMS.ids + this.number, this.ids) * 2 ** 32)
      .toString(16)
      .padStart(8, '0');
    return `${part}-0000-4000-8000-${String(this.pid).padStart(12, '0')}`;
  }

  /** @param {number} pid whether a process of this computer, in this namespace, runs */
  sees(pid) {
    return this.sim.shells.some(
      (/** @type {any} */ other) =>
        other.isAlive &&
        other.host === this.host &&
        other.namespace === this.namespace &&
        other.pid === pid,
    );
  }

  /** What tells computers, starts of them and processes apart. @param {string} file */
  file(file) {
    if (file === '/proc/sys/kernel/random/boot_id') return `boot-${this.host}\n`;
    if (file === '/proc/self/ns/pid') return `pid:[${this.namespace}]`;
    const [, pid] = /^\/proc\/(\d+|self)\/stat$/.exec(file) ?? [];
    if (!pid) return undefined;
    const one =
      pid === 'self'
        ? this
        : this.sim.shells.find(
            (/** @type {any} */ other) =>
              other.isAlive &&
              other.host === this.host &&
              other.namespace === this.namespace &&
              other.pid === Number(pid),
          );
    if (!one) throw Object.assign(new Error('no such file'), { code: 'ENOENT' });
    return (
      `${one.pid} (mongosh) S ${Array.from({ length: 18 }, () => 0).join(' ')} ` +
      `${Math.round(one.startedAt - EPOCH_MS)}.${one.number} 0 0`
    );
  }

  /** @param {() => void} go what comes to this process from outside */
  deliver(go) {
    if (!this.isAlive) return;
    if (this.isPaused) return void this.backlog.push(go);
    this.sim.loop.woke = true;
    go();
  }

  /** @param {() => void} go @param {number} ms @param {boolean} isRepeated */
  timer(go, ms, isRepeated) {
    const { loop } = this.sim;
    // A timer of no time at all comes after a millisecond.
    const wait = Math.max(1, ms || 0);
    /** @type {any} */ const timer = {
      event: null,
      background: isRepeated,
      unref: () => timer,
      ref: () => timer,
      hasRef: () => true,
      refresh: () => timer,
      clear: () => {
        loop.cancel(timer.event);
        timer.event = null;
        timer.isOver = true;
        this.timers.delete(timer);
      },
    };
    const set = () => {
      timer.event = loop.after(
        wait,
        () =>
          this.deliver(() => {
            if (timer.isOver) return;
            if (isRepeated) set();
            else this.timers.delete(timer);
            go();
          }),
        isRepeated,
      );
    };
    this.timers.add(timer);
    set();
    return timer;
  }

  pause() {
    this.isPaused = true;
  }

  /** @param {number} [asleepMs] its computer slept too, so long */
  goOn(asleepMs = 0) {
    if (!this.isAlive || !this.isPaused) return;
    this.isPaused = false;
    this.offsetMs -= asleepMs;
    this.sleptMs += asleepMs;
    const { backlog } = this;
    this.backlog = [];
    for (const go of backlog) this.sim.loop.after(0, () => this.deliver(go));
  }

  kill() {
    this.isAlive = false;
    for (const timer of [...this.timers]) timer.clear();
    this.backlog = [];
    if (this.running?.state === 'runs') this.running.onEnd?.(this.running);
  }

  /**
   * @param {string} verb such as `cutover` @param {any[]} args
   * @returns {any} `onEnd` is told of its end, also of that of its shell
   */
  command(verb, ...args) {
    const file = `commands/split-${verb}.js`;
    return this.do(verb, (ctx) => this.slot.load(file).run(ctx, ...args));
  }

  /** @param {string} verb @param {(ctx: any) => Promise<any>} what @returns {any} */
  do(verb, what) {
    const run = {
      state: /** @type {any} */ ('runs'),
      verb,
      since: this.sim.loop.now,
      value: null,
      error: null,
      shell: this,
      /** @type {((run: any) => void) | null} */ onEnd: null,
    };
    this.running = run;
    const ctx = {
      port: portOf(this, run),
      signal: this.interrupt.signal,
      progress: () => {},
      home: '/nowhere',
      terminal: { isTTY: false, columns: 80, write: () => {} },
    };
    what(ctx)
      .then(
        (/** @type {any} */ value) => Object.assign(run, { state: 'done', value }),
        (/** @type {any} */ error) => Object.assign(run, { state: 'failed', error }),
      )
      .then(() => {
        const bug = bugIn(run.error);
        if (bug) this.sim.checks.wrong('bug', `${verb} threw ${bug}`);
        run.onEnd?.(run);
      });
    this.sim.loop.woke = true;
    return run;
  }
}

/** What no answer of a server is, nor any refusal. */
const BUGS = new Set([
  'TypeError',
  'ReferenceError',
  'RangeError',
  'SyntaxError',
  'AssertionError',
]);

/**
 * @param {any} error also what it covers
 * @returns {string | null}
 */
function bugIn(error) {
  if (!error) return null;
  if (BUGS.has(error.name)) return `${error.name}: ${error.message}`;
  return bugIn(error.cause) ?? bugIn(error.reopen);
}

/**
 * @param {Shell} shell as lib/base/context.js has it (DataPort)
 * @param {any} run whose messages they are: a shell may have several
 */
function portOf(shell, run) {
  const { sim } = shell;
  const send = (/** @type {string} */ db, /** @type {any} */ command, /** @type {any} */ session) =>
    sim.link.send(shell, { db, command, who: 'shell', session, sender: run });
  return {
    command: (/** @type {string} */ db, /** @type {any} */ command) => send(db, command, undefined),
    adminCommand: (/** @type {any} */ command) => send('admin', command, undefined),
    aggregate: (
      /** @type {string} */ db,
      /** @type {string} */ coll,
      /** @type {any[]} */ pipeline,
      options = {},
    ) =>
      documents(
        () => send(db, { aggregate: coll, pipeline, cursor: {}, ...plain(options) }, undefined),
        options,
      ),
    watch: (/** @type {string} */ db, /** @type {any[]} */ pipeline, options = {}) =>
      events((command) => send(db, command, undefined), pipeline, options),
    transaction: () => transactionOf(shell, send),
  };
}

/** What is of the driver, not of the command. @param {any} options */
const plain = ({
  raw: _raw,
  readPreference: _r,
  bsonRegExp: _b,
  promoteValues: _v,
  promoteLongs: _l,
  promoteBuffers: _p,
  ...rest
}) => rest;

/** @param {() => Promise<any>} ask @param {any} options */
function documents(ask, { raw }) {
  /** @type {any[] | null} */ let left = null;
  const all = async () => {
    left ??= (await ask()).cursor.firstBatch.map((/** @type {any} */ doc) =>
      raw ? rawOf(doc) : doc,
    );
    return /** @type {any[]} */ (left);
  };
  return {
    tryNext: async () => (await all()).shift() ?? null,
    toArray: async () => (await all()).splice(0),
    close: async () => {},
  };
}

/** @param {(command: any) => Promise<any>} ask @param {any[]} pipeline @param {any} options */
function events(
  ask,
  pipeline,
  { resumeAfter, startAtOperationTime, batchSize, maxAwaitTimeMS, comment },
) {
  const at = {
    token: resumeAfter ?? null,
    last: resumeAfter ?? null,
    /** @type {any[]} */ buffer: [],
    isClosed: false,
  };
  return {
    get resumeToken() {
      return at.token;
    },
    async tryNext() {
      if (at.isClosed) throw new Error('ChangeStream is closed');
      if (at.buffer.length === 0) {
        const answer = await ask({
          changeStream: 1,
          token: at.token,
          start: startAtOperationTime?.n,
          pipeline,
          batchSize,
          maxAwaitTimeMS,
          comment,
        });
        at.buffer = answer.events;
        at.last = answer.token;
        if (at.buffer.length === 0) at.token = at.last;
      }
      const event = at.buffer.shift();
      if (!event) return null;
      at.token = at.buffer.length === 0 ? at.last : { n: event.clusterTime.n };
      return event;
    },
    close: async () => {
      at.isClosed = true;
    },
  };
}

/** @param {Shell} shell @param {(db: string, command: any, session: any) => Promise<any>} send */
function transactionOf(shell, send) {
  shell.sessions += 1;
  const session = { id: `session ${shell.number} ${shell.pid} ${shell.sessions}` };
  let isBegun = false;
  return {
    session: { id: session.id },
    command: (/** @type {string} */ db, /** @type {any} */ command) => {
      const first = !isBegun;
      isBegun = true;
      return send(
        db,
        { ...command, ...(first && { startTransaction: true }), autocommit: false },
        session,
      );
    },
    commit: () => send('admin', { commitTransaction: 1 }, session),
    abort: async () => {
      if (isBegun) await send('admin', { abortTransaction: 1 }, session).catch(() => undefined);
    },
  };
}

module.exports = { Shell };
