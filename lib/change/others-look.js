'use strict';

const { readLastString, readSets } = require('../server/engine-history');
const { sets } = require('./pure/others');
const { TuneError } = require('../base/pure/errors');
const { externalChange, foreignIn } = require('./external');
const { noteExternal } = require('./work');

/** @typedef {import('./work').Work} Work */

/**
 * Just before a call: what another session set since the plan ends the change, where it is the same
 * setting.
 * @param {Work} work
 * @throws {TuneError} TUNE-30006
 */
async function refuseExternal(work) {
  const { ctx, plan, last } = work;
  const shown = await readLastString(ctx.port);
  const found = (await foreignOf(work)).map(({ config }) => config);
  noteExternal(work, [
    ...found,
    ...(shown !== null && last !== null && shown !== last ? [shown] : []),
  ]);
  const same = work.external.filter(({ values }) => sets(values.config, plan.change));
  if (same.length === 0 || plan.force) return;
  const texts = same.map(({ values }) => `"${values.config}"`).join(', then ');
  const over = same.some(({ values }) => values.overwritten)
    ? ', and a call of this change overwrote it'
    : '';
  const details = { value: same[0].values.config, externalChanges: work.external };
  throw new TuneError(
    'TUNE-30006',
    `Another session set ${texts} since this change was planned${over}.`,
    details,
  );
}

/**
 * After the last call: the answer to a call tells only the last string before it, the log tells
 * what that hides.
 * @param {Work} work
 */
async function lookBack(work) {
  try {
    for (const { config, later } of await foreignOf(work)) {
      if (later.length === 0) continue; // it is in force, and found whenever somebody looks
      noteExternal(work, [config]);
      const known = work.external.find(({ values }) => values.config === config);
      if (known && later.some((own) => sets(own, known.values.change)))
        known.values.overwritten = true;
    }
  } catch (_lost) {
    // The change is done; whoever undoes it looks at the log again.
  }
}

/**
 * What was set between two looks at the settings of a server, before anything was sent.
 * @param {import('../observe/settings').Settings} before @param {import('../observe/settings').Settings} now
 * @returns {import('./external').ExternalChange[]}
 */
function externalSince(
  { history: { sets: known, lastString: then } },
  { history: { sets: found, lastString } },
) {
  const logged = foreignIn(found, known, []).map(({ config }) => config);
  const texts =
    lastString !== null && then !== null && lastString !== then ? [...logged, lastString] : logged;
  return [...new Set(texts)].map((config) => externalChange(config));
}

/** @param {Work} work */
async function foreignOf({ ctx, settings, calls }) {
  const now = await readSets(ctx.port);
  return now === null ? [] : foreignIn(now, settings.history.sets, calls);
}

module.exports = { refuseExternal, lookBack, externalSince };
