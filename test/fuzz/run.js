'use strict';

const fs = require('node:fs');
const path = require('node:path');

/**
 * Cases without end, by kinds: the folder is the registry, as with rules. A kind makes inputs
 * (fast-check) and says what must hold for each.
 *
 * @typedef {{
 *   name: string, what: string, share: number,
 *   open(): Promise<{ property: any, close?(): unknown, note?(): string }>
 * }} Kind `share`: its part of a run over all kinds, 0: only when it is asked for by name;
 *   `property`: of fast-check; `note`: what else is worth telling at the end
 * @typedef {{ seed: number, path: string | null, message: string, counterexample: string }} Failure
 * @typedef {{
 *   kind: string, cases: number, seconds: number, failure: Failure | null, note: string
 * }} Ran
 */

/**
 * A check of fast-check keeps what it needs for shrinking; many small ones need less memory, and
 * tell where they are.
 */
const BATCH = 500;
/** Of what fails, as much as fits on a screen or two. */
const MAX_SHOWN = 3000;
const FOLDER = path.join(__dirname, 'kinds');

/** @returns {Kind[]} */
const loadKinds = () =>
  fs
    .readdirSync(FOLDER)
    .filter((name) => name.endsWith('.js'))
    .sort()
    .map((name) => require(path.join(FOLDER, name)));

/**
 * @param {Kind} kind
 * @param {{
 *   cases: number, seed: number, path?: string, seconds?: number, batch?: number,
 *   onProgress?: (done: number) => void
 * }} options `path`: where a failure of
 *   this seed was; `seconds`: not longer than that
 * @returns {Promise<Ran>}
 */
async function runKind(
  kind,
  { cases, seed, path: replay, seconds = Infinity, batch = BATCH, onProgress = () => {} },
) {
  const fc = require('fast-check');
  const { property, close, note = () => '' } = await kind.open();
  const began = performance.now();
  const ran = (/** @type {number} */ done, /** @type {Failure | null} */ failure) => ({
    kind: kind.name,
    cases: done,
    seconds: (performance.now() - began) / 1000,
    failure,
    note: note(),
  });
  try {
    let done = 0;
    for (let round = 0; done < cases && (performance.now() - began) / 1000 < seconds; round += 1) {
      const params = {
        seed: seed + round,
        numRuns: Math.min(batch, cases - done),
        ...(replay && { path: replay }),
      };
      const details = await fc.check(property, params);
      done += details.numRuns;
      onProgress(done);
      if (details.failed) return ran(done, failureOf(details));
    }
    return ran(done, null);
  } finally {
    await close?.();
  }
}

/** @param {any} details of fast-check @returns {Failure} */
function failureOf({ seed, counterexamplePath, counterexample, errorInstance }) {
  const { stringify } = require('fast-check');
  const message = String(errorInstance?.stack ?? errorInstance);
  return {
    seed,
    path: counterexamplePath,
    message: message.slice(0, MAX_SHOWN),
    counterexample: stringify(counterexample).slice(0, MAX_SHOWN),
  };
}

/**
 * @param {readonly Kind[]} kinds
 * @param {number} cases of all together
 * @returns {number[]} of each
 */
function shares(kinds, cases) {
  const whole = kinds.reduce((sum, { share }) => sum + share, 0);
  return kinds.map(({ share }) =>
    kinds.length === 1 ? cases : Math.round((cases * share) / whole),
  );
}

module.exports = { loadKinds, runKind, shares };
