'use strict';

/** Answers of every kind that a page can be made of, with what the page has to say of each. */

const at = new Date(Date.UTC(2026, 0, 2, 3, 4, 5));
const later = new Date(at.getTime() + 30_000);
const HOST = { at, host: 'db1:27017', version: '6.0.5' };
const finding = (rule, status, more = {}) => ({ rule, area: 'cache', status, say: `${rule} is ${status}.`, evidence: { dirtyRatio: 0.2, missing: null }, advice: null, change: null, source: 'https://example.org/', key: rule, ...more });

const advice = {
  ...HOST, source: 'live', window: { from: at, to: later, samples: 31 }, bottleneck: 'cache-dirty', because: 'Too much is dirty.', evidence: [{ metric: 'cache.dirtyRatio', value: 0.2, say: '20 % is dirty' }],
  runnerUp: { bottleneck: 'disk', because: 'it has room.' }, findings: [finding('dirty-ratio', 'critical', { advice: 'Give it more.' }), finding('tickets', 'ok', { evidence: {}, source: '' })],
  change: { cacheSizeGB: 1 }, explain: ['So: 1 GiB.'], conf: 'storage:\n  wiredTiger:\n', notes: ['Interrupted.'],
};
const spell = (bottleneck, heldUpThreads) => ({ from: at, to: later, seconds: 60, heldUpThreads, bottleneck, because: `${bottleneck} it is` });
const block = (number, setting, opsPerSec) => ({ number, pair: 1, setting, at: new Date(at.getTime() + number * 10_000), seconds: 10, washOutSeconds: 1, opsPerSec, readLatencyMs: 1, usedRatio: 0.5 });
const trial = {
  ...HOST, id: 'x', dryRun: false, metric: 'opsPerSec', a: { cacheSizeGB: 1 }, b: { cacheSizeGB: 2 }, verdict: 'better', ratio: 1.5, low: 1.2, high: 1.9, because: 'Every pair says so.', moreBlocks: 4,
  effects: { opsPerSec: { ratio: 1.5, low: 1.2, high: 1.9 }, readP95Ms: { ratio: 1.1, low: null, high: null } }, blocks: [block(1, 'A', 100), block(2, 'B', 150), block(3, 'B', null)], order: 'ABB', pairs: 2, seconds: 60, longestSeconds: null, secondsPerBlock: 10,
  keep: 'never', kept: false, inForce: 'A', verified: true, ended: 'complete', guard: { limits: null, given: {}, broken: null }, commands: [], warnings: ['Look out.'], notes: [], conf: 'a: 1\n', undo: 'tune.undo("x")', confirm: null,
};
const load = { ...HOST, role: 'standalone', workload: 'ycsb-b', say: 'reads', source: '', records: 1000, seconds: 30, warmSeconds: 5, ratePerSec: null, database: 'tune_bench', threads: 8, processes: 2 };
const latency = { mean: 1, p50: 1, p95: 2, p99: 3, p999: 4, max: 5.4321 };
const bench = {
  ...load, dryRun: false, ended: 'complete', tookSeconds: 30, opsPerSec: 1234.5, documentsPerSec: null, latencyMs: latency, operations: { read: { opsPerSec: 1000, latencyMs: latency }, update: { opsPerSec: 0, latencyMs: null } },
  stalls: { count: 2, longestMs: 1500, totalMs: 2000 }, clientBound: false, clientBoundBecause: null, errors: { count: 3, byCode: [{ code: 11000, count: 3, message: 'duplicate' }] }, notFound: 0, notStarted: 0,
  client: { cpuCores: 1.5, busyRatio: 0.5 }, server: { cpuCores: null, cores: null }, loaded: {}, trials: [], perSecond: [{ second: 1, opsPerSec: 1000, meanMs: 1, maxMs: 9 }, { second: 2, opsPerSec: 0, meanMs: null, maxMs: null }], notes: ['Shared.'],
};
const server = (ratio, verdict) => ({ uri: 'x', host: 'db1', version: '6.0.5', files: null, opsPerSec: 100, p95Ms: 1, p99Ms: 2, stalls: 0, ratio, low: ratio && 0.9, high: ratio && 1.2, verdict });
const servers = { dryRun: false, workload: 'ycsb-b', records: 10, seconds: 30, warmSeconds: 0, database: 'x', roundsPlanned: 6, threads: 1, processes: 1, servers: [server(null, ''), server(1.05, 'same')] };
const rung = (name, number, ratio, more = {}) => ({ kind: number === 0 ? 'baseline' : 'step', name, number, took: true, why: null, hostSteps: 0, opsPerSec: 100, p50Ms: 1, p95Ms: 2, p99Ms: 3, stalls: 0, serverCores: 1, ratio, gain: ratio, drift: 1, ...more });
const ladder = { ...load, dryRun: false, ended: 'complete', because: null, id: 'x', kept: false, verified: true, rungs: [rung('baseline', 0, 1), rung('cacheSizeGB 2', 1, 1.4), rung('host step', 2, null, { took: false, opsPerSec: null, ratio: null, gain: null })], notTaken: 1 };
const move = (more = {}) => ({ ns: 'shop.orders', into: 'shop2.orders', uuid: null, bytes: 1e6, documents: 1000, indexBytes: 1, writtenBytesPerSec: 100, method: 'out', why: 'x', estimateSeconds: { copy: 1, indexes: null, total: 1 }, diskBytes: 5, blockers: [], warnings: [], ...more });
const split = {
  ...HOST, id: 'plan-1', from: 'shop', into: ['shop2'], worthIt: 'yes', because: 'Half is written there.', mode: 'online', moves: [move(), move({ ns: 'shop.b', warnings: [{ what: 'x', say: 'A view reads it.' }] })], stays: [{ ns: 'shop.c', because: 'capped' }],
  loads: [{ database: 'shop', before: 100, after: 50 }, { database: 'shop2', before: 0, after: 50 }], balancedBy: 'written', by: null, parts: [], route: null, views: [], blockers: [], warnings: [], unknown: ['Not known: roles.'], seconds: 65, estimateSeconds: 10, diskBytes: 1e6,
};
const host = {
  ...HOST, place: { kind: 'here', say: 'It runs here.', pid: 1 }, facts: { os: { name: 'Debian' }, memory: { totalBytes: 2 ** 30, mongods: [{ pid: 1 }] } }, unknown: { 'disk.model': 'not told' },
  findings: [{ ...finding('swappiness', 'warning'), fixes: [], script: { apply: 'sysctl -w vm.swappiness=1\nsecond line', persist: null, undo: 'sysctl -w vm.swappiness=60' } }], notes: [],
};
const row = (ns, index, more = {}) => ({ ns, kind: index === null ? 'collection' : 'index', index, cacheBytes: 100, dirtyBytes: 1, readBytesPerSec: null, writtenBytesPerSec: 5, readOpsPerSec: 1, writeOpsPerSec: 2, storageBytes: 7, documents: 1, capped: false, ...more });
const collections = { ...HOST, by: 'cache', seconds: 5, cache: { maxBytes: 1000, usedBytes: 500, dirtyBytes: 10, foundBytes: 1, foundDirtyBytes: 1 }, collections: 1, indexes: 1, rows: [row('shop.orders', null), row('shop.orders', 'a_1', { cacheBytes: null })], ended: 'complete', notes: [] };
const status = {
  ...HOST, role: 'primary', engine: 'wiredTiger', seconds: 1, cache: { maxBytes: 100, usedBytes: 50, usedRatio: 0.5, dirtyBytes: null, dirtyRatio: null, updatesBytes: 1, updatesRatio: 0.01, readBytesPerSec: 1, writtenBytesPerSec: 2 },
  eviction: { threadsMin: 4, threadsMax: 4, threadsActive: 4, pagesPerSec: 1, appPagesPerSec: 0, appRatio: 0, appMsPerSec: 0, aggressive: 0 }, checkpoint: { running: false, lastMs: 12, maxMs: 12, perMinute: 1 }, tickets: { readOut: 1, readTotal: 128, writeOut: 0, writeTotal: 128 },
  clients: { readingPages: 0, evicting: 0, waitingForCache: 0.25 }, ops: { readsPerSec: 5, writesPerSec: 6, readLatencyMs: null, writeLatencyMs: 2 }, thresholds: { targetRatio: 0.8, triggerRatio: 0.95, dirtyTargetRatio: 0.05, dirtyTriggerRatio: 0.2, updatesTargetRatio: null, updatesTriggerRatio: null }, notes: [],
};
const watched = { ...HOST, from: at, to: later, seconds: 30, samples: 31, restarts: 0, ended: 'complete', readings: { 'cache.usedRatio': 0.5, 'disk.name': 'sda' }, notes: [] };
const checkpoints = {
  ...HOST, seconds: 130, everySeconds: 60, checkpoints: [{ from: at, durationMs: 1500, running: false, writtenBytes: 10, checkpointBytes: 5, opsPerSec: 100, stalledSeconds: 1 }, { from: later, durationMs: null, running: true, writtenBytes: null, checkpointBytes: null, opsPerSec: null, stalledSeconds: null }],
  opsPerSec: { inside: 50, outside: 100 }, stalls: [{ from: at, seconds: 1, inCheckpoint: true }], stalledSeconds: 1, stalledInCheckpointSeconds: 1, timeline: [{ from: at, opsPerSec: 10, checkpoint: true, stalled: true }, { from: later, opsPerSec: 100, checkpoint: false, stalled: false }], ended: 'complete', notes: [],
};
const timeline = { from: at, to: later, everySeconds: 30, at: [at, later], series: { opsPerSec: [1, 2], readLatencyMs: [null, 3], checkpointMs: [5, 5] } };

module.exports = {
  advice: { answer: advice, says: ['cache-dirty', 'Too much is dirty.', '20 % is dirty', 'Not disk: it has room.', 'tune.apply({ cacheSizeGB: 1 }, { confirm: true })', 'mongod.conf', 'dirtyRatio: 20.0 %', '✗ critical', 'looked at live, 2026-01-02 03:04:05 to 2026-01-02 03:04:35 UTC (30 s, 31 looks)'] },
  'nothing to change': { answer: { ...advice, bottleneck: 'none', change: null, conf: null, explain: [], evidence: [], runnerUp: null, notes: [] }, says: ['Nothing to change.'] },
  'a recording of nothing': { answer: { ...advice, at: null, source: 'ftdc', bottleneck: 'unknown', evidence: [], runnerUp: null, change: null, conf: null, explain: [], findings: [], window: { from: null, to: null, samples: 0 }, worst: null, others: [] }, says: ['from diagnostic data, nothing was seen'] },
  'a recording': { answer: { ...advice, source: 'recording', window: { from: at, to: later, samples: 1 }, worst: spell('cache-dirty', 2), others: [spell('none', null)], compared: { files: ['old.ndjson'], bottleneck: 'disk', rows: [{ series: 'opsPerSec', usual: { before: 1, now: 2, ratio: 2 }, most: { before: null, now: 3, ratio: null } }, { series: 'dirtyRatio', usual: { before: null, now: 0.1, ratio: null }, most: { before: null, now: 0.1, ratio: null } }] } }, says: ['Windows judged', 'none it is', 'Then disk, now cache-dirty. Then: old.ndjson.', 'opsPerSec 1/s 2/s ×2 ? 3/s', '1 look)'] },
  trial: { answer: trial, says: ['B is better', 'opsPerSec: ×1.50 ×1.20 to ×1.90, 95 %', 'A is in force. About 4 blocks more would decide', 'Look out.', 'readP95Ms ? ? ×1.10', 'opsPerSec 100/s 150/s ×1.50', 'tune.undo("x")'] },
  'a trial that is open': { answer: { ...trial, verdict: 'inconclusive', low: null, high: null, inForce: null, moreBlocks: null, undo: null, conf: null, effects: {}, blocks: [] }, says: ['inconclusive', 'tune.config() shows what is in force.'] },
  'the same': { answer: { ...trial, verdict: 'same', ratio: null, because: 'No difference.' }, says: ['B is the same'] },
  'a trial that is shown': { answer: { ...trial, dryRun: true, verdict: null, effects: {}, blocks: [], confirm: 'tune.trial({})' }, says: ['only shown', 'Nothing was sent.', 'tune.trial({})'] },
  bench: { answer: bench, says: ['1,235 operations/s', 'The client was not the limit.', '2, the longest 1.5 s, together 2 s', 'read 1,000 1 1 2 3 4 5.43', '11000', 'Shared.'] },
  'a bench that the client limits': { answer: { ...bench, clientBound: true, clientBoundBecause: 'it is busy.', ended: 'interrupted', stalls: null, latencyMs: null, errors: { count: 0, byCode: [] }, notes: [] }, says: ['The client was the limit: it is busy. Ended early: interrupted.', 'not known: too few operations'] },
  'a bench without stalls': { answer: { ...bench, stalls: { count: 0, longestMs: 0, totalMs: 0 } }, says: ['stalls none'] },
  'a bench that is shown': { answer: { ...load, dryRun: true, keep: false, loadBytes: 5, freeBytes: 6, othersPerSec: 0, found: 'none', notes: [], confirm: 'tune.bench({})' }, says: ['only shown', 'tune.bench({})'] },
  servers: { answer: servers, says: ['1.05', '0.90 to 1.20', 'same'] },
  'servers that are shown': { answer: { ...servers, dryRun: true, confirm: 'tune.bench.compare([])', servers: [{ ...server(null, ''), host: null }] }, says: ['Nothing was written.'] },
  ladder: { answer: ladder, says: ['×1.40', 'cacheSizeGB 2 100/s 1.40 1.40 2 0', 'host step not taken'] },
  'a ladder that failed': { answer: { ...ladder, because: 'It broke.', rungs: [rung('baseline', 0, 1)] }, says: ['none was measured', 'It broke.'] },
  'a ladder that is shown': { answer: { ...load, dryRun: true, steps: [{ kind: 'engine', name: 'cacheSizeGB 2' }, { kind: 'host', name: 'sysctl' }], before: {} }, says: ['sysctl (yours to do)'] },
  split: { answer: split, says: ['worth it yes', 'Half is written there.', 'A view reads it.', 'tune.split.run(plan, { confirm: true })', 'shop.c capped', 'shop2 0 B/s 50 B/s', 'Not known: roles.'] },
  'a split in the way': { answer: { ...split, worthIt: 'no', moves: [move({ blockers: [{ what: 'capped', say: 'It is capped.' }] })], stays: [], balancedBy: 'bytes' }, says: ['It is capped.', 'Data; nothing was written'] },
  'a split by hash': { answer: { ...split, moves: [], loads: [], stays: [], parts: [{ ns: 'shop.orders1', holds: 'half', documents: 10, bytes: 100, ratio: 0.5, writtenBytesPerSec: 1 }], route: 'function route() {\n}' }, says: ['half', 'function route() {', 'Nothing is in the way.'] },
  'a split by hash without a route': { answer: { ...split, moves: [], loads: [{ database: 'a', before: 0, after: 0 }], stays: [], parts: [{ ns: 'shop.orders1', holds: 'half', documents: null, bytes: null, ratio: 1, writtenBytesPerSec: null }], route: null }, says: ['half'] },
  host: { answer: host, says: ['It runs here.', 'sysctl -w vm.swappiness=1', 'os.name Debian', 'memory.totalBytes 1 GiB', 'disk.model not told', 'What is known of it (3)'] },
  'a host of which all is known': { answer: { ...host, unknown: {} }, says: ['What is known of it'] },
  collections: { answer: collections, says: ['shop.orders a_1', '1 collections and 1 indexes', 'rates over 5 s', '10.0 %'] },
  'collections at one look': { answer: { ...collections, seconds: null, cache: { ...collections.cache, maxBytes: null } }, says: ['from one look'] },
  status: { answer: status, says: ['used 50.0 %', '0.25 wait for the cache', '6/s at 2 ms', 'last checkpoint 12 ms'] },
  'a status with reads': { answer: { ...status, ops: { ...status.ops, readLatencyMs: 1, writeLatencyMs: null } }, says: ['5/s at 1 ms'] },
  watched: { answer: watched, says: ['cache.usedRatio 50.0 %', 'disk.name sda'] },
  checkpoints: { answer: checkpoints, says: ['still running', '1, 1 s together, 1 s of it in checkpoints', '50/s in checkpoints, 100/s outside'] },
  'checkpoints of which nothing is known': { answer: { ...checkpoints, everySeconds: null, checkpoints: null, stalls: null, stalledSeconds: null, stalledInCheckpointSeconds: null, opsPerSec: { inside: null, outside: null }, timeline: [] }, says: ['stalls not known'] },
  timeline: { answer: timeline, says: ['last checkpoint', '2 points'] },
};
