'use strict';

const assert = require('node:assert/strict');
const { spawnSync } = require('node:child_process');
const fs = require('node:fs');
const path = require('node:path');
const {
  readRules,
  refusalOfCall,
  refusalOfHost,
  refusalOfPart,
} = require('../../../lib/policy/pure/policy');
const { renderPolicy } = require('../../../lib/policy/pure/policy-text');
const {
  READING,
  WRITING,
  isKnown,
  isReading,
} = require('../../../lib/policy/pure/server-commands');
const { CallPermit } = require('../../../lib/policy/call-permit');
const { readPolicy } = require('../../../lib/policy/policy-sources');
const { temporaryFolder } = require('../../support/cleanup');

const plain = (/** @type {string} */ text) => text;
const NOON = new Date('2026-03-01T12:00:00Z');
const source = (rules, from = 'f', fault = null) => ({ from, rules, fault });
const change = (more = {}) => ({ name: 'apply', isChange: true, now: NOON, ...more });
/** @returns {string | null} the rule that refuses it */
const ruleOf = (sources, call) => refusalOfCall(sources, call)?.rule ?? null;

describe('policy: the rules of a file', () => {
  it('are taken as they are', () => {
    const rules = {
      readOnly: true,
      allowCommands: ['status', 'split.*'],
      denyCommands: [],
      changeHosts: ['*.test.example'],
      changeHoursUtc: ['22:00-04:30'],
      ticket: 'CHG-*',
    };
    assert.deepEqual(readRules(rules), { rules, fault: null });
    assert.deepEqual(readRules({}), { rules: {}, fault: null });
  });
  for (const [document, fault] of /** @type {[unknown, RegExp][]} */ ([
    [null, /not a list of rules/],
    [[], /not a list of rules/],
    ['readOnly', /not a list of rules/],
    [new Map([['readOnly', true]]), /not a list of rules/],
    [new Set(['readOnly']), /not a list of rules/],
    [new Date(0), /not a list of rules/],
    [new Uint8Array(), /not a list of rules/],
    [{ readonly: true }, /"readonly" is not a rule/],
    [{ readOnly: 'yes' }, /readOnly must be true or false/],
    [{ allowCommands: 'status' }, /allowCommands must be a list/],
    [{ denyCommands: [7] }, /denyCommands must be a list/],
    [{ changeHosts: [''] }, /changeHosts must be a list/],
    [{ changeHoursUtc: ['22-4'] }, /changeHoursUtc must be a list of spans/],
    [{ changeHoursUtc: ['22:00-22:00'] }, /changeHoursUtc/],
    [{ changeHoursUtc: ['22:00-24:30'] }, /changeHoursUtc/],
    [{ ticket: '' }, /ticket must be a pattern/],
    [JSON.parse('{"__proto__": {"readOnly": false}}'), /"__proto__" is not a rule/],
  ]))
    it(`a fault: ${JSON.stringify(document)}`, () => {
      const read = readRules(document);
      assert.deepEqual(read.rules, {});
      assert.match(String(read.fault), fault);
    });
});

describe('policy: a file of another YAML type than a map', () => {
  for (const text of [
    '!!omap\n- readOnly: true\n',
    '!!set\n? readOnly\n',
    '%YAML 1.1\n---\n!!timestamp 2026-01-01\n',
    '%YAML 1.1\n---\n2026-01-01\n',
    '%YAML 1.1\n---\n!!binary ""\n',
  ])
    it(`${JSON.stringify(text)} forbids changes`, () => {
      const folder = temporaryFolder('policy');
      const systemFile = path.join(folder.path, 'policy.yaml');
      fs.writeFileSync(systemFile, text);
      const { sources } = readPolicy(path.join(folder.path, 'home'), { systemFile, env: {} });
      folder.remove();
      assert.match(String(sources[0].fault), /not a list of rules/);
      assert.notEqual(ruleOf(sources, change()), null);
    });
});

describe('policy: a call', () => {
  it('without a policy everything may run', () => {
    assert.equal(ruleOf([], change()), null);
    assert.equal(ruleOf([source({})], change()), null);
  });
  it('readOnly refuses what was confirmed, and nothing else', () => {
    const sources = [source({ readOnly: true })];
    assert.equal(ruleOf(sources, change()), 'readOnly');
    assert.equal(ruleOf(sources, change({ isChange: false })), null);
    assert.equal(ruleOf([source({ readOnly: false })], change()), null);
  });
  it('each source must allow it: none widens another', () => {
    const narrow = source({ allowCommands: ['status'] }, '/etc');
    const shows = { name: 'policy', isChange: false, now: new Date() };
    assert.equal(refusalOfCall([narrow], shows), null, 'what holds can always be seen');
    const wide = source({ allowCommands: ['*'], readOnly: false }, '/home');
    for (const sources of [
      [narrow, wide],
      [wide, narrow],
    ]) {
      assert.equal(refusalOfCall(sources, change())?.from, '/etc');
      assert.equal(ruleOf(sources, change({ name: 'status', isChange: false })), null);
    }
  });
  it('a file that cannot be used forbids changes, and lets what only reads run', () => {
    const sources = [source({}, '/etc', 'it is not a file')];
    assert.equal(ruleOf(sources, change()), 'fault');
    assert.equal(ruleOf(sources, change({ isChange: false })), null);
  });
  it('commands by pattern; what is denied stays denied where it is allowed as well', () => {
    const sources = [source({ allowCommands: ['split.*', 'status'], denyCommands: ['*.run'] })];
    assert.equal(ruleOf(sources, change({ name: 'split.plan' })), null);
    assert.equal(ruleOf(sources, change({ name: 'split.run' })), 'denyCommands');
    assert.equal(ruleOf(sources, change({ name: 'split' })), 'allowCommands');
    assert.equal(ruleOf(sources, change({ name: 'STATUS' })), null);
    assert.equal(
      ruleOf([source({ denyCommands: ['split'] })], change({ name: 'split.run' })),
      'denyCommands',
    );
    assert.equal(
      ruleOf([source({ allowCommands: ['split'] })], change({ name: 'split.run' })),
      'allowCommands',
    );
    assert.equal(ruleOf([source({ allowCommands: [] })], change()), 'allowCommands');
  });
  it('a part of another command: denied as by itself, allowed with that one', () => {
    const sources = [source({ allowCommands: ['report'] }), source({ denyCommands: ['bench'] })];
    assert.equal(refusalOfPart(sources, 'advise'), null);
    assert.equal(refusalOfPart(sources, 'bench.steps')?.rule, 'denyCommands');
    assert.equal(refusalOfPart([source({})], 'bench'), null);
  });
  it('hours in UTC, also past midnight', () => {
    const at = (/** @type {string} */ time) => new Date(`2026-03-01T${time}:00Z`);
    const night = [source({ changeHoursUtc: ['22:00-04:30'] })];
    for (const time of ['22:00', '23:59', '00:00', '04:29'])
      assert.equal(ruleOf(night, change({ now: at(time) })), null, time);
    for (const time of ['04:30', '12:00', '21:59'])
      assert.equal(ruleOf(night, change({ now: at(time) })), 'changeHoursUtc', time);
    const two = [source({ changeHoursUtc: ['01:00-02:00', '11:30-24:00'] })];
    assert.equal(ruleOf(two, change()), null);
    assert.equal(ruleOf(two, change({ now: at('02:00') })), 'changeHoursUtc');
  });
  it('a ticket by pattern', () => {
    const sources = [source({ ticket: 'CHG-*' })];
    assert.equal(ruleOf(sources, change()), 'ticket');
    assert.equal(ruleOf(sources, change({ ticket: 'INC-1' })), 'ticket');
    assert.equal(ruleOf(sources, change({ ticket: 'chg-1' })), null);
  });
  it('hosts by pattern, with or without the port', () => {
    const sources = [source({ changeHosts: ['db-*.test.example', 'a:27018'] })];
    for (const names of [
      ['db-1.test.example:27017', 'db-1.test.example'],
      ['a:27018', 'a'],
    ])
      assert.equal(refusalOfHost(sources, names), null);
    for (const names of [['a:27017', 'a'], ['db-1.test.example.evil'], []])
      assert.equal(refusalOfHost(sources, names)?.rule, 'changeHosts');
  });
  it('a pattern matches its parts in order, and never twice the same characters', () => {
    const is = (/** @type {string} */ pattern, /** @type {string} */ name) =>
      refusalOfHost([source({ changeHosts: [pattern] })], [name]) === null;
    assert.ok(is('*', '') && is('a*b*c', 'aXXbYYc') && is('a*a', 'aa') && is('**', 'x'));
    assert.ok(
      !is('a*a', 'a') && !is('ab*ba', 'aba') && !is('a*b*c', 'acb') && !is('a*c*b*c', 'abc'),
    );
    assert.ok(!is('a.b', 'axb'));
    const hostile = `${'*a'.repeat(2000)}b`;
    assert.ok(!is(hostile, 'a'.repeat(5000)));
  });
});

describe('policy: what a server may be sent without confirm', () => {
  it('reading commands only; one that nobody thought of counts as one that writes', () => {
    for (const spec of [
      { serverStatus: 1 },
      { getParameter: '*' },
      { whatsmyuri: 1 },
      { getShardMap: 1 },
      { shardingState: 1 },
      { profile: -1 },
      { aggregate: 'c', pipeline: [{ $match: {} }] },
      { whatsmyuri: 1 },
      { getShardMap: 1 },
      { shardingState: 1 },
    ])
      assert.ok(isReading(spec), JSON.stringify(spec));
    for (const spec of [
      { setParameter: 1, wiredTigerEngineRuntimeConfig: 'cache_size=1G' },
      { profile: 0 },
      { profile: 2 },
      { profile: -1, slowms: 0 },
      { insert: 'c' },
      { applyOps: [] },
      { aggregate: 'c', pipeline: [{ $match: {} }, { $out: 'd' }] },
      { aggregate: 'c', pipeline: [{ $merge: 'd' }] },
      { aggregate: 'c', pipeline: 'x' },
      { explain: { find: 'c' } },
      { constructor: 1 },
      { killOp: 1 },
      { shutdown: 1 },
      {},
    ])
      assert.ok(!isReading(/** @type {any} */ (spec)), JSON.stringify(spec));
  });
});

describe('policy: what a server may be sent at all', () => {
  it('what is in the lists, and of all parameters one', () => {
    for (const name of [...Object.keys(READING), ...Object.keys(WRITING)])
      assert.ok(isKnown({ [name]: name === 'profile' ? -1 : 1 }), name);
    assert.ok(isKnown({ setParameter: 1, wiredTigerEngineRuntimeConfig: 'x', comment: 'c' }));
    for (const spec of [
      { setParameter: 1, logLevel: 5 },
      { profile: 0 },
      { setParameter: 1, wiredTigerEngineRuntimeConfig: 'x', syncdelay: 1 },
      { shutdown: 1 },
      { eval: 'x' },
      { toString: 1 },
      {},
    ])
      assert.ok(!isKnown(/** @type {any} */ (spec)), JSON.stringify(spec));
  });

  it('nothing that no file of lib sends is in the lists', () => {
    const lib = path.join(__dirname, '../../../lib');
    const code = fs
      .readdirSync(lib, { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.js') && !file.endsWith('server-commands.js'))
      .map((file) => fs.readFileSync(path.join(lib, file), 'utf8'))
      .join('\n');
    for (const name of [...Object.keys(READING), ...Object.keys(WRITING)])
      assert.match(code, new RegExp(`\\{\\s*${name}: |['"]${name}['"]|\\.${name}\\(`), name);
  });

  const permitOf = () =>
    new CallPermit({ name: 'apply', isChanging: true, send: async () => ({}), sources: () => [] });
  it('a call that was confirmed sends nothing else, and one that was not nothing that writes', async () => {
    const permit = permitOf();
    const { check } = permit.guard(async () => ({}));
    assert.throws(() => check({ setParameter: 1 }), { code: 'TUNE-90001', value: 'setParameter' });
    await permit.begin({ confirm: true });
    await check({ setParameter: 1 });
    for (const spec of [{ shutdown: 1 }, {}, { setParameter: 1, logLevel: 5 }])
      assert.throws(() => check(/** @type {any} */ (spec)), { code: 'TUNE-90001' });
  });
  it('what a shell can reach of a call does not open it', () => {
    const permit = Object.assign(permitOf(), { mayWrite: true });
    assert.throws(() => permit.guard(async () => ({})).check({ setParameter: 1 }), /not confirmed/);
    assert.throws(() => {
      CallPermit.prototype.begin = async () => {};
    }, TypeError);
    for (const file of ['call-permit', 'policy-sources', 'pure/server-commands'])
      assert.ok(Object.isFrozen(require(`../../../lib/policy/${file}`)), file);
  });
});

describe('policy: where it comes from', () => {
  const folder = () => temporaryFolder('policy').path;
  /** @param {string | null} text @param {string | null} system */
  function read(text, system = null, env = {}) {
    const home = folder();
    const systemFile = path.join(folder(), 'policy.yaml');
    if (text !== null) fs.writeFileSync(path.join(home, 'policy.yaml'), text);
    if (system !== null) fs.writeFileSync(systemFile, system);
    return readPolicy(home, { systemFile, env });
  }

  it('from nowhere where there is none, and says where it would be', () => {
    const { sources, places } = read(null);
    assert.deepEqual(sources, []);
    assert.equal(places.length, 3);
    assert.match(
      renderPolicy({ readOnly: false, sources, places }, plain),
      /^No policy limits tune/,
    );
  });
  it('from the environment', () => {
    for (const value of ['1', 'true', ' YES ', 'enabled', 'y', '2'])
      assert.deepEqual(read(null, null, { MONGOSH_TUNE_READ_ONLY: value }).sources, [
        { from: 'MONGOSH_TUNE_READ_ONLY', rules: { readOnly: true }, fault: null },
      ]);
    for (const value of ['0', 'no', '', ' Off '])
      assert.deepEqual(read(null, null, { MONGOSH_TUNE_READ_ONLY: value }).sources, []);
  });
  it('from the environment that the process began with, whatever became of it', () => {
    const script =
      "delete process.env.MONGOSH_TUNE_READ_ONLY; console.log(require('./lib/policy/policy-sources')" +
      ".readPolicy('/none', { systemFile: '/none', env: {} }).sources.length)";
    const { stdout } = spawnSync(process.execPath, ['-e', script], {
      cwd: path.join(__dirname, '../../..'),
      env: { MONGOSH_TUNE_READ_ONLY: '1' },
      encoding: 'utf8',
    });
    assert.equal(stdout.trim(), process.platform === 'linux' ? '1' : '0');
  });
  it('from both files, YAML or JSON, the system first', () => {
    const { sources } = read('readOnly: false\n', '{"ticket": "CHG-*"}');
    assert.deepEqual(
      sources.map(({ rules }) => rules),
      [{ ticket: 'CHG-*' }, { readOnly: false }],
    );
  });
  it('a file that is broken, empty, too large, or a folder is a fault', () => {
    for (const text of ['readOnly: [', '', 'a: 1\na: 2\n', `# ${'x'.repeat(300 * 1024)}`, '- 1'])
      assert.ok(read(text).sources[0].fault, text.slice(0, 20));
    const home = folder();
    fs.mkdirSync(path.join(home, 'policy.yaml'));
    assert.equal(
      readPolicy(home, { systemFile: path.join(home, 'none'), env: {} }).sources[0].fault,
      'it is not a file',
    );
  });
  it('a link to what is away, and a path through a file, are faults', () => {
    const [home, away] = [folder(), folder()];
    fs.symlinkSync(path.join(away, 'none.yaml'), path.join(home, 'policy.yaml'));
    const mount = path.join(away, 'mount');
    fs.symlinkSync(path.join(away, 'gone'), mount);
    fs.writeFileSync(path.join(away, 'file'), '');
    for (const name of ['mount', 'mount/a/b', 'file'])
      assert.equal(
        readPolicy(home, { systemFile: path.join(away, name, 'policy.yaml'), env: {} }).sources
          .length,
        2,
        name,
      );
  });
  it('a file under another name is a fault: it is not read', () => {
    for (const name of ['policy.yml', 'policy.json', 'Policy.yaml']) {
      const home = folder();
      fs.writeFileSync(path.join(home, name), 'readOnly: true');
      fs.writeFileSync(path.join(home, 'policy.yaml~'), '');
      const { sources } = readPolicy(home, { systemFile: path.join(folder(), 'none'), env: {} });
      assert.deepEqual(
        sources.map(({ fault }) => fault),
        ['its name is not policy.yaml, so it is not read'],
      );
    }
  });
  it('a name that no command has is a fault', () => {
    const at = (/** @type {string} */ text) => {
      const home = folder();
      fs.writeFileSync(path.join(home, 'policy.yaml'), text);
      const commands = () => ['apply', 'split', 'split.run'];
      return readPolicy(home, { systemFile: path.join(home, 'none'), env: {}, commands })
        .sources[0];
    };
    for (const name of ['tune.apply', 'aply', 'bench.*'])
      assert.match(String(at(`denyCommands: ["${name}"]`).fault), /names no command/);
    for (const name of ['apply', 'split.*', '*', 'SPLIT'])
      assert.equal(at(`allowCommands: ["${name}"]`).fault, null);
  });
  it('as text: each rule a sentence', () => {
    const rules = {
      readOnly: true,
      allowCommands: ['status'],
      denyCommands: [],
      changeHosts: ['a'],
      changeHoursUtc: ['22:00-04:30'],
      ticket: 'CHG-*',
    };
    const text = renderPolicy(
      {
        readOnly: true,
        sources: [source(rules, '/etc/p'), source({}, '/home/p', 'it is new')],
        places: [],
      },
      plain,
    );
    assert.match(text, /^tune may change nothing here\n\/etc\/p\n {2}Nothing may be changed\.\n/);
    assert.match(text, /Changes are allowed 22:00-04:30, in UTC by the clock of this computer\./);
    assert.match(text, /These commands do not run: none\./);
    assert.match(text, /matches CHG-\*: \{ confirm: true, ticket: "…" \}/);
    assert.match(text, /\/home\/p\n.*The file cannot be used, so nothing is changed: it is new\./);
    assert.match(
      renderPolicy({ readOnly: false, sources: [source({ readOnly: false })], places: [] }, plain),
      /^tune is limited here\nf$/,
    );
  });
});
