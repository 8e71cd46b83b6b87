'use strict';

const assert = require('node:assert/strict');
const fs = require('node:fs');
const path = require('node:path');
const { startServer } = require('../support/server');
const { planOf, useSet } = require('../support/split');
const { tuneOf } = require('../support/policy-tune');
const { run: apply } = require('../../lib/commands/apply');
const { run: policy } = require('../../lib/commands/policy');
const { contextOf } = require('../support/context');
const { READING } = require('../../lib/policy/pure/server-commands');

/**
 * @import { Server } from '../support/server'
 */

const SETS = 'wiredTigerEngineRuntimeConfig';

describe('a policy on a real server', function () {
  this.timeout(60_000);
  /** @type {Server} */ let server;
  /** @type {Record<string, unknown>[]} */ let sent = [];
  before(async () => {
    server = await startServer();
  });
  after(() => server?.stop());
  beforeEach(() => {
    sent = [];
  });

  const tuneUnder = (/** @type {Policies} */ policies = {}) =>
    tuneOf(server.client, policies, sent);
  const sets = () => sent.filter((spec) => SETS in spec && 'setParameter' in spec);
  const CHANGE = { evictionThreadsMax: 7 };
  const refused = (/** @type {string} */ rule) => (/** @type {any} */ error) =>
    error.code === 'TUNE-30012' && error.value === rule;

  for (const [what, policies, rule] of /** @type {[string, object, string][]} */ ([
    ['MONGOSH_TUNE_READ_ONLY', { env: { MONGOSH_TUNE_READ_ONLY: '1' } }, 'readOnly'],
    ['readOnly of the machine', { system: 'readOnly: true', user: 'readOnly: false' }, 'readOnly'],
    ['readOnly of the user', { user: 'readOnly: true' }, 'readOnly'],
    ['a host of another name', { system: 'changeHosts: ["*.test.example"]' }, 'changeHosts'],
    ['a ticket that is missing', { system: 'ticket: "CHG-*"' }, 'ticket'],
    ['a file that is broken', { system: 'readOnly: [' }, 'fault'],
    ['a name that no command has', { system: 'denyCommands: [tune.apply]' }, 'fault'],
    ['a host with the port', { system: 'changeHosts: ["other:27017"]' }, 'changeHosts'],
    ['a command that is denied', { system: 'denyCommands: [apply]' }, 'denyCommands'],
  ]))
    it(`${what}: nothing is sent that changes anything, and status works`, async () => {
      const { tune, home } = tuneUnder(policies);
      await assert.rejects(tune.apply(CHANGE, { confirm: true }), refused(rule));
      assert.deepEqual(sets(), []);
      assert.equal(fs.existsSync(path.join(home, 'journal.ndjson')), false);
      assert.equal((await tune.status({ seconds: 0.2 })).at instanceof Date, true);
    });

  it('what reads sends what is in the list, and is refused nothing', async () => {
    const { tune } = tuneUnder({ system: 'readOnly: true' });
    const brief = { seconds: 1 };
    for (const look of [
      () => tune.status(),
      () => tune.advise(brief),
      () => tune.check(brief),
      () => tune.settings(),
      () => tune.collections(brief),
      () => tune.checkpoints(brief),
      () => tune.ttl(brief),
      () => tune.host(brief),
      () => tune.members(),
      () => tune.metrics(brief),
      () => tune.drift({}),
      () => tune.history(),
      () => tune.split.status(),
      () => tune.who(brief),
      () => tune.defects(brief),
      () => tune.upgrade({ to: '99.0.0' }),
    ])
      await look().catch((/** @type {any} */ error) =>
        assert.ok(!['TUNE-90001', 'TUNE-30012'].includes(error.code), error.message),
      );
    const names = new Set(sent.map((spec) => Object.keys(spec)[0]));
    assert.ok(names.has('whatsmyuri') && names.size > 8, [...names].join());
    assert.ok(names.has('getDefaultRWConcern'), 'what tune.upgrade() asks is not kept back');
    for (const name of names) assert.ok(Object.hasOwn(READING, name), name);
  });

  it('what is only shown is shown, under readOnly as well', async () => {
    const { tune } = tuneUnder({ env: { MONGOSH_TUNE_READ_ONLY: '1' } });
    const { dryRun } = await tune.apply(CHANGE);
    assert.equal(dryRun, true);
    assert.deepEqual(sets(), []);
  });

  it('what is denied does not run as a part of another command either', async () => {
    const { tune, home } = tuneUnder({ system: 'denyCommands: [host, collections, trial]' });
    const file = path.join(home, 'page.html');
    await tune.report(file, { seconds: 1 });
    const page = fs.readFileSync(file, 'utf8');
    for (const name of ['host', 'collections'])
      assert.match(page, new RegExp(`could not be checked: [^<]*tune.${name} is denied`));
    await assert.rejects(tune.auto({ seconds: 1 }), refused('denyCommands'));
    const { tune: other } = tuneUnder({ system: 'denyCommands: [advise]' });
    await assert.rejects(other.members({ advise: true, seconds: 1 }), refused('denyCommands'));
    await assert.rejects(other.report(path.join(home, 'b.html')), refused('denyCommands'));
    await other.members({ seconds: 0.2 });
  });

  it('a dry run says what would refuse its call, each reason', async () => {
    const hour = (new Date().getUTCHours() + 2) % 24;
    const span = `${String(hour).padStart(2, '0')}:00-${String(hour).padStart(2, '0')}:30`;
    const { tune } = tuneUnder({
      system: JSON.stringify({ changeHoursUtc: [span], changeHosts: ['other:27017'] }),
    });
    const dry = String(await tune.apply({ evictionThreadsMax: 6 }));
    const said = dry.slice(dry.indexOf('The policy refuses')).replace(/\s+/g, ' ');
    assert.match(
      said,
      new RegExp(
        `policy.yaml: changes are allowed at ${span} UTC only, and it is \\d\\d:\\d\\d UTC`,
      ),
    );
    assert.match(said, /changes are allowed on other:27017 only \(this is [^ ]+:\d+\)\.$/);
    const { tune: free } = tuneUnder({ system: 'changeHosts: ["*"]' });
    assert.doesNotMatch(String(await free.apply({ evictionThreadsMax: 6 })), /The policy refuses/);
  });

  it('the ticket is in the journal, in the history and beside each command on the server', async () => {
    const { tune, home } = tuneUnder({ system: 'ticket: "CHG-*"\nchangeHosts: ["*"]' });
    assert.match(
      String(await tune.apply(CHANGE)),
      /Add a ticket that matches "CHG-\*" to these calls\.$/,
    );
    const done = await tune.apply(CHANGE, { confirm: true, ticket: 'CHG-4711' });
    assert.match(String(done), /Add ticket: "CHG-4711" to these calls\.$/);
    assert.doesNotMatch(String(await tune.status({ seconds: 0.2 })), /ticket/);
    assert.match(String(await tune.history()), /Add a ticket that matches "CHG-\*"/);
    assert.doesNotMatch(String(await tune.policy()), /to these calls/);
    assert.match(
      String(await tune.apply({ evictionThreadsMax: 9 }, { ticket: 'foo' })),
      /that matches "CHG-\*" to these/,
    );
    const [intent] = fs
      .readFileSync(path.join(home, 'journal.ndjson'), 'utf8')
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    assert.equal(intent.ticket, 'CHG-4711');
    assert.match(intent.comment, /^mongosh-tune apply [0-9a-f]{6} CHG-4711$/);
    assert.ok(sets().length > 0 && sets().every(({ comment }) => comment === intent.comment));
    const [entry] = await tune.history();
    assert.equal(entry.ticket, 'CHG-4711');
    assert.match(String(await tune.history()), /\(ticket CHG-4711\)/);
    await assert.rejects(tune.undo(intent.id, { confirm: true }), refused('ticket'));
    await tune.undo(intent.id, { confirm: true, ticket: 'CHG-4712' });
  });

  it('every command that is sent carries the comment of its call', async () => {
    const { tune } = tuneUnder();
    await tune.advise({ seconds: 1, includeHost: false });
    const comments = new Set(sent.map(({ comment }) => String(comment)));
    assert.equal(comments.size, 1, [...comments].join(', '));
    assert.match([...comments][0], /^mongosh-tune advise [0-9a-f]{6}$/);
  });

  it('a getter that answers differently, late edits, and a ticket of two lines do not help', async () => {
    const { tune } = tuneUnder({ env: { MONGOSH_TUNE_READ_ONLY: '1' } });
    let reads = 0;
    const sly = {
      get confirm() {
        reads += 1;
        return reads > 1;
      },
    };
    await tune.apply(CHANGE, sly).catch(() => undefined);
    assert.deepEqual(sets(), []);
    const late = { confirm: false };
    const call = tune.apply(CHANGE, late);
    late.confirm = true;
    await call.catch(() => undefined);
    assert.deepEqual(sets(), []);
    await assert.rejects(tune.apply(CHANGE, { confirm: true, ticket: 'a\nb' }), {
      code: 'TUNE-10002',
    });
  });

  for (const [name, ...args] of /** @type {[string, ...any[]][]} */ ([
    ['status', { seconds: 0.2 }],
    ['advise', { seconds: 1 }],
    ['who', { seconds: 1 }],
    ['check', { seconds: 0.2 }],
    ['checkpoints', { seconds: 1 }],
    ['collections', { seconds: 0.5 }],
    ['ttl'],
    ['host', { seconds: 1 }],
    ['members'],
    ['settings'],
    ['drift'],
    ['history'],
    ['mongodConf', { cacheSizeGB: 1 }],
    ['lint', 'cache_size=1G'],
    ['apply', CHANGE],
    ['undo'],
  ]))
    it(`tune.${name}() reads through the port of a call that may not write`, async () => {
      const { tune } = tuneUnder({ env: { MONGOSH_TUNE_READ_ONLY: '1' } });
      const code = await tune[name](...args).then(
        () => null,
        (/** @type {any} */ error) => error.code,
      );
      // There is nothing to undo.
      assert.equal(code, name === 'undo' ? 'TUNE-30007' : null);
    });

  it('tune.policy() shows what holds; a file that cannot be used ends it with 1', async () => {
    const { tune } = tuneUnder({ system: 'ticket: "CHG-*"', user: 'readOnly: maybe' });
    const shown = await tune.policy();
    assert.equal(shown.readOnly, true);
    assert.equal(shown.exitCode, 1);
    assert.deepEqual(shown.sources[0].rules, { ticket: 'CHG-*' });
    assert.match(String(shown), /readOnly must be true or\s+false/);
    const bare = await policy(contextOf(null));
    assert.equal(bare.exitCode, 0);
  });
});

describe("the vendor's word", function () {
  this.timeout(60_000);
  /** @type {Server} */ let server;
  before(async () => {
    server = await startServer();
  });
  after(() => server?.stop());

  it('stands beside the first change of a server, shown or made, and beside no later one', async () => {
    const ctx = contextOf(server.client);
    const isSaid = ({ warnings }) =>
      warnings.some((/** @type {string} */ text) => /MongoDB's manual advises against/.test(text));
    assert.equal(isSaid(await apply(ctx, { evictionThreadsMax: 7 })), true);
    assert.equal(isSaid(await apply(ctx, { evictionThreadsMax: 7 }, { confirm: true })), true);
    assert.equal(isSaid(await apply(ctx, { evictionThreadsMax: 6 }, { confirm: true })), false);
  });
});

describe('a policy and a replica set', function () {
  this.timeout(180_000);
  /** @type {any} */ let client;
  useSet((set) => {
    ({ client } = set);
  });
  const TICKET = Object.freeze({ confirm: true, ticket: 'CHG-1' });

  for (const method of ['out', 'ranges'])
    it(`a whole move by ${method}, there and back, with a ticket; without one nothing of it`, async () => {
      const name = `policy_${method}`;
      const documents = Array.from({ length: 300 }, (_, i) => ({ _id: i }));
      await client.db('app').collection(name).insertMany(documents);
      const { tune } = tuneOf(client, { system: 'ticket: "CHG-*"\nchangeHosts: ["*"]' });
      const plan = await planOf(client, {
        moves: [{ ns: `app.${name}`, into: `app2.${name}`, method }],
      });
      await assert.rejects(tune.split.run(plan, { confirm: true }), { code: 'TUNE-30012' });
      await tune.split.run(plan, TICKET);
      const { id } = plan;
      const [verified] = (await tune.split.verify(id)).splits;
      assert.notEqual(verified.verified, null);
      await assert.rejects(tune.split.cutover(id, { confirm: true }), { code: 'TUNE-30012' });
      await tune.split.cutover(id, TICKET);
      await tune.split.status();
      await tune.split.rollback(id, TICKET);
      await tune.split.finish(id, TICKET);
      assert.equal(await client.db('app').collection(name).countDocuments(), documents.length);
    });

  it('a set of which one member does not match is not changed', async () => {
    const { hosts } = await client.db('admin').command({ hello: 1 });
    const { tune } = tuneOf(client, { system: JSON.stringify({ changeHosts: hosts.slice(1) }) });
    const change = tune.apply({ evictionThreadsMax: 7 }, { confirm: true });
    await assert.rejects(change, { code: 'TUNE-30012', value: 'changeHosts' });
  });

  it('a change of all members carries the ticket to each of them', async () => {
    const { tune } = tuneOf(client, { system: 'ticket: "CHG-*"\nchangeHosts: ["*"]' });
    await tune.apply({ evictionThreadsMax: 7 }, { members: 'all', ...TICKET });
    const entries = await tune.history({ all: true });
    assert.ok(entries.length > 0);
    assert.ok(entries.every(({ ticket }) => ticket === 'CHG-1'));
    await tune.undo(entries[0].group ?? entries[0].id, TICKET);
  });
});

describe('a policy and a hidden member, which no other member names in its hello', function () {
  this.timeout(120_000);
  /** @type {any} */ let set;
  useSet(
    ({ server }) => {
      set = server;
    },
    { members: [{}, { priority: 0 }, { priority: 0, hidden: true, votes: 0 }] },
  );
  for (const [where, at, options] of /** @type {[string, number, object][]} */ ([
    ['to it', 2, {}],
    ['to the primary, by members: "all"', 0, { members: 'all' }],
  ]))
    it(`where it is not listed nothing is begun, connected ${where}`, async () => {
      const { tune, home } = tuneOf(await set.connect(set.uriOf(set.hosts[at])), {
        system: JSON.stringify({ changeHosts: set.hosts.slice(0, 2) }),
      });
      const change = tune.apply({ evictionThreadsMax: 7 }, { confirm: true, ...options });
      await assert.rejects(change, { code: 'TUNE-30012', value: 'changeHosts' });
      assert.equal(fs.existsSync(path.join(home, 'journal.ndjson')), false);
    });

  it('an undo of all is refused before the first member', async () => {
    const all = tuneOf(set.client, { system: JSON.stringify({ changeHosts: set.hosts }) });
    await all.tune.apply({ evictionThreadsMax: 6 }, { members: 'all', confirm: true });
    const { tune } = tuneOf(set.client, {
      system: JSON.stringify({ changeHosts: set.hosts.slice(0, 2) }),
      home: all.home,
    });
    await assert.rejects(tune.undo({ confirm: true }), {
      code: 'TUNE-30012',
      message: /nothing was undone on any member/,
    });
    const undone = await all.tune.undo({ confirm: true });
    assert.deepEqual([undone.verified, undone.members.length], [true, 3]);
  });

  it('the others are changed without it', async () => {
    const listed = set.hosts.slice(0, 2);
    const { tune } = tuneOf(set.client, { system: JSON.stringify({ changeHosts: listed }) });
    const done = await tune.apply({ evictionThreadsMax: 7 }, { members: listed, confirm: true });
    assert.equal(done.verified, true);
  });
});
