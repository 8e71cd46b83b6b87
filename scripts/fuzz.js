'use strict';

const { parseArgs } = require('node:util');
const path = require('node:path');

/**
 * npm run fuzz -- --cases 1000000 --seed 1 [--kind config,status] [--path 12:0:3] [--seconds 600]
 * Prints the cases of each kind, how long they took, and of a failure the seed, its path and the
 * smallest case found.
 */

const USAGE =
  'npm run fuzz -- [--cases 10000] [--seed 1] [--kind name,name] [--path of a failure, with ' +
  'its seed and kind] [--seconds of each kind] [--list]';
const HEARTBEAT_MS = 20_000;
// The kinds live with the tests, which the type checker does not look at.
const RUN = path.join(__dirname, '../test/fuzz/run.js');

main().then(
  (code) => {
    process.exitCode = code;
  },
  (error) => {
    console.error(error);
    process.exitCode = 1;
  },
);

/** @typedef {{ name: string, what: string, share: number }} Kind */

/** @returns {Promise<number>} the exit code */
async function main() {
  /**
   * @type {{
   *   loadKinds(): Kind[], runKind(kind: Kind, options: object): Promise<any>,
   *   shares(kinds: Kind[], cases: number): number[]
   * }}
   */
  const { loadKinds, runKind, shares } = require(RUN);
  const { cases, seed, kind, list, ...more } = readArgs();
  const all = loadKinds();
  if (list) return showKinds(all);
  const wanted = all.filter(({ name, share }) =>
    kind === undefined ? share > 0 : kind.split(',').includes(name),
  );
  if (wanted.length === 0)
    return refuse(`there is no kind "${kind}": ${all.map(({ name }) => name).join(', ')}`);
  const counts = shares(wanted, cases);
  const results = [];
  for (const [i, one] of wanted.entries())
    results.push(
      show(
        await runKind(one, {
          cases: counts[i],
          seed,
          ...more,
          onProgress: heartbeat(one.name, counts[i]),
        }),
      ),
    );
  const failed = results.filter(({ failure }) => failure !== null).length;
  console.log(
    `${sum(results.map((result) => result.cases)).toLocaleString('en')} cases in ` +
      `${sum(results.map(({ seconds }) => seconds)).toFixed(0)} s, seed ${seed}; ${failed} of ` +
      `${results.length} kinds failed`,
  );
  return failed === 0 ? 0 : 1;
}

function readArgs() {
  const text = /** @type {const} */ ({ type: 'string' });
  const { values } = parseArgs({
    options: {
      cases: text,
      seed: text,
      kind: text,
      path: text,
      seconds: text,
      list: { type: 'boolean' },
    },
  });
  const whole = (/** @type {string | undefined} */ given, /** @type {number} */ otherwise) => {
    const number = given === undefined ? otherwise : Number(given);
    if (!Number.isSafeInteger(number)) throw new Error(`"${given}" is no whole number. ${USAGE}`);
    return number;
  };
  return {
    cases: whole(values.cases, 10_000),
    seed: whole(values.seed, 1),
    kind: values.kind,
    list: values.list,
    ...(values.path && { path: values.path }),
    ...(values.seconds && { seconds: whole(values.seconds, 0) }),
  };
}

/** @param {Kind[]} kinds */
function showKinds(kinds) {
  for (const { name, what, share } of kinds)
    console.log(`${name.padEnd(12)}${what}${share === 0 ? ' (only when asked for)' : ''}`);
  return 0;
}

/** @param {string} why */
function refuse(why) {
  console.error(`${why}. ${USAGE}`);
  return 2;
}

/** @param {string} name @param {number} cases */
function heartbeat(name, cases) {
  let last = Date.now();
  return (/** @type {number} */ done) => {
    if (Date.now() - last < HEARTBEAT_MS) return;
    last = Date.now();
    console.log(`… ${name}: ${done} of ${cases}`);
  };
}

/** @param {any} result */
function show(result) {
  const { kind, cases, seconds, failure, note } = result;
  console.log(
    `${failure === null ? 'ok  ' : 'FAIL'}  ` +
      `${kind.padEnd(12)}${cases.toLocaleString('en').padStart(10)} cases ` +
      `${seconds.toFixed(1).padStart(8)} s${note ? `  ${note}` : ''}`,
  );
  if (failure !== null)
    console.log(
      `      again: --kind ${kind} --seed ${failure.seed} --path ${failure.path}\n      ` +
        `case: ${failure.counterexample}\n      ${failure.message.replaceAll('\n', '\n      ')}`,
    );
  return result;
}

/** @param {number[]} list */
const sum = (list) => list.reduce((a, b) => a + b, 0);
