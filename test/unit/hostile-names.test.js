'use strict';

const assert = require('node:assert/strict');
const path = require('node:path');
const vm = require('node:vm');
const { spawnSync } = require('node:child_process');
const { HOSTILE, assertHarmless, poisoned } = require('../support/hostile');
const answers = require('../support/answers');
const { sourceFiles } = require('../support/source-files');
const { viewOf } = require('./report/screen/view');
const { defectsOf } = require('../../lib/defects/pure/defects');
const { changesBetween, defectsBetween, pathOf } = require('../../lib/upgrade/pure/upgrade');
const { makeConfig } = require('../../lib/config/effective-config');
const { lintString } = require('../../lib/config/lint/lint-string');
const { incidentOf } = require('../../lib/incident/pure/incident');
const { loweredTrigger, readOf } = require('../support/incident-events');
const { printYaml, parseYaml } = require('../../lib/base/pure/yaml');

/**
 * Whoever names a collection shall not paint our screen, run in our page or in a script of ours:
 * every function that renders, with every name.
 */

const plain = (/** @type {string} */ text) => text;
const at = new Date(Date.UTC(2026, 0, 2));
const answer = (/** @type {string} */ name) => /** @type {any} */ (answers)[name].answer;
const render = (/** @type {string} */ file) => require(`../../lib/${file}`);
const { config } = makeConfig({
  startup: { opened: null, cacheSizeGB: 1, configString: 'cache_size=1G', syncPeriodSecs: null },
  runTime: [{ kind: 'set', config: 'eviction_target=70', id: 'x' }],
  memoryBytes: 2 ** 34,
  live: {},
});
const CHANGED = {
  id: 'c1',
  host: 'h:1',
  dryRun: true,
  change: { cacheSizeGB: 0.5 },
  before: { cacheSizeGB: 0.25 },
  after: null,
  verified: null,
  steps: [{ kind: 'set', config: 'cache_size=512M' }],
  rampCommands: ['cache_size=600M'],
  warnings: ['watch out'],
  conf: '# For h:1\na: 1\n',
  lostAtRestart: true,
  undo: 'tune.undo("x")',
  confirm: 'tune.apply(…)',
};
const ROW = {
  id: 's1',
  ownId: 's1:app.c',
  from: 'app.c',
  into: 'app2.c',
  phase: 'switched',
  mode: 'online',
  method: 'out',
  documents: 1200,
  copied: 1200,
  changesApplied: 34,
  waiting: 1,
  since: at,
  history: [
    { phase: 'planned', at },
    { phase: 'following', at },
  ],
  renamedTo: 'app.c__aside_s1',
  stagingName: 'app2.c__tune_s1',
  kept: 'app.c__aside_s1',
  verified: { at, documents: 1, differences: 0 },
  reads: 'view',
  cutAt: at,
  heldBy: { who: 'host, process 1', until: at },
  next: 'tune.split.finish("s1")',
  nextBack: 'tune.split.rollback("s1")',
  does: null,
};
/** By other sessions. */
const RENAMED = [
  { renamedAs: 'app2.other', viewInPlace: false, nameTaken: true, renameTo: 'c_other' },
  { gone: 'target', viewInPlace: false, nameTaken: true, otherView: 'createView("c")' },
  { phase: 'rolled-back', movedBy: 's2:app.c' },
  { phase: 'rolled-back', otherSplit: 's2:app.c' },
  { phase: 'following', gone: 'source' },
];
const TTL = {
  at,
  host: 'h',
  work: {
    deletedDocuments: 500,
    passes: 10,
    uptimeSeconds: 600,
    deletedPerSec: 0.83,
    deletedPerPass: 50,
    enabled: true,
    everySeconds: 60,
  },
  collections: 3,
  unknown: 1,
  hours: null,
  quiet: { startHour: 1, lengthHours: 4, ratio: 0.3 },
  undesigned: [],
  notes: ['something.'],
  indexes: [
    {
      ns: 'd.c',
      kind: 'index',
      index: 'at_1',
      field: 'at',
      expireAfterSeconds: 3600,
      documents: 200,
      expiry: null,
      quietRatio: null,
    },
  ],
  designs: [{ ns: 'd.c', indexes: ['at_1'], steps: [{ what: 'first this', command: 'db.one()' }] }],
};
const AUTO = {
  host: 'h:1',
  dryRun: false,
  bottleneck: 'cache-read',
  because: 'It does not fit.',
  minutes: 15,
  seconds: 400,
  metric: 'opsPerSec',
  dimensions: [],
  path: [
    {
      kind: 'full',
      change: { cacheSizeGB: 1 },
      verdict: 'worse',
      because: 'The guardrail.',
      ratio: null,
      low: null,
      high: null,
      kept: false,
      seconds: 4,
      warnings: ['It may come.'],
      undo: null,
    },
  ],
  change: { cacheSizeGB: 1 },
  effective: { cacheSizeGB: 1 },
  ended: 'complete',
  endedBecause: 'It broke.',
  conf: '# For h\nstorage:\n',
  undo: ['tune.undo("b")'],
  confirm: null,
};
const COMPARED = {
  files: ['monday.ndjson'],
  from: at,
  to: at,
  samples: 61,
  bottleneck: 'cache-read',
  because: '',
  rows: [
    {
      series: 'opsPerSec',
      usual: { before: 1, now: 2, ratio: 2 },
      max: { before: 1, now: 2, ratio: 2 },
    },
  ],
};
const WHO = {
  host: 'h',
  version: '6.0.5',
  window: { from: at, to: at, seconds: 10 },
  lostSeconds: 5,
  lostThreads: 0.5,
  lost: { reading: 5 },
  explainedRatio: 1,
  culprit: {
    say: 'A query reads it.',
    evidence: ['plan COLLSCAN'],
    remedy: 'An index.',
    explain: 'db.c.find({ a: 1 })',
    index: { keys: { a: 1 }, command: 'db.c.createIndex({ a: 1 })', bytes: 1, cost: 'writes' },
  },
  rows: [
    {
      task: null,
      ns: 'd.c',
      app: 'web',
      shape: 'find { a: ? }',
      share: 1,
      lostSeconds: 5,
      seconds: 6,
      logged: 1,
      examined: 1,
      lost: { reading: 5 },
    },
  ],
  hiddenRows: 0,
  unseen: { lostSeconds: 0, share: 0 },
  sources: { operationSamples: 10, slowOperations: 1, profiled: 0 },
  notes: ['a note'],
};
const ENTRY = {
  id: 'c1',
  at: '2026-01-01T00:00:00Z',
  host: 'h',
  change: { cacheSizeGB: 1 },
  action: 'undo',
  undoes: 'c0',
  outcome: 'applied',
  undo: 'tune.undo("c1")',
};
const SHOWN_DEFECTS = defectsOf({
  version: '6.0.5',
  values: { 'zlib.isAccepted': 1, 'cache.historyRatio': 0.3 },
  logSignatures: {},
});
const EXPLAINED = {
  rule: 'dirty-ratio',
  area: 'cache',
  title: 'Dirty data',
  why: 'x',
  threshold: 'x',
  source: 'x',
  advice: 'x',
  whenNot: 'x',
  needs: ['cache.dirtyRatio'],
  wants: [],
  thresholds: { fullRatio: 0.9 },
  aliases: ['former'],
};

const INCIDENT = incidentOf(readOf(loweredTrigger(), { notes: ['a note'] }));

const MEMBER = {
  host: 'h:1',
  role: 'primary',
  isUp: true,
  isHidden: true,
  isArbiter: false,
  delaySeconds: 5,
  votes: 0,
  priority: 0,
  reached: true,
  why: null,
  lagSeconds: 1,
  cache: null,
  version: '6.0.5',
  memoryBytes: 1,
  cores: 2,
  settings: null,
  bottleneck: null,
  because: null,
  findings: [],
};

/**
 * What each function renders, by its file: a new one must be put in.
 * @type {Record<string, (poison: (value: any) => any) => string | string[]>}
 */
const RENDERED = {
  'diagnose/advice-text': (p) =>
    render('diagnose/advice-text').renderAdvice(p(answer('advice')), plain),
  'change/pure/change-text': (p) => [
    render('change/pure/change-text').renderChange(p(CHANGED), plain),
    render('change/pure/change-text').renderChange(
      p({ ...CHANGED, dryRun: false, verified: true }),
      plain,
    ),
  ],
  'trial/pure/search-text': (p) => [
    render('trial/pure/search-text').renderAuto(p(AUTO), plain),
    render('trial/pure/search-text').renderAuto(p({ ...AUTO, ended: 'refused' }), plain),
  ],
  'bench/pure/bench-text': (p) => [
    render('bench/pure/bench-text').renderMeasured(p(answer('bench')), plain),
    render('bench/pure/bench-text').renderPlanned(p(answer('a bench that is shown')), plain),
    ...[
      [true, false],
      [true, true],
      [false, false],
    ].map(([found, dropped]) =>
      render('bench/pure/bench-text').renderCleaned(
        p({ dryRun: true, database: 'x', found, dropped }),
        plain,
      ),
    ),
  ],
  'bench/pure/compare-text': (p) => [
    render('bench/pure/compare-text').renderCompared(p(answer('servers')), plain),
    render('bench/pure/compare-text').renderCompared(p(answer('servers that are shown')), plain),
  ],
  'check/pure/check-text': (p) =>
    render('check/pure/check-text').renderCheck(
      p({
        ...answer('advice'),
        status: 'critical',
        suppressed: [{ ...answer('advice').findings[0], reason: 'x', until: '2027-01-01' }],
        inBaseline: answer('advice').findings,
        perfdata: [],
      }),
      plain,
    ),
  'commands/pure/checkpoints-text': (p) =>
    render('commands/pure/checkpoints-text').renderCheckpoints(p(answer('checkpoints')), plain),
  'commands/pure/collections-text': (p) =>
    render('commands/pure/collections-text').renderCollections(p(answer('collections')), plain),
  // Symptoms are told in words of our own alone.
  'commands/pure/symptom-text': () =>
    render('commands/pure/symptom-text').renderSymptoms(
      { all: false, symptoms: render('commands/pure/symptoms').SYMPTOMS },
      plain,
    ),
  'commands/pure/who-text': (p) => render('commands/pure/who-text').renderWho(p(WHO), plain),
  'change/pure/settings-text': (p) =>
    render('change/pure/settings-text').renderConfig(
      {
        ...config,
        evictionTarget: { ...config.evictionTarget, by: p('by') },
        ...p({
          host: 'h',
          version: '6.0.5',
          drift: [{ setting: 'cacheSizeGB', say: 'x' }],
          notes: ['a note'],
        }),
        complete: true,
      },
      plain,
    ),
  'defects/pure/defects-text': (p) =>
    render('defects/pure/defects-text').renderDefects(
      p({
        ...SHOWN_DEFECTS,
        host: 'h:1',
        role: 'primary',
        version: '6.0.5',
        upgradeTo: '6.0.27',
        notes: ['x'],
      }),
      plain,
    ),
  'upgrade/pure/upgrade-text': (p) =>
    render('upgrade/pure/upgrade-text').renderUpgrade(
      p({
        host: 'h:1',
        role: 'primary',
        version: '6.0.5',
        to: '8.0.17',
        path: pathOf('6.0.5', '8.0.17'),
        changes: changesBetween('6.0.5', '8.0.17', null),
        gone: [{ where: 'option', name: 'x', what: 'gone', todo: 'Remove it.' }],
        ...defectsBetween('6.0.5', '8.0.17'),
        shownNow: ['WT-10253'],
        order: ['a:1', 'b:2'],
        notes: ['x'],
      }),
      plain,
    ),
  'config/drift-text': (p) =>
    render('config/drift-text').renderDrift(
      p({
        host: 'h:1',
        version: '6.0.5',
        file: '/etc/mongod.conf',
        fileRead: true,
        comparedWith: ['b:2'],
        drift: ['file', 'command-line', 'runtime', 'members'].map((kind) => ({
          kind,
          name: 'net.port',
          running: '1',
          other: '2',
          hosts: ['b:2'],
        })),
        notes: ['x'],
      }),
      plain,
    ),
  'rules/rule-text': () => [
    render('rules/rule-text').renderExplanation(EXPLAINED, plain),
    render('rules/rule-text').renderRules([EXPLAINED], plain),
  ],
  // Like rules, errors are explained in words of our own alone.
  'commands/pure/error-text': () => {
    const { explainError, renderError } = render('commands/pure/error-text');
    return renderError(explainError('TUNE-20005'), plain);
  },
  'cluster/pure/fleet-text': (p) =>
    render('cluster/pure/fleet-text').renderFleet(
      p({
        servers: 1,
        seconds: 1,
        statuses: {},
        states: {},
        bottlenecks: { [p('x')]: 1 },
        versions: { [p('6.0.5')]: 1 },
        notes: ['x'],
        rows: [
          {
            name: 'h',
            status: 'critical',
            state: 'examined',
            bottleneck: 'disk',
            findings: answer('advice').findings,
            error: null,
          },
          {
            name: 'h',
            status: 'unknown',
            state: 'refused',
            bottleneck: null,
            findings: [],
            error: { why: 'x' },
          },
        ],
      }),
      20,
      plain,
    ),
  'cluster/pure/rollout-text': (p) =>
    [true, false].map((dryRun) =>
      render('cluster/pure/rollout-text').renderGroup(
        p({
          id: 'g',
          action: 'apply',
          undoes: null,
          dryRun,
          verified: true,
          warnings: ['x'],
          undo: 'tune.undo("g")',
          confirm: 'tune.apply(x)',
          members: [1, 2].map((n) => ({
            ...CHANGED,
            member: `h:${n}`,
            role: 'secondary',
            commands: [{ wiredTigerEngineRuntimeConfig: `x=${n}` }],
          })),
        }),
        plain,
      ),
    ),
  'change/pure/history-text': (p) => [
    render('change/pure/history-text').renderHistory(
      p({ entries: [ENTRY], notes: ['x'], all: true }),
      plain,
    ),
    render('change/pure/history-text').renderHistory(
      p({ entries: [], notes: ['x'], all: false }),
      plain,
    ),
  ],
  'policy/pure/policy-text': (p) => [
    render('policy/pure/policy-text').renderPolicy(
      p({
        readOnly: true,
        places: ['x'],
        sources: [
          { from: 'x', rules: {}, fault: 'x' },
          {
            from: 'x',
            rules: { allowCommands: ['x'], changeHosts: ['x'], ticket: 'x' },
            fault: null,
          },
        ],
      }),
      plain,
    ),
    render('policy/pure/policy-text').renderPolicy(
      p({ readOnly: false, places: ['x'], sources: [] }),
      plain,
    ),
  ],
  'host/pure/host-text': (p) => [
    render('host/pure/host-text').renderHost(p(answer('host')), plain),
    render('host/pure/host-text').renderAllOfHost(p(answer('host')), plain),
  ],
  'bench/pure/steps-text': (p) => [
    render('bench/pure/steps-text').renderSteps(
      p(answer('a sequence of steps that failed')),
      plain,
    ),
    render('bench/pure/steps-text').renderSteps(
      p(answer('a sequence of steps that is shown')),
      plain,
    ),
    render('bench/pure/steps-text').renderSteps(p(answer('steps')), plain),
  ],
  'config/lint/lint-text': (p) => {
    const text = p('cache_size=x');
    return render('config/lint/lint-text').renderLint(
      {
        ok: false,
        problems: [
          ...lintString(text, { version: '6.0.5', at: 'runtime' }),
          ...p([{ level: 'error', key: 'x', say: 'x', position: 0, todo: 'x' }]),
        ].map((problem) => ({ ...problem, line: 1 })),
        version: '6.0.5',
        kind: 'file',
        file: p('mongod.conf'),
      },
      text,
      plain,
    );
  },
  'cluster/pure/members-text': (p) =>
    render('cluster/pure/members-text').renderMembers(
      p({
        kind: 'sharded cluster',
        notes: ['x'],
        sets: [
          {
            name: 'rs0',
            shard: 'shard1',
            findings: answer('advice').findings,
            members: [
              { ...MEMBER, ...answer('advice'), role: MEMBER.role },
              { ...MEMBER, reached: false, why: 'no way' },
            ],
          },
        ],
      }),
      plain,
    ),
  'recording/pure/recorded-text': (p) => [
    render('recording/pure/recorded-text').renderCompared(p(COMPARED), 'none', plain),
    render('recording/pure/recorded-text').renderRecord(
      p({
        file: 'f',
        bytes: 1,
        host: 'h',
        samples: 2,
        seconds: 1,
        ended: 'complete',
        notes: ['x'],
      }),
      plain,
    ),
    render('recording/pure/recorded-text').renderRecorded(
      p(answer('a recording of nothing')),
      null,
      plain,
    ),
  ],
  'split/pure/split-text': (p) => [
    render('split/pure/split-text').renderSplits(
      p({
        command: 'tune.split.status',
        dryRun: false,
        splits: [
          ROW,
          { ...ROW, does: ['It does.'] },
          ...RENAMED.map((more) => ({ ...ROW, ...more })),
        ],
        confirm: 'tune.split.run()',
      }),
      plain,
    ),
  ],
  'split/pure/plan-text': (p) => [
    render('split/pure/plan-text').renderSplitPlan(p(answer('split')), plain),
    render('split/pure/plan-text').renderSplitPlan(p(answer('a split in the way')), plain),
    render('split/pure/plan-text').renderSplitPlan(p(answer('a split by hash')), plain),
  ],
  'server/pure/status-text': (p) =>
    render('server/pure/status-text').renderStatus(p(answer('status')), plain),
  'trial/pure/trial-text': (p) => [
    render('trial/pure/trial-text').renderTrial(p(answer('trial')), plain),
    render('trial/pure/trial-text').renderTrial(p(answer('a trial that is shown')), plain),
  ],
  'commands/pure/ttl-text': (p) => render('commands/pure/ttl-text').renderTtl(p(TTL), plain),
  'watch/pure/watch-text': (p) => [
    ...render('watch/pure/watch-text')
      .makeWatchLines()
      .title(p({ host: 'h', version: '6.0.5', role: 'primary' })),
    render('watch/pure/watch-text').renderWatched(p(answer('watched')), plain),
  ],
  'incident/pure/incident-text': (p) => [
    render('incident/pure/incident-text').renderIncident(p(INCIDENT), plain),
    render('incident/pure/incident-text').renderWholeIncident(p(INCIDENT), plain),
  ],
  'incident/pure/bundle': (p) =>
    render('incident/pure/bundle').renderBundle(
      p({ file: 'f', bytes: 1, holds: ['x'], notes: ['x'] }),
      plain,
    ),
  'commands/pure/demo-text': (p) =>
    render('commands/pure/demo-text').renderDemo(
      {
        step: 'report',
        status: null,
        advice: null,
        explanation: null,
        page: p({ file: 'f', bytes: 1, of: ['an advice'], points: 1, sampleCount: 2 }),
        next: { call: '', shows: '' },
      },
      plain,
    ),
  'report/pure/written-files': (p) => [
    render('report/pure/written-files').renderWritten(
      p({ file: 'f', bytes: 1, of: ['an advice'], points: 1, snapshots: 2 }),
      plain,
    ),
    render('report/pure/written-files').renderMetricsFile(
      p({ file: 'f', server: 'h', series: 1, notes: ['x'] }),
      plain,
    ),
  ],
  'report/pure/screen/layout': (p) =>
    [80, 200].map((columns) =>
      render('report/pure/screen/layout')
        .draw(
          {
            ...viewOf(),
            ...p({
              host: 'h',
              version: '6',
              role: 'primary',
              members: viewOf().members,
              shownHost: 'x',
              events: viewOf().events,
              verdict: viewOf().verdict,
            }),
            message: null,
          },
          { columns, rows: 40 },
          plain,
        )
        .map(({ text }) => text)
        .join('\n'),
    ),
};
/**
 * Parts of the others, which get no names or hand them on, and those that have tests of their own
 * in which names are escaped by another rule.
 */
const PARTS = [
  'recording/pure/recorded-notes',
  'rules/rule-text',
  'text/bars',
  'text/chart',
  'text/fit',
  'text/interval',
  'text/layout',
  'text/report',
  'text/series-units',
  'text/table',
  'text/tones',
  'text/wrap',
  'trial/pure/trial-metrics-text',
];

describe('hostile names', () => {
  it('every file that renders is looked at', () => {
    const lib = path.join(__dirname, '../../lib');
    const files = sourceFiles(lib)
      .map((file) => path.relative(lib, file).replaceAll(path.sep, '/').slice(0, -3))
      .filter((name) =>
        /^text\/|^(config|diagnose|rules)\/.*-text$|\/pure\/.*-(text|notes)$|\/(bundle|written-files)$/.test(
          name,
        ),
      );
    assert.deepEqual(
      files.filter((name) => !PARTS.includes(name) && !(name in RENDERED)),
      [],
    );
  });
  for (const [file, texts] of Object.entries(RENDERED)) {
    it(file, () => {
      for (const [what, name] of Object.entries(HOSTILE)) {
        for (const text of [texts((value) => poisoned(value, name))].flat()) {
          try {
            assertHarmless(text);
          } catch (/** @type {any} */ error) {
            throw new Error(`${what}: ${error.message}\n${text}`, { cause: error });
          }
        }
      }
    });
  }
  it('a fragment of mongod.conf stays what it is', () => {
    for (const name of Object.values(HOSTILE)) {
      const text = printYaml({ storage: { dbPath: name } }, [`For ${name}, MongoDB 6.0.5.`]);
      const { value, faults } = parseYaml(text);
      assert.deepEqual([Object.keys(value), faults], [['storage'], []], text);
      assert.deepEqual(value.storage.dbPath.isWellFormed() ? value.storage.dbPath : name, name);
    }
  });
  it('a script of mongosh stays one, and names what it is about', () => {
    const { scriptOf } = require('../../lib/split/pure/script');
    const { literal } = require('../../lib/base/pure/printable');
    for (const name of Object.values(HOSTILE)) {
      const [move] = answer('split').moves;
      const plan = {
        ...answer('split'),
        host: name,
        from: name,
        into: [`${name}2`],
        warnings: [{ what: 'x', say: name }],
        views: [{ ns: `a.${name}`, into: `b.${name}` }],
        moves: [{ ...move, ns: `shop.${name}`, into: `shop2.${name}`, why: name }],
      };
      const script = scriptOf(/** @type {any} */ (plan));
      assertHarmless(script);
      assert.doesNotThrow(() => new vm.Script(`async () => {${script}\n}`), script);
      assert.equal(vm.runInNewContext(`(${literal({ name })}).name`), name);
    }
  });
  it('a script of the shell stays one, and does nothing that a name says', () => {
    const { collectingScript } = require('../../lib/host/host-scripts');
    const { quote, comment } = require('../../lib/host/pure/script-texts');
    for (const name of Object.values(HOSTILE)) {
      const script = collectingScript({
        host: name,
        port: 27017,
        dbPath: name,
        version: name,
        cacheBytes: 1,
      });
      assertHarmless(script.replaceAll('\t', ' '));
      const { status, stderr } = spawnSync('sh', ['-n'], { input: script, encoding: 'utf8' });
      assert.equal(status, 0, stderr);
      assert.doesNotMatch(comment(name), /[\n\r]/);
    }
    const echoed = spawnSync('sh', [], {
      input: Object.values(HOSTILE)
        .map((name) => `printf '%s\\0' ${quote(name)}`)
        .join('\n'),
      encoding: 'utf8',
    })
      .stdout.split('\0')
      .slice(0, -1);
    assert.deepEqual(
      echoed,
      Object.values(HOSTILE).map((name) => name.toWellFormed()),
    );
  });
});
