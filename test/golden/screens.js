'use strict';

// What every command prints, case by case, of answers that are kept: those of real servers in
// answers.json (see record.js), those of test/answers, and a few that no server at hand gives.

const fs = require('node:fs');
const path = require('node:path');
const { inspect } = require('node:util');
const { EJSON } = require('bson');
const { tune: tuneFor } = require('../../lib/node');
const { percent } = require('../../lib/base/pure/units');
const { report } = require('../../lib/text/report');
const { atWidth } = require('../../lib/text/wrap');
const { fromMemory, questions } = require('../answers/questions');
const { loweredTrigger, readOf } = require('../support/incident-events');

/**
 * @import { Ink } from '../../lib/base/types'
 */

/**
 * @typedef {(data: any, ink: Ink, chart: any) => string} Draw
 * @typedef {{ command: string, name: string, answer: () => any }} Case `name`: command and case, as
 *   the files are called
 */

/** @type {Record<string, { answer: any, chart?: any }>} */
const kept = EJSON.parse(fs.readFileSync(path.join(__dirname, 'answers.json'), 'utf8'));
const asked = questions();

const room = (/** @type {string} */ file) => require(`../../lib/${file}`);
/** How the answer of a command is drawn. @type {Record<string, Draw>} */
const DRAWN = {
  status: (data, ink) => room('server/pure/status-text').renderStatus(data, ink),
  advise: (data, ink) => room('diagnose/advice-text').renderAdvice(data, ink),
  check: (data, ink) => room('check/pure/check-text').renderCheck(data, ink),
  watch: (data, ink) => room('watch/pure/watch-text').renderWatched(data, ink),
  settings: (data, ink) => room('change/pure/settings-text').renderConfig(data, ink),
  drift: (data, ink) => room('config/drift-text').renderDrift(data, ink),
  defects: (data, ink) => room('defects/pure/defects-text').renderDefects(data, ink),
  upgrade: (data, ink) => room('upgrade/pure/upgrade-text').renderUpgrade(data, ink),
  history: (data, ink) =>
    room('change/pure/history-text').renderHistory(
      { all: false, host: data.entries[0]?.host ?? null, ...data },
      ink,
    ),
  apply: (data, ink) =>
    data.members
      ? room('cluster/pure/rollout-text').renderGroup(data, ink)
      : room('change/pure/change-text').renderChange(data, ink),
  undo: (data, ink) =>
    data.members
      ? room('cluster/pure/rollout-text').renderGroup(data, ink)
      : room('change/pure/change-text').renderChange({ ...data, action: 'undo' }, ink),
  trial: (data, ink, chart) =>
    room('trial/pure/trial-text').renderTrial(data, ink, chart && (() => chart)),
  auto: (data, ink) => room('trial/pure/search-text').renderAuto(data, ink),
  collections: (data, ink) => room('commands/pure/collections-text').renderCollections(data, ink),
  who: (data, ink) => room('commands/pure/who-text').renderWho(data, ink),
  checkpoints: (data, ink, chart) =>
    room('commands/pure/checkpoints-text').renderCheckpoints(data, ink, chart && (() => chart)),
  ttl: (data, ink) => room('commands/pure/ttl-text').renderTtl(data, ink),
  host: (data, ink) => room('host/pure/host-text').renderHost(data, ink),
  members: (data, ink) => room('cluster/pure/members-text').renderMembers(data, ink),
  fleet: (data, ink) => room('cluster/pure/fleet-text').renderFleet(data, 40, ink),
  record: (data, ink) => room('recording/pure/recorded-text').renderRecord(data, ink),
  report: (data, ink) => room('report/pure/written-files').renderWritten(data, ink),
  'report.compare': (data, ink) => room('report/pure/written-files').renderWritten(data, ink),
  metrics: (data, ink) => room('report/pure/written-files').renderMetricsFile(data, ink),
  bench: (data, ink) =>
    room('bench/pure/bench-text')[data.dryRun ? 'renderPlanned' : 'renderMeasured'](data, ink),
  'bench.clean': (data, ink) => room('bench/pure/bench-text').renderCleaned(data, ink),
  'bench.compare': (data, ink) => room('bench/pure/compare-text').renderCompared(data, ink),
  'bench.steps': (data, ink) => room('bench/pure/steps-text').renderSteps(data, ink),
  policy: (data, ink) => room('policy/pure/policy-text').renderPolicy(data, ink),
  'split.plan': (data, ink) => room('split/pure/plan-text').renderSplitPlan(data, ink),
  ...Object.fromEntries(
    ['run', 'status', 'verify', 'cutover', 'rollback', 'finish', 'abort', 'resume'].map((verb) => [
      `split.${verb}`,
      /** @type {Draw} */ (data, ink) => room('split/pure/split-text').renderSplits(data, ink),
    ]),
  ),
};

/** @param {string} command @param {any} data @param {any} [chart] */
const drawn = (command, data, chart) => report(data, (ink) => DRAWN[command](data, ink, chart));

/** The answers of real servers; a name is a command and a case. @returns {Case[]} */
const ofServers = () =>
  Object.entries(kept).map(([name, { answer, chart }]) => {
    const command = name.split(' ')[0];
    return {
      command,
      name: name.replaceAll(' ', '-'),
      answer: () => drawn(command, answer, chart),
    };
  });

/** What is asked of a recording, of a server from memory, and of texts. @type {Record<string, string>} */
const QUESTIONS = {
  'settings startup': 'settings',
  'drift startup': 'drift',
  'status startup': 'status',
  'ttl overdue': 'ttl',
  'members standalone': 'members',
  'apply two dry': 'apply, dry run',
  'lint order': 'lint: a target above its trigger',
  'lint unknown': 'lint: an unknown key',
  'lint file': 'lint: a mongod.conf',
  'lint ok': 'lint: sizes in bytes',
  'explain rule': 'explain: dirty-ratio',
  'explain host': 'explain: host-huge-pages',
  rules: 'rules',
};

const ROOT = path.join(__dirname, '..', '..');

const ofQuestions = () =>
  Object.entries(QUESTIONS).map(([name, question]) => ({
    command: name.split(' ')[0],
    name: name.replaceAll(' ', '-'),
    answer: asked[question],
  }));

/** Hosts that are kept as documents; their paths are those of any checkout. @returns {Case[]} */
const ofHosts = () =>
  ['container-cgroup2', 'ubuntu-zfs', 'debian-xfs'].map((name) => ({
    command: 'host',
    name: `host-${name}`,
    answer: async () => {
      const { place, ...answer } = await asked[`host: ${name}`]();
      return drawn('host', {
        ...answer,
        place: { ...place, say: place.say.replace(`${ROOT}${path.sep}`, '') },
      });
    },
  }));

/** @returns {Case[]} */
const cases = () => [
  ...ofServers(),
  ...ofQuestions(),
  ...ofHosts(),
  ...ofRecordings(),
  ...ofChanges(),
  ...ofOthers(),
];

/** Every verdict that a recording has: as advise and as replay print it. @returns {Case[]} */
const ofRecordings = () =>
  Object.keys(asked)
    .filter((name) => name.startsWith('replay: '))
    .flatMap((name) => {
      const kind = name.slice('replay: '.length);
      return [
        {
          command: 'advise',
          name: `advise-${kind}`,
          answer: async () => {
            const answer = await asked[name]();
            return drawn('advise', { ...answer, worst: undefined, others: undefined });
          },
        },
        ...(DRAWN_RECORDINGS.includes(kind)
          ? [
              { command: 'replay', name: `replay-${kind}`, answer: asked[name] },
              { command: 'ftdc', name: `ftdc-${kind}`, answer: asked[name] },
            ]
          : []),
      ];
    });
const DRAWN_RECORDINGS = ['steady-updates', 'updates-of-most-of-the-cache'];

/** A second server that is faster than the first. @param {any} first */
const FASTER = ({ opsPerSec, p95Ms, p99Ms }) => ({
  opsPerSec: 1.4 * opsPerSec,
  p95Ms: p95Ms / 1.4,
  p99Ms: p99Ms / 1.4,
  ratio: 1.4,
  low: 1.2,
  high: 1.6,
  verdict: 'faster',
});

/** The share of the writes that goes to the new database. @param {any} plan */
const movedShare = ({ loads }) =>
  loads[1].after /
  loads.reduce((/** @type {number} */ sum, /** @type {any} */ one) => sum + one.before, 0);

/** What a change is like that no short recording shows, made of one that was. @returns {Case[]} */
function ofChanges() {
  const of = (/** @type {string} */ name) => kept[name].answer;
  const conf = 'storage:\n  wiredTiger:\n    engineConfig:\n      cacheSizeGB: 1\n';
  const step = (/** @type {object} */ more) => ({
    because: 'With B throughput is higher.',
    seconds: 52,
    kept: false,
    warnings: [],
    undo: null,
    ...more,
  });
  const searched = {
    ...of('auto dry'),
    dryRun: false,
    confirm: null,
    seconds: 171,
    path: [
      step({ kind: 'short', change: { cacheSizeGB: 1 }, verdict: 'inconclusive', ratio: 1.5 }),
      step({ kind: 'short', change: { cacheSizeGB: 2 }, verdict: 'worse', ratio: 0.9 }),
      step({
        kind: 'full',
        change: { cacheSizeGB: 1 },
        verdict: 'better',
        ratio: 1.84,
        low: 1.52,
        high: 2.2,
        kept: true,
      }),
    ].map((one) => ({ low: null, high: null, ...one })),
    change: { cacheSizeGB: 1 },
    effective: { cacheSizeGB: 1 },
    ended: 'complete',
    undo: ['tune.undo("20261126205014-452661", { confirm: true })'],
    conf,
  };
  const status = of('split.status switched');
  const [row] = status.splits;
  const blockCall =
    `db.getSiblingDB("shop").createView("orders", "${row.kept.slice('shop.'.length)}", [{ $match: { $expr: ` +
    '{ $toInt: "shop.orders was moved to shop2.orders by mongosh-tune" } } }])';
  return [
    {
      name: 'apply-not-verified',
      answer: {
        ...of('apply'),
        after: { evictionThreadsMax: 4 },
        verified: false,
        warnings: ['Not as sent: evictionThreadsMax is 4, not 8.'],
      },
    },
    {
      name: 'split.plan-yes',
      answer: {
        ...of('split.plan no'),
        worthIt: 'yes',
        because:
          'Each database has its own directory here (directoryPerDB). With the new one on another ' +
          `disk, ${percent(movedShare(of('split.plan no')))} of the writes to shop go there. On the ` +
          'same disk nothing is gained: WiredTiger works on files, not databases.',
      },
    },
    { name: 'auto-better', answer: searched },
    {
      name: 'auto-interrupted',
      answer: {
        ...searched,
        path: searched.path.slice(0, 2),
        change: null,
        ended: 'interrupted',
        undo: [],
        conf: null,
      },
    },
    {
      name: 'check-warning',
      answer: {
        ...of('check critical'),
        status: 'warning',
        exitCode: 1,
        findings: of('check critical').findings.filter(
          (/** @type {any} */ { status }) => status === 'warning',
        ),
      },
    },
    {
      name: 'check-baseline',
      answer: {
        ...of('check critical'),
        findings: [],
        inBaseline: of('check critical').findings,
        status: 'ok',
        exitCode: 0,
      },
    },
    {
      name: 'split.status-open',
      answer: {
        ...status,
        splits: [
          { ...row, viewInPlace: false, nameTaken: true, blockCall, renameTo: 'orders_other' },
        ],
      },
    },
    { name: 'split.status-old-reads', answer: { ...status, splits: [{ ...row, reads: 'view' }] } },
    {
      name: 'split.status-copying',
      answer: {
        ...status,
        splits: [
          {
            ...row,
            phase: 'copying',
            copied: 7000,
            kept: null,
            heldBy: { who: 'db1, process 4711', until: new Date(Number(row.since) + 45_000) },
            next: `tune.split.resume("${row.id}", { confirm: true })`,
            nextBack: `tune.split.abort("${row.id}", { confirm: true })`,
          },
        ],
      },
    },
    {
      name: 'split.status-oplog-too-short',
      answer: {
        ...status,
        splits: [{ ...row, oplogFrom: new Date(Number(row.broughtOverAt) + 60_000) }],
      },
    },
    {
      name: 'split.verify-differences',
      answer: {
        ...of('split.verify'),
        splits: [
          {
            ...of('split.verify').splits[0],
            next: `tune.split.verify("${row.id}", { repair: true, confirm: true })`,
            verified: {
              at: row.since,
              documents: 20_000,
              differences: 7,
              pending: 0,
              ids: ['source', 'target', 'both', 'both', 'both', 'both'].map((where, id) => ({
                id,
                where,
              })),
            },
          },
        ],
      },
    },
    {
      name: 'bench-limited',
      answer: {
        ...of('bench'),
        ended: 'interrupted',
        clientBound: true,
        clientBoundBecause: 'the client processes had no CPU time left, the server had',
        ratePerSec: 12_000,
        stalls: { count: 2, longestMs: 7, totalMs: 12 },
        errors: { count: 3, byCode: [{ code: 11000, count: 3, message: 'duplicate key' }] },
        notFound: 12,
        notStarted: 4,
        notes: [],
      },
    },
    {
      name: 'bench.steps-kept',
      answer: { ...of('bench.steps'), kept: true, ended: 'interrupted' },
    },
    {
      name: 'bench.compare-faster',
      answer: {
        ...of('bench.compare'),
        servers: of('bench.compare').servers.map(
          (/** @type {any} */ one, /** @type {number} */ i) =>
            i === 0 ? one : { ...one, ...FASTER(of('bench.compare').servers[0]) },
        ),
      },
    },
    { name: 'bench.clean-left', answer: { ...of('bench.clean dry'), left: ['notes'] } },
  ].map(({ name, answer }) => {
    const [command] = name.split('-');
    return { command, name, answer: () => drawn(command, answer) };
  });
}

/** Answers without a server. @returns {Case[]} */
function ofOthers() {
  const tune = tuneFor(null, { home: '/nonexistent' });
  const scriptOf = async () => tune.split.script(kept['split.plan unknown'].answer);
  return [
    { command: 'split', name: 'split', answer: () => tune.split() },
    { command: 'symptom', name: 'symptom', answer: () => tune.symptom() },
    ...['status', 'advise', 'explain'].map((step) => ({
      command: 'demo',
      name: `demo-${step}`,
      answer: () => tune.demo(step),
    })),
    { command: 'symptom', name: 'symptom-oom', answer: () => tune.symptom('oom') },
    { command: 'host.collect', name: 'host.collect', answer: () => tune.host.collect() },
    { command: 'split.script', name: 'split.script', answer: scriptOf },
    { command: 'help', name: 'help', answer: () => tune.help },
    { command: 'help', name: 'help-advise', answer: () => tune.advise.help },
    { command: 'help', name: 'help-tune', answer: () => tune },
    {
      command: 'mongodConf',
      name: 'mongodConf',
      answer: () => fromMemory()('mongod.conf').mongodConf({ cacheSizeGB: 1 }),
    },
    {
      command: 'replay',
      name: 'replay-compared',
      answer: () =>
        report({}, (ink) =>
          room('recording/pure/recorded-text').renderCompared(COMPARED, 'cache-dirty', ink),
        ),
    },
    { command: 'policy', name: 'policy', answer: () => drawn('policy', POLICY) },
    { command: 'policy', name: 'policy-none', answer: () => drawn('policy', NO_POLICY) },
    ...ofIncidents(),
    { command: 'watch', name: 'watch-lines', answer: () => report({}, () => watchLines()) },
  ];
}

const PLACES = Object.freeze([
  'MONGOSH_TUNE_READ_ONLY',
  '/etc/mongosh-tune/policy.yaml',
  '/home/ops/.mongodb/mongosh-tune/policy.yaml',
]);
const NO_POLICY = Object.freeze({ readOnly: false, sources: [], places: PLACES });
const POLICY = Object.freeze({
  readOnly: false,
  sources: [
    {
      from: '/etc/mongosh-tune/policy.yaml',
      rules: {
        denyCommands: ['split.*', 'bench'],
        changeHosts: ['*.test.example'],
        changeHoursUtc: ['22:00-04:30'],
        ticket: 'CHG-*',
      },
      fault: null,
    },
  ],
  places: PLACES,
});
/** A night with an incident, a quiet one, and a bundle. @returns {Case[]} */
function ofIncidents() {
  const { incidentOf } = room('incident/pure/incident');
  const { renderIncident, renderWholeIncident } = room('incident/pure/incident-text');
  const { renderBundle } = room('incident/pure/bundle');
  const { bundleOf } = room('incident/pure/bundle');
  const read = readOf(loweredTrigger());
  const night = incidentOf(read);
  const quiet = incidentOf(readOf(loweredTrigger().slice(0, 1)));
  const { holds } = bundleOf(
    { ...read, members: [] },
    { names: false, atMs: Date.UTC(2026, 10, 25, 9), version: '1.0.0' },
  );
  const written = { file: '/tmp/night.json', bytes: 81_234, holds, notes: [] };
  const of = (/** @type {(ink: Ink) => string} */ draw) => () => report({}, draw);
  return [
    { command: 'incident', name: 'incident', answer: of((ink) => renderIncident(night, ink)) },
    {
      command: 'incident',
      name: 'incident-all',
      answer: of((ink) => renderWholeIncident(night, ink)),
    },
    {
      command: 'incident',
      name: 'incident-quiet',
      answer: of((ink) => renderIncident(quiet, ink)),
    },
    {
      command: 'incident.bundle',
      name: 'incident.bundle',
      answer: of((ink) => renderBundle(written, ink)),
    },
  ];
}

const pair = (/** @type {number} */ before, /** @type {number} */ now) => ({
  before,
  now,
  ratio: now / before,
});
/** Two recordings beside each other. */
const COMPARED = Object.freeze({
  files: ['monday.ndjson'],
  from: new Date(Date.UTC(2026, 0, 5, 9)),
  to: new Date(Date.UTC(2026, 0, 5, 9, 1)),
  samples: 61,
  bottleneck: 'none',
  because: '',
  rows: [
    { series: 'writesPerSec', usual: pair(2000, 1500), max: pair(2500, 2600) },
    { series: 'writeLatencyMs', usual: pair(3, 12), max: pair(20, 300) },
    { series: 'waitingThreads', usual: pair(0.01, 2.5), max: pair(1, 16) },
  ],
});

/** What tune.watch prints while it runs, where there is no live screen. */
function watchLines() {
  const { makeWatchLines } = room('watch/pure/watch-text');
  const { screenWidth } = room('text/wrap');
  const lines = makeWatchLines({ rows: 24, width: screenWidth() });
  const { metrics } = kept.watch.answer;
  const sample = {
    atMs: Date.UTC(2026, 0, 1),
    counters: {
      'cache.usedBytes': 200,
      'cache.dirtyBytes': 30,
      'cache.updatesBytes': 5,
      'cache.maxBytes': 256,
      'checkpoint.running': 0,
    },
  };
  return [
    ...lines.title({ host: 'db1:27017', version: '6.0.5', role: 'standalone' }),
    ...lines.next(sample, metrics),
    ...lines.next({ ...sample, atMs: sample.atMs + 1000 }, metrics),
  ].join('\n');
}

/**
 * @param {any} answer
 * @param {{ width: number, colour: boolean }} how
 * @returns {string} as a terminal of that width shows it, colours as `<red>…</red>`
 */
const show = (answer, { width, colour }) =>
  atWidth(width, () => inspect(answer, { colors: colour }));

module.exports = { cases, show };

if (require.main === module) main();

/** node test/golden/screens.js [part of a name] [width]: prints screens. */
async function main() {
  const [, , wanted = '', width = '80'] = process.argv;
  for (const { name, answer } of cases()) {
    if (!name.includes(wanted)) continue;
    const text = await Promise.resolve(answer()).then(
      (one) => show(one, { width: Number(width), colour: false }),
      (error) => error.stack,
    );
    process.stdout.write(`\n### ${name} (${text.split('\n').length} lines)\n${text}\n`);
  }
}
