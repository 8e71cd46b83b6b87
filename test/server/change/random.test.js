'use strict';

/**
 * Two operators with a journal each, and other sessions, on one server: changes and undos in a random
 * order, with answers and calls that are lost or come late, and others' settings at any moment.
 */
const assert = require('node:assert/strict');
const { MongoNetworkError } = require('mongodb');
const { seeded } = require('../../support/chance');
const { temporaryFolder } = require('../../support/cleanup');
const { contextOf } = require('../../support/context');
const { setExternally } = require('../../support/engine');
const { startServer } = require('../../support/server');
const { settingsIn } = require('../../../lib/config/effective-config');
const { run: apply } = require('../../../lib/commands/apply');
const { run: config } = require('../../../lib/commands/settings');
const { run: undo } = require('../../../lib/commands/undo');

const ROUNDS = process.env.TUNE_LONG ? 200 : 4;
const SEED = Number(process.env.TUNE_SEED ?? 1);
const MOST_UNDOS = 40;
const CALM = Object.freeze({ beside: 0, lostAnswer: 0, lostCall: 0, late: 0 });
/** Of each call; `beside`: another session sets something just before it, and just after it. */
const WILD = Object.freeze({ beside: 0.12, lostAnswer: 0.08, lostCall: 0.05, late: 0.08 });
const AT_START =
  'cache_size=512M,eviction=(threads_min=4,threads_max=8),eviction_target=80,' +
  'eviction_trigger=95,eviction_dirty_target=5,eviction_dirty_trigger=20,' +
  'eviction_updates_target=2,eviction_updates_trigger=10';

/** A server, and all that it was made to take, by whom and in its order. */
class Round {
  /** @type {{ text: string, by: string, change: Record<string, number> }[]} */ taken = [];
  /** @type {{ text: string, by: string, turns: number }[]} */ late = [];
  /** @type {string[]} */ trace = [];

  /** @param {any} server @param {number} seed */
  constructor(server, seed) {
    this.server = server;
    this.random = seeded(seed);
    this.homes = [temporaryFolder('home'), temporaryFolder('home')];
  }

  /** @template T @param {readonly T[]} list @returns {T} */
  pick(list) {
    return list[Math.floor(this.random() * list.length)];
  }

  /** @param {number} from @param {number} count */
  number(from, count) {
    return from + Math.floor(this.random() * count);
  }

  /** @param {string} text @param {string} by */
  async put(text, by) {
    const answer = await setExternally(this.server, text);
    this.taken.push({ text, by, change: /** @type {any} */ (settingsIn(text)) });
    this.trace.push(`  ${by}: ${text}`);
    return answer;
  }

  /** What another session sets; the server may refuse it. */
  async beside() {
    const text = this.pick([
      `eviction_target=${this.number(60, 20)}`,
      `eviction=(threads_max=${this.number(9, 8)})`,
      ` eviction=(threads_min=${this.number(1, 4)} )`,
      `eviction_dirty_target=${this.number(3, 5)}`,
      `eviction_dirty_trigger=${this.number(15, 10)}`,
      `cache_size=${this.pick([400, 450, 500])}M`,
      `eviction_target=${this.number(60, 20)},eviction=(threads_max=${this.number(9, 8)})`,
      'eviction_trigger=93',
    ]);
    await this.put(text, 'another').catch(() => this.trace.push(`  refused: ${text}`));
  }

  /** @returns {any} a change */
  change() {
    return this.pick([
      { evictionTarget: this.number(60, 20) },
      { evictionThreadsMax: this.number(9, 8) },
      { evictionThreadsMax: this.number(9, 8), evictionTarget: this.number(60, 20) },
      { evictionDirtyTarget: this.number(3, 5), evictionDirtyTrigger: this.number(15, 10) },
      { cacheSizeGB: this.pick([0.3, 0.35, 0.6]) },
      { evictionThreadsMin: this.number(1, 5), evictionThreadsMax: 10, cacheSizeGB: 0.3 },
    ]);
  }

  /** The shell of an operator. @param {string} home @param {string} by @param {typeof CALM} faults */
  context(home, by = 'calm', faults = CALM) {
    const ctx = contextOf(this.server.client, { home });
    const plain = ctx.port.adminCommand;
    let downFor = 0;
    const lost = (/** @type {string} */ what) => {
      this.trace.push(`  (${what})`);
      downFor = this.number(0, 3);
      return new MongoNetworkError('connection closed');
    };
    const adminCommand = async (/** @type {any} */ command) => {
      downFor -= 1;
      if (downFor >= 0) throw new MongoNetworkError('connection closed');
      const text = command.setParameter && command.wiredTigerEngineRuntimeConfig;
      if (!text) return plain(command);
      if (this.random() < faults.beside) await this.beside();
      const fate = this.random();
      if (fate < faults.lostCall) throw lost('the call is lost');
      if (fate < faults.lostCall + faults.late) {
        this.late.push({ text, by: `${by}, late`, turns: this.number(1, 3) });
        throw lost('the call is late');
      }
      const answer = await this.put(text, by);
      if (fate < faults.lostCall + faults.late + faults.lostAnswer)
        throw lost('the answer is lost');
      if (this.random() < faults.beside) await this.beside();
      return answer;
    };
    return { ...ctx, port: { ...ctx.port, adminCommand } };
  }

  /** One turn of somebody. @param {number} turn */
  async takeTurn(turn) {
    const by = `turn ${turn}`;
    const { path: home } = this.pick(this.homes);
    const faults = this.pick([CALM, WILD]);
    const what = this.pick(['apply', 'apply', 'undo', 'undo', 'beside']);
    if (what === 'beside') return this.beside();
    const change = this.change();
    const force = this.random() < 0.25;
    this.trace.push(`${by}: ${what} ${JSON.stringify(change)}${force ? ', by force' : ''}`);
    const ctx = this.context(home, by, faults);
    const how = { confirm: true, ...(force && { force }) };
    const done = await (what === 'apply' ? apply(ctx, change, how) : undo(ctx, how)).catch(
      (/** @type {any} */ error) => error,
    );
    this.trace.push(`  -> ${done.message ?? JSON.stringify(done.change)}`);
    if (done instanceof Error) {
      assert.match(String(/** @type {any} */ (done).code), /^TUNE-/, done.stack);
      return undefined;
    }
    const isSaid = /nother session|omebody/.test(JSON.stringify(done));
    if (what === 'apply' && done.verified && !isSaid) this.checkInForce(change, by);
    if (what === 'undo' && !force) this.checkNotOverwritten(by, isSaid);
    return undefined;
  }

  /** Nobody was in between, unless it came after the last call. @param {any} change @param {string} by */
  checkInForce(change, by) {
    for (const [setting, value] of Object.entries(change)) {
      const last = this.taken.findLastIndex((one) => one.change[setting] !== undefined);
      const isOver = !this.taken.slice(last + 1).some((one) => one.by === by);
      if (this.taken[last].by !== by && this.taken[last].by !== 'start' && isOver) continue;
      assert.ok(
        Math.abs(this.taken[last].change[setting] - value) < 0.001,
        `${setting} is ${this.taken[last].change[setting]}, not ${value}, and that is a success`,
      );
    }
  }

  /** Without force an undo leaves what others set since. @param {string} by @param {boolean} isSaid */
  checkNotOverwritten(by, isSaid) {
    for (const [at, { by: who, change, text }] of this.taken.entries())
      for (const setting of who === by ? Object.keys(change) : []) {
        const before = this.taken
          .slice(0, at)
          .filter((one) => one.change[setting] !== undefined && one.by !== by);
        const isOthers = before.at(-1)?.by === 'another';
        const isSinceOurs = before.some((one) => one.by.startsWith('turn'));
        assert.ok(
          !(isOthers && isSinceOurs) || isSaid || before.at(-1)?.change[setting] === undefined,
          `${text} is over ${before.at(-1)?.text} of another session, and nothing says so`,
        );
      }
  }

  async deliverLate() {
    for (const one of [...this.late]) {
      one.turns -= 1;
      if (one.turns > 0) continue;
      this.late.splice(this.late.indexOf(one), 1);
      await this.put(one.text, one.by).catch(() => this.trace.push(`  refused: ${one.text}`));
    }
  }

  /** What each of the two is shown as in effect, where it is not unknown. */
  async checkShown() {
    const inForce = Object.assign({}, ...this.taken.map(({ change }) => change));
    for (const { path: home } of this.homes) {
      const shown = /** @type {any} */ (await config(this.context(home)));
      for (const [setting, value] of Object.entries(inForce))
        if (shown[setting] && shown[setting].value !== null)
          assert.ok(
            Math.abs(shown[setting].value - value) < 0.01,
            `${setting} is ${value}, and ${shown[setting].value} is shown`,
          );
    }
  }

  /** By force each undo leads on, until nothing stands or what may still arrive is waited for. */
  async undoAll() {
    for (const { path: home } of this.homes)
      for (let undos = 0; ; undos += 1) {
        assert.ok(undos < MOST_UNDOS, 'it goes on for ever');
        const done = await undo(this.context(home), { confirm: true, force: true }).catch(
          (/** @type {any} */ error) => error,
        );
        if (done instanceof Error) {
          assert.equal(/** @type {any} */ (done).code, 'TUNE-30007', done.message);
          break;
        }
        if (Object.keys(done.change).length > 0) continue;
        if (/may still arrive/.test(done.warnings.join())) break;
      }
  }
}

describe('changes, undos and other sessions at random', function () {
  this.timeout(120_000);
  /** @type {any} */ let server;
  before(async () => {
    server = await startServer();
  });
  after(() => server?.stop());

  for (let number = 0; number < ROUNDS; number += 1)
    it(`round ${number} of seed ${SEED}: what is shown is in effect, and nothing of others is overwritten unsaid`, async () => {
      const round = new Round(server, SEED * 100_003 + number);
      try {
        await round.put(AT_START, 'start');
        for (let turn = 0, turns = round.number(4, 6); turn < turns; turn += 1) {
          await round.takeTurn(turn);
          await round.deliverLate();
          if (round.late.length === 0) await round.checkShown();
        }
        while (round.late.length > 0) await round.deliverLate();
        await round.undoAll();
      } catch (error) {
        /** @type {Error} */ (error).message += `\n${round.trace.join('\n')}`;
        throw error;
      } finally {
        for (const home of round.homes) home.remove();
      }
    });
});
