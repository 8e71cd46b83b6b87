'use strict';

const { setTimeout: sleep } = require('node:timers/promises');
const { contextOf } = require('../test/support/context');
const { whyNoSlowDisk } = require('../test/support/slow-disk');
const { showRatio } = require('../lib/text/interval');
const { run: advise } = require('../lib/commands/advise');
const { run: apply } = require('../lib/commands/apply');
const { startCell, startYcsb } = require('./advice-kit');
const { median, show } = require('./kit');

/**
 * What tune.advise() expects of its change against what the change does: YCSB A to F, two
 * distributions of keys, two disks and two sizes of data, each on a server of its own, and the
 * neighbours of what was advised. ADVICE_CELLS=2 runs every second cell.
 */

const LETTERS = [...'abcdef'];
const KEYS = /** @type {const} */ (['zipfian', 'uniform']);
const DISKS = [
  { name: 'limited', limits: { readOps: 600, writeOps: 600 } },
  { name: 'machine', limits: null },
];
const SIZES = [
  { records: 200_000, cacheSizeGB: 0.0625 },
  { records: 400_000, cacheSizeGB: 0.25 },
];
const THREADS = 8;
/** A larger cache has to be filled first: until two spans of seconds in a row are alike. */
const SPAN_SECONDS = 5;
const MIN_SETTLE_SECONDS = 10;
const MAX_SETTLE_SECONDS = 60;
/** Growth from one span to the next that counts as none. */
const STEADY = 0.04;
const MEASURED_MS = 10_000;
const ADVICE_SECONDS = 10;
const EVERY = Number(process.env.ADVICE_CELLS ?? 1);

const MAX_ERROR = 0.2;
const MIN_RIGHT = 0.95;
const MIN_OF_BEST = 0.95;
// A difference that is smaller is none: runs of one setting differ by as much.
const SAME = 0.1;

/**
 * @typedef {{
 *   letter: string, keys: 'zipfian' | 'uniform', disk: typeof DISKS[number],
 *   size: typeof SIZES[number]
 * }} Cell
 */

/** Of a part, too, each size is as often as the other. @returns {Cell[]} */
const cells = () =>
  LETTERS.flatMap((letter, l) =>
    KEYS.flatMap((keys, k) =>
      DISKS.flatMap((disk, d) => {
        const sizes = (l + k + d) % 2 === 0 ? SIZES : SIZES.toReversed();
        return sizes.map((size) => ({ letter, keys, disk, size }));
      }),
    ),
  ).filter((_, i) => i % EVERY === 0);

/**
 * @param {Awaited<ReturnType<typeof startYcsb>>} load
 * @returns {Promise<number>} operations a second
 */
async function rateOf(load) {
  const from = load.seconds.length;
  const seconds = MEASURED_MS / 1000;
  while (load.seconds.length < from + seconds + 1) await sleep(200);
  const [first, last] = [load.seconds[from], load.seconds[from + seconds]];
  return (last.ops - first.ops) / ((last.atMs - first.atMs) / 1000);
}

/**
 * Until the load has the rate that it keeps.
 * @param {Awaited<ReturnType<typeof startYcsb>>} load
 */
async function settle({ seconds }) {
  const from = seconds.length;
  const meanOf = (/** @type {number} */ end) =>
    (seconds[end].ops - seconds[end - SPAN_SECONDS].ops) / SPAN_SECONDS;
  const isSteady = () => {
    const end = seconds.length - 1;
    return (
      end - from >= Math.max(MIN_SETTLE_SECONDS, 2 * SPAN_SECONDS) &&
      meanOf(end) < (1 + STEADY) * meanOf(end - SPAN_SECONDS)
    );
  };
  while (!isSteady() && seconds.length - from < MAX_SETTLE_SECONDS) await sleep(500);
}

/** Sizes beside the advised one, which the same server can have. @param {any} change @returns {any[]} */
const neighboursOf = (change) => {
  if (change.cacheSizeGB !== undefined)
    return [0.5, 1.5].map((by) => ({ cacheSizeGB: change.cacheSizeGB * by }));
  if (change.evictionThreadsMax !== undefined)
    return [{ evictionThreadsMin: 2, evictionThreadsMax: 2 }];
  return [];
};

/** @param {Cell} cell */
async function runCell({ letter, keys, disk, size }) {
  const server = await startCell({ ...size, limits: disk.limits });
  const load = await startYcsb(server.uri, {
    letter,
    keys,
    records: size.records,
    threads: THREADS,
  });
  try {
    await settle(load);
    const ctx = contextOf(server.client);
    const advice = await advise(ctx, { seconds: ADVICE_SECONDS });
    const { bottleneck, change, expected } = advice;
    if (change === null) return { bottleneck, change, expected, measured: null, ofBest: null };
    const before = await rateOf(load);
    const rates = [before];
    for (const one of [change, ...neighboursOf(change)]) {
      await apply(ctx, one, { confirm: true, force: true }).catch(() => null);
      await settle(load);
      rates.push(await rateOf(load));
    }
    return {
      bottleneck,
      change,
      expected,
      measured: rates[1] / before,
      ofBest: rates[1] / Math.max(...rates),
    };
  } finally {
    await load.stop();
    await server.stop();
  }
}

/** @param {Cell} cell @param {Awaited<ReturnType<typeof runCell>>} found */
function line({ letter, keys, disk, size }, { bottleneck, change, expected, measured, ofBest }) {
  const ratio = (/** @type {number | null | undefined} */ value) =>
    value === null || value === undefined ? '-' : showRatio(value);
  console.log(
    `| ${letter.toUpperCase()} | ${keys} | ${disk.name} | ${size.records} | ${bottleneck} | ` +
      `${change === null ? 'none' : JSON.stringify(change).replaceAll('"', '')} | ` +
      `${ratio(expected?.ratio)} (${ratio(expected?.low)} to ${ratio(expected?.high)}) | ` +
      `${ratio(measured)} | ${ratio(ofBest)} |`,
  );
}

/** @param {number} a @param {number} b whether both say more, less, or the same */
const isSameWay = (a, b) => {
  const way = (/** @type {number} */ ratio) =>
    Math.abs(ratio - 1) < SAME ? 0 : Math.sign(ratio - 1);
  return way(a) === way(b) || way(a) * way(b) === 0;
};

async function run() {
  const why = whyNoSlowDisk();
  if (why !== null) {
    console.log(`advice: skipped, ${why}`);
    return [];
  }
  console.log(
    '| YCSB | keys | disk | records | bottleneck | change | expected | measured | of the best tried |',
  );
  console.log('|---|---|---|---|---|---|---|---|---|');
  /** @type {{ expected: number, measured: number, ofBest: number }[]} */ const found = [];
  for (const cell of cells()) {
    const one = await runCell(cell);
    line(cell, one);
    if (one.expected && one.measured !== null && one.ofBest !== null)
      found.push({ expected: one.expected.ratio, measured: one.measured, ofBest: one.ofBest });
  }
  if (found.length === 0) return [];
  const errors = found.map(({ expected, measured }) => Math.abs(expected / measured - 1));
  const right = found.filter(({ expected, measured }) => isSameWay(expected, measured));
  const how = `${found.length} cells with a change`;
  return [
    show({
      name: 'error of what advise expects',
      value: median(errors),
      bar: MAX_ERROR,
      unit: '',
      how: `median of ${how}`,
    }),
    show({
      name: 'wrong way',
      value: 1 - right.length / found.length,
      bar: 1 - MIN_RIGHT,
      unit: '',
      how,
    }),
    show({
      name: 'best tried against the advised',
      value: 1 / Math.min(...found.map(({ ofBest }) => ofBest)),
      bar: 1 / MIN_OF_BEST,
      unit: '×',
      how: `the worst of ${how}`,
    }),
  ];
}

module.exports = { run };
