'use strict';

/**
 * Two shells with one journal, and other sessions, at the members of a replica set: changes of one
 * and of several members, undos, elections, Ctrl-C, and calls that are refused, lost or late, in a
 * random order. What every member was made to take is written down beside it.
 */
const assert = require('node:assert/strict');
const { MongoNetworkError } = require('mongodb');
const { seeded } = require('../../support/chance');
const { temporaryFolder } = require('../../support/cleanup');
const { contextOf } = require('../../support/context');
const { startReplicaSet } = require('../../support/server');
const { settingsIn } = require('../../../lib/config/effective-config');
const { run: apply } = require('../../../lib/commands/apply');
const { run: config } = require('../../../lib/commands/settings');
const { run: history } = require('../../../lib/commands/history');
const { run: undo } = require('../../../lib/commands/undo');

const ROUNDS = process.env.TUNE_LONG ? 200 : 3;
const SEED = Number(process.env.TUNE_SEED ?? 1);
const FIRST = Number(process.env.TUNE_ROUND ?? 0);
const MOST_UNDOS = 60;
/** Of each call; `inner`: the other shell comes between. */
const FAULTS = Object.freeze({
  none: { beside: 0, refused: 0, lostAnswer: 0, lostCall: 0, late: 0, inner: 0, elect: 0, stop: 0 },
  others: {
    beside: 0.15,
    refused: 0.05,
    lostAnswer: 0,
    lostCall: 0,
    late: 0,
    inner: 0.3,
    elect: 0,
    stop: 0,
  },
  network: {
    beside: 0,
    refused: 0.1,
    lostAnswer: 0.1,
    lostCall: 0.1,
    late: 0.1,
    inner: 0,
    elect: 0.05,
    stop: 0.02,
  },
  stop: {
    beside: 0.1,
    refused: 0.1,
    lostAnswer: 0,
    lostCall: 0,
    late: 0,
    inner: 0.1,
    elect: 0,
    stop: 0.05,
  },
});
const AT_START =
  'cache_size=512M,eviction=(threads_min=4,threads_max=8),eviction_target=80,' +
  'eviction_trigger=95,eviction_dirty_target=5,eviction_dirty_trigger=20,' +
  'eviction_updates_target=2,eviction_updates_trigger=10';

/**
 * @typedef {{ text: string, by: string, change: Record<string, number> }} Taken
 * @typedef {{ host: string, client: any, taken: Taken[] }} Member
 */

/** The members, and all that each was made to take, by whom and in its order. */
class Round {
  /** @type {{ member: Member, text: string, by: string, turns: number }[]} */ late = [];
  /** @type {string[]} */ trace = [];
  /** Whether what happened allows that not all is as at the start. */
  isOutOfOrder = false;

  /** @param {any} set @param {Member[]} members @param {number} seed */
  constructor(set, members, seed) {
    this.set = set;
    this.members = members;
    this.random = seeded(seed);
    this.home = temporaryFolder('home');
  }

  /** @template T @param {readonly T[]} list @returns {T} */
  pick(list) {
    return list[Math.floor(this.random() * list.length)];
  }

  /** @param {number} from @param {number} count */
  number(from, count) {
    return from + Math.floor(this.random() * count);
  }

  /** @param {Member} member @param {string} text @param {string} by */
  async put(member, text, by) {
    const answer = await member.client
      .db('admin')
      .command({ setParameter: 1, wiredTigerEngineRuntimeConfig: text });
    member.taken.push({ text, by, change: /** @type {any} */ (settingsIn(text)) });
    this.trace.push(`  ${member.host} ${by}: ${text}`);
    return answer;
  }

  /** What another session sets on one of them. @param {Member} member */
  async beside(member) {
    const text = this.pick([
      `eviction_target=${this.number(60, 20)}`,
      `eviction=(threads_max=${this.number(9, 8)})`,
      `eviction_dirty_target=${this.number(3, 5)}`,
      `cache_size=${this.pick([400, 450, 500])}M`,
    ]);
    await this.put(member, text, 'another');
  }

  /** @returns {any} */
  change() {
    return this.pick([
      { evictionTarget: this.number(60, 20) },
      { evictionThreadsMax: this.number(9, 8) },
      { evictionThreadsMax: this.number(9, 8), evictionTarget: this.number(60, 20) },
      { evictionDirtyTarget: this.number(3, 5), evictionDirtyTrigger: this.number(15, 10) },
      { cacheSizeGB: this.pick([0.3, 0.35, 0.6]), evictionTarget: this.number(60, 20) },
    ]);
  }
}

/** The shell of an operator, connected to one member. */
class Shell {
  downFor = 0;
  stop = new AbortController();

  /** @param {Round} round @param {string} by @param {any} faults @param {() => Promise<void>} inner */
  constructor(round, by, faults, inner = async () => {}) {
    this.round = round;
    this.by = by;
    this.faults = faults;
    this.inner = inner;
  }

  /** @param {Member} member */
  context(member) {
    const ctx = contextOf(member.client, { home: this.round.home.path, signal: this.stop.signal });
    const wrapped = (/** @type {any} */ port, /** @type {string} */ host) => ({
      ...port,
      adminCommand: async (/** @type {any} */ command) =>
        this.command(port, this.round.members.find((one) => one.host === host) ?? member, command),
    });
    return {
      ...ctx,
      port: wrapped(ctx.port, member.host),
      connect: async (/** @type {string} */ host) => {
        const connected = await ctx.connect(host);
        return { ...connected, port: wrapped(connected.port, host) };
      },
    };
  }

  /** @param {string} what */
  lost(what) {
    this.round.trace.push(`  (${what})`);
    this.downFor = this.round.number(0, 3);
    return new MongoNetworkError('connection closed');
  }

  /** @param {any} port @param {Member} member @param {any} command */
  async command(port, member, command) {
    const { round, faults } = this;
    if (round.random() < faults.stop / 10) this.interrupt();
    this.downFor -= 1;
    if (this.downFor >= 0) throw new MongoNetworkError('connection closed');
    const text = command.setParameter && command.wiredTigerEngineRuntimeConfig;
    if (!text) {
      if (round.random() < faults.inner / 20) await this.inner();
      return port.adminCommand(command);
    }
    if (round.random() < faults.stop) this.interrupt();
    if (round.random() < faults.beside) await round.beside(member);
    if (round.random() < faults.inner) await this.inner();
    if (round.random() < faults.elect) await round.set.electAnother();
    return this.send(member, text);
  }

  /** @param {Member} member @param {string} text */
  async send(member, text) {
    const { round, faults, by } = this;
    let fate = round.random();
    const is = (/** @type {string} */ what) => (fate -= faults[what]) < 0;
    if (is('refused')) {
      round.trace.push(`  ${member.host} refuses ${text}`);
      throw Object.assign(new Error('not today'), { name: 'MongoServerError', code: 2 });
    }
    if (is('lostCall')) throw this.lost('the call is lost');
    if (is('late')) {
      round.late.push({ member, text, by: `${by}, late`, turns: round.number(1, 3) });
      throw this.lost('the call is late');
    }
    const answer = await round.put(member, text, by);
    if (is('lostAnswer')) throw this.lost('the answer is lost');
    if (round.random() < faults.beside) await round.beside(member);
    return answer;
  }

  interrupt() {
    this.round.trace.push('  (Ctrl-C)');
    this.stop.abort();
  }
}

/** @param {Member} member @returns {Record<string, number>} */
const inForce = ({ taken }) => Object.assign({}, ...taken.map(({ change }) => change));

/** @param {number} a @param {number} b */
const alike = (a, b) => Math.abs(a - b) < 0.01;

/** @param {Round} round @param {string} by @param {boolean} [isInner] */
async function takeTurn(round, by, isInner = false) {
  const faults = isInner
    ? FAULTS.none
    : FAULTS[round.pick(/** @type {const} */ (['none', 'others', 'network', 'stop']))];
  const shell = new Shell(round, by, faults, () => takeTurn(round, `${by}'`, true));
  const ctx = shell.context(round.pick(round.members));
  const what = round.pick(['group', 'group', 'one', 'undo', 'undo', 'named', 'beside']);
  if (what === 'beside') return round.beside(round.pick(round.members));
  const before = round.members.map(inForce);
  const force = what !== 'named' && round.random() < (isInner ? 0.6 : 0.2);
  const change = round.change();
  const members = round.pick([
    'all',
    'all',
    'secondaries',
    round.members.slice(round.number(0, 2)).map(({ host }) => host),
  ]);
  const how = { confirm: round.random() < 0.9, ...(force && { force }) };
  const shown = await history(ctx, { all: true });
  const ids = shown.flatMap(({ id, group }) => [id, ...(group ? [group] : [])]);
  if (what === 'named' && ids.length === 0) return undefined;
  const named = what === 'named' ? round.pick(ids) : undefined;
  round.trace.push(
    `${by}: ${what} ${named ?? JSON.stringify(change)} ${JSON.stringify(members)} ${JSON.stringify(how)}`,
  );
  const started = round.members.map(({ taken }) => taken.length);
  const made = () => {
    if (what === 'group') return apply(ctx, change, { ...how, members });
    return what === 'one' ? apply(ctx, change, how) : undo(ctx, named, how);
  };
  const done = /** @type {any} */ (await made().catch((error) => error));
  round.trace.push(`  -> ${by}: ${done.message ?? `${done.id} ${JSON.stringify(done.change)}`}`);
  if (force && isInner) round.isOutOfOrder = true;
  check(round, { by, done, how, what, change, members, before, started });
  return undefined;
}

/** @param {Round} round @param {any} turn */
function check(round, { by, done, how, what, change, before, started }) {
  const fresh = round.members.map(({ taken }, i) => taken.slice(started[i]));
  if (!how.confirm)
    assert.ok(!fresh.flat().some((one) => one.by === by), 'sent without { confirm: true }');
  if (done instanceof Error) {
    assert.match(String(/** @type {any} */ (done).code), /^TUNE-/, done.stack);
    if (what === 'group' && /All members have their previous settings/.test(done.message))
      round.members.forEach((member, i) => {
        for (const setting of Object.keys(change))
          if (!fresh[i].some((one) => one.by !== by && one.change[setting] !== undefined))
            assert.ok(
              alike(inForce(member)[setting], before[i][setting]),
              `${setting} on ${member.host} is not as before, which is said`,
            );
      });
    return;
  }
  const text = JSON.stringify(done);
  const isSaid = /nother session|omebody/.test(text);
  if (!how.confirm) return;
  if (what === 'group' && done.verified && !isSaid)
    round.members.forEach((member, i) => {
      if (!done.order.includes(member.host)) return;
      for (const [setting, value] of Object.entries(change)) {
        const later = fresh[i].findLastIndex((one) => one.by === by);
        if (fresh[i].slice(later + 1).some((one) => one.change[setting] !== undefined)) continue;
        assert.ok(
          alike(inForce(member)[setting], value),
          `${setting} on ${member.host}: a success`,
        );
      }
    });
  if (what === 'undo' || what === 'named')
    if (!how.force && !isSaid) checkNotOverwritten(round, by);
}

/** @param {Round} round @param {string} by */
function checkNotOverwritten({ members }, by) {
  for (const { host, taken } of members)
    for (const [at, one] of taken.entries())
      for (const setting of one.by === by ? Object.keys(one.change) : []) {
        const earlier = taken
          .slice(0, at)
          .filter((other) => other.change[setting] !== undefined && other.by !== by);
        const isSinceOurs = earlier.some((other) => other.by.startsWith('turn'));
        assert.ok(
          earlier.at(-1)?.by !== 'another' || !isSinceOurs,
          `${one.text} on ${host} is over ${earlier.at(-1)?.text}, and nothing says so`,
        );
      }
}

/** @param {Round} round */
async function checkShown(round) {
  for (const member of round.members) {
    const shown = /** @type {any} */ (
      await config(new Shell(round, 'shown', FAULTS.none).context(member))
    );
    for (const [setting, value] of Object.entries(inForce(member)))
      if (shown[setting] && shown[setting].value !== null)
        assert.ok(
          alike(shown[setting].value, value),
          `${setting} on ${member.host} is ${value}, and ${shown[setting].value} is shown`,
        );
  }
}

/** @param {Round} round */
async function deliverLate(round) {
  for (const one of [...round.late]) {
    one.turns -= 1;
    if (one.turns > 0) continue;
    round.late.splice(round.late.indexOf(one), 1);
    await round.put(one.member, one.text, one.by);
  }
}

/** Newest first, until nothing stands but what may still arrive. @param {Round} round */
async function undoAll(round) {
  const ctx = new Shell(round, 'end', FAULTS.none).context(round.members[0]);
  const waiting = new Set();
  for (let undos = 0; ; undos += 1) {
    assert.ok(undos < MOST_UNDOS, 'it goes on for ever');
    const all = await history(ctx, { all: true });
    const entry = all.findLast(
      ({ id, group, action, undo: call }) =>
        call !== null && action !== 'undo' && !waiting.has(group ?? id),
    );
    if (entry === undefined) return waiting.size === 0;
    const id = entry.group ?? entry.id;
    const member = round.members.find(({ host }) =>
      host.endsWith(entry.host?.split(':').at(-1) ?? '-'),
    );
    const there = new Shell(round, 'end', FAULTS.none).context(member ?? round.members[0]);
    round.trace.push(`end: undo ${id}`);
    const done = /** @type {any} */ (
      await undo(there, id, { confirm: true, force: true }).catch((error) => error)
    );
    round.trace.push(`  -> ${done.message ?? JSON.stringify(done.change)}`);
    if (done instanceof Error)
      assert.equal(/** @type {any} */ (done).code, 'TUNE-30007', done.message);
    if (
      done instanceof Error ||
      /may still arrive/.test(JSON.stringify([done.members, done.warnings]))
    )
      waiting.add(id);
  }
}

/** @param {Round} round @param {Record<string, number>} start */
function checkAtStart(round, start) {
  for (const member of round.members)
    for (const [setting, value] of Object.entries(start)) {
      const isOthers = member.taken.some(
        ({ by, change }) => by === 'another' && change[setting] !== undefined,
      );
      if (!isOthers)
        assert.ok(
          alike(inForce(member)[setting], value),
          `${setting} on ${member.host} is ${inForce(member)[setting]}, and nothing stands`,
        );
    }
}

describe('changes of members, undos and other sessions at random', function () {
  this.timeout(240_000);
  /** @type {Awaited<ReturnType<typeof startReplicaSet>>} */ let set;
  /** @type {Member[]} */ let members;
  before(async () => {
    set = await startReplicaSet({ members: 3 });
    members = await Promise.all(
      set.hosts.map(async (host) => ({
        host,
        client: /** @type {any} */ (await set.connect(set.uriOf(host))),
        taken: [],
      })),
    );
  });
  after(() => set?.stop());

  for (let number = FIRST; number < FIRST + ROUNDS; number += 1)
    it(`round ${number} of seed ${SEED}`, async () => {
      members.forEach((member) => member.taken.splice(0));
      const round = new Round(set, members, SEED * 100_003 + number);
      try {
        for (const member of members) await round.put(member, AT_START, 'start');
        const start = inForce(members[0]);
        for (let turn = 0, turns = round.number(4, 6); turn < turns; turn += 1) {
          await takeTurn(round, `turn ${turn}`);
          await deliverLate(round);
          if (round.late.length === 0) await checkShown(round);
        }
        while (round.late.length > 0) await deliverLate(round);
        const isAll = await undoAll(round);
        if (isAll && !round.isOutOfOrder) checkAtStart(round, start);
      } catch (error) {
        /** @type {Error} */ (error).message += `\n${round.trace.join('\n')}`;
        throw error;
      } finally {
        round.home.remove();
      }
    });
});
