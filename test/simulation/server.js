'use strict';

const { Locks } = require('./locks');
const { State } = require('./state');
const { refusal } = require('./values');
const { COMMANDS, WITHOUT_LOCK } = require('./commands');

/** Of a transaction that nobody ends (transactionLifetimeLimitSeconds). */
const TRANSACTION_MS = 60_000;
const STEPPED_DOWN = 11602;

/**
 * A replica set of three, reduced to a primary with its oplog and to what a majority has. What is
 * sent to it is carried out at once, or in several ticks between which others have their turn.
 */
class Server {
  /**
   * @param {any} loop
   * @param {{
   *   lagMs(): number, pauseMs(op: any, why: string): number,
   *   endsAfter(op: any, of: number): number, buildMs(): number
   * }} nature what happens by itself
   */
  constructor(loop, nature) {
    this.loop = loop;
    this.nature = nature;
    this.locks = new Locks();
    this.state = new State({
      now: () => this.clock(),
      moment: () => this.loop.now,
      logged: () => this.replicateSoon(),
      changed: (change) => this.onChange(change),
    });
    /** @type {Map<number, any>} */ this.ops = new Map();
    /** @type {any[]} */ this.builds = [];
    /** @type {{ n: number, go(): void }[]} */ this.waiting = [];
    /** @type {Map<string, any>} */ this.transactions = new Map();
    this.lastOp = 0;
    this.skewMs = 0;
    this.electedAt = 0;
    this.stalledUntil = 0;
    /** Why mongod ended. @type {string | null} */
    this.died = null;
    this.onChange = (/** @type {any} */ _change) => {};
    /** Whether an application would go astray: what it asks for is nobody's, or not ours. */
    this.isAstray = (/** @type {string} */ _ns) => false;
    this.onExpired = (/** @type {any} */ _thing, /** @type {any} */ _doc) => {};
    /** Of a step of several operations the new primary has a part. */
    this.onHalf = () => {};
    this.temporary = 0;
    this.replicating = false;
  }

  /** The clock of the primary. */
  clock() {
    return this.loop.now + this.skewMs;
  }

  now() {
    return new Date(this.clock());
  }

  /**
   * @param {{ db: string, command: any, who: string, session?: any }} request
   * @param {(error: any, answer?: any) => void} reply
   */
  receive({ db, command, who, session = null, sender = null }, reply) {
    if (this.died)
      return void reply(
        Object.assign(new Error('connection refused'), { name: 'MongoNetworkError' }),
      );
    if (this.loop.now < this.electedAt) return void reply(refusal(10107, 'not primary'));
    // A loop: most commands have their name first.
    let name = '';
    for (const key in command) {
      name = key;
      break;
    }
    this.lastOp += 1;
    const op = {
      id: this.lastOp,
      db,
      command,
      name,
      who,
      reply,
      wrote: 0,
      over: false,
      killed: false,
      work: null,
      waitsForLock: false,
      result: null,
      alarm: null,
      sender,
      since: this.loop.now,
      transaction: session && this.transactions.get(session.id),
      session,
    };
    this.ops.set(op.id, op);
    if (WITHOUT_LOCK.has(name) || command.pipeline?.[0]?.$currentOp) return void this.run(op);
    this.locks.take(op, name === 'applyOps', () => this.run(op));
    if (!op.over) this.setAlarm(op);
  }

  /** @param {any} op */
  setAlarm(op) {
    if (op.command.maxTimeMS && !op.alarm)
      op.alarm = this.loop.after(op.since + op.command.maxTimeMS - this.loop.now, () =>
        this.end(op, refusal(50, 'operation exceeded time limit')),
      );
  }

  /** @param {any} op */
  run(op) {
    const { state } = this;
    state.actor = op.who;
    state.sender = op.sender;
    const before = state.newest;
    state.step = op.name === 'applyOps' ? op.id : 0;
    try {
      const handler = COMMANDS[op.name];
      if (!handler) throw refusal(59, `no such command: '${op.name}'`);
      if (op.session && op.command.autocommit === false) this.join(op);
      if (op.who === 'app' && this.isAstray(`${op.db}.${op.command[op.name]}`))
        throw refusal(166, 'nobody has this name now');
      const result = handler(this, op);
      if (result && typeof result.next === 'function') {
        op.work = result;
        return void this.step(op);
      }
      if (state.newest > before) op.wrote = state.newest;
      this.done(op, result);
    } catch (error) {
      this.fail(op, error);
    } finally {
      state.actor = 'nobody';
      state.step = 0;
    }
  }

  /** A part of a transaction. @param {any} op */
  join(op) {
    const known = this.transactions.get(op.session.id);
    if (known ? !known.open : !op.command.startTransaction)
      throw refusal(251, 'Transaction has been aborted or is not there.');
    op.transaction = known ?? this.beginTransaction(op.session);
  }

  /** @param {any} op goes on until it waits for something */
  step(op) {
    const { state } = this;
    state.actor = op.who;
    state.sender = op.sender;
    const before = state.newest;
    try {
      const { value, done } = op.work.next();
      if (state.newest > before) op.wrote = state.newest;
      if (done) return void this.done(op, value);
      this.setAlarm(op);
      if (value.n) this.waitForMajority(value.n, () => this.goOn(op));
      else if (value.transaction) value.transaction.waiting.push(() => this.goOn(op));
      else if (value.build) value.build.waiting.push(() => this.goOn(op));
      else this.loop.after(value.ms, () => this.goOn(op));
    } catch (error) {
      this.fail(op, error);
    } finally {
      state.actor = 'nobody';
    }
  }

  /** @param {any} op */
  goOn(op) {
    if (op.over || this.died) return;
    this.locks.take(op, false, () => {
      if (!op.over) this.step(op);
    });
  }

  /** @param {any} op @param {any} result */
  done(op, result) {
    op.result = result;
    if (op.command.writeConcern?.w !== 'majority' || this.died)
      return void this.finish(op, null, result);
    const n = op.wrote || this.state.newest;
    if (n <= this.state.majority) return void this.finish(op, null, result);
    this.setAlarm(op);
    this.waitForMajority(n, () => this.finish(op, null, result));
  }

  /** @param {any} op @param {any} error */
  fail(op, error) {
    if (typeof error.code !== 'number') throw error;
    this.finish(op, error);
  }

  /**
   * It is ended from outside: by its time, killOp or a step-down. What it did stays done.
   * @param {any} op
   * @param {any} error
   */
  end(op, error) {
    if (op.over) return;
    if (op.result && typeof error.code === 'number')
      this.finish(op, null, {
        ...op.result,
        writeConcernError: { code: error.code, errmsg: error.message },
      });
    else this.finish(op, error);
  }

  /** @param {any} op @param {any} error @param {any} [result] */
  finish(op, error, result) {
    if (op.over) return;
    op.over = true;
    this.ops.delete(op.id);
    if (op.alarm) this.loop.cancel(op.alarm);
    this.locks.leave(op);
    this.locks.end(op.transaction?.isPart ? op.transaction : null);
    op.reply(error, result);
  }

  /** @param {number} n @param {() => void} go */
  waitForMajority(n, go) {
    if (n <= this.state.majority) go();
    else this.waiting.push({ n, go });
  }

  replicateSoon() {
    if (this.replicating) return;
    this.replicating = true;
    const n = () => this.state.newest;
    const target = n();
    this.loop.after(Math.max(this.nature.lagMs(), this.stalledUntil - this.loop.now), () => {
      this.replicating = false;
      if (this.died) return;
      // More may have come meanwhile, or a part of it be gone.
      this.advance(Math.min(target, n()));
      if (this.state.majority < n()) this.replicateSoon();
    });
  }

  /** @param {number} n a majority has it */
  advance(n) {
    if (n <= this.state.majority) return;
    this.state.majority = n;
    const ready = this.waiting.filter((one) => one.n <= n);
    if (ready.length === 0) return;
    this.waiting = this.waiting.filter((one) => one.n > n);
    for (const { go } of ready) go();
  }

  /**
   * Another primary: what only the old one had is gone.
   * @param {{ ms: number, keep: number, skewMs: number, breaks: boolean }} how `keep`: the share of
   *   that which the new one has
   */
  stepDown({ ms, keep, skewMs, breaks }) {
    if (this.died) return;
    const { state } = this;
    this.electedAt = this.loop.now + ms;
    const running = [...this.ops.values()];
    this.ops.clear();
    this.waiting = [];
    for (const transaction of this.transactions.values()) transaction.open = false;
    this.locks.transactions.clear();
    this.locks.queue = [];
    if (
      state.rollBackTo(state.majority + Math.floor(keep * (state.newest - state.majority + 0.999)))
    )
      this.onHalf();
    for (const op of running) {
      op.waitsForLock = false;
      this.end(
        op,
        breaks
          ? Object.assign(new Error('connection closed'), { name: 'MongoNetworkError' })
          : refusal(
              STEPPED_DOWN,
              'operation was interrupted because a client was killed by a step-down',
            ),
      );
    }
    this.skewMs = skewMs;
    // The first entry of a new primary.
    state.log({ op: 'n', ns: '', uuid: '' });
    for (const build of this.builds) this.loop.after(ms, build.end);
  }

  /** The monitor of indexes with a time to live. */
  passTtl() {
    if (this.died || this.loop.now < this.electedAt) return;
    this.state.actor = 'ttl';
    for (const thing of this.state.names.values())
      for (const index of thing.indexes)
        if (index.expireAfterSeconds !== undefined) this.expire(thing, index);
    this.state.actor = 'nobody';
  }

  /** @param {any} thing @param {any} index */
  expire(thing, { expireAfterSeconds: seconds, key }) {
    const [field] = Object.keys(key);
    const isDue = (/** @type {any} */ at) =>
      at instanceof Date && at.getTime() + 1000 * seconds < this.clock();
    for (const doc of [...thing.docs.values()].filter((one) => isDue(one[field]))) {
      this.onExpired(thing, doc);
      this.state.put(thing, doc._id, null);
    }
  }

  /** @param {any} session */
  beginTransaction(session) {
    const transaction = {
      id: session.id,
      open: true,
      isCommitted: false,
      since: this.loop.now,
      /** @type {{ thing: any, id: any, doc: any }[]} */ writes: [],
      /** What it has read: nobody changes its options. */ reads: new Set(),
      /** @type {(() => void)[]} */ waiting: [],
    };
    this.transactions.set(session.id, transaction);
    this.locks.transactions.add(transaction);
    this.loop.after(TRANSACTION_MS, () => this.endTransaction(transaction), true);
    return transaction;
  }

  /**
   * What it wrote is seen from its commit on.
   * @param {any} transaction
   * @param {boolean} [isCommit]
   */
  endTransaction(transaction, isCommit = false) {
    if (!transaction.open) return;
    Object.assign(transaction, { open: false, isCommitted: isCommit });
    if (isCommit)
      for (const { thing, id, doc } of transaction.writes) this.state.put(thing, id, doc);
    for (const go of transaction.waiting) this.loop.after(0.1, go);
    this.locks.end(transaction);
  }

  /**
   * Of an open transaction that wrote to a document: whoever else wants to waits for it.
   * @param {any} op
   * @param {any} thing
   * @param {any} id
   */
  ownerOf(op, thing, id) {
    for (const transaction of this.locks.transactions)
      if (
        transaction !== op.transaction &&
        transaction.writes?.some((/** @type {any} */ one) => one.thing === thing && one.id === id)
      )
        return transaction;
    return null;
  }

  /** @param {string} why */
  die(why) {
    this.died ??= why;
    for (const op of [...this.ops.values()])
      this.finish(op, Object.assign(new Error('connection closed'), { name: 'MongoNetworkError' }));
  }
}

module.exports = { Server };
