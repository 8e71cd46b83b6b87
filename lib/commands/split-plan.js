'use strict';

const { randomBytes } = require('node:crypto');
const { checkOptions, number, oneOf, text } = require('../base/pure/options');
const { seeWrites } = require('../server/client-load');
const { collectFacts } = require('../server/facts');
const { collectSource } = require('../split/survey/source');
const { collectSurroundings } = require('../split/survey/surroundings');
const { drawSample } = require('../split/survey/sample');
const { TuneError } = require('../base/pure/errors');
const { mapServerError } = require('../base/server-errors');
const { report } = require('../text/report');
const { inCluster } = require('../split/in-cluster');

/**
 * @import { Context } from '../base/context'
 * @import { Option } from '../base/pure/options'
 * @import { By, SplitPlan } from '../split/pure/shape'
 * @import { Report } from '../text/report'
 */

/** @type {Option} */
const NAMES = {
  allowed: 'a name, or a list of names',
  schema: (v) =>
    v.union([
      v.pipe(v.string(), v.minLength(1)),
      v.pipe(v.array(v.pipe(v.string(), v.minLength(1))), v.minLength(1)),
    ]),
};
/** @type {Option} */
const BY = {
  allowed:
    '{ hash: field } or { range: field }, with parts (2 to 64) if there shall be more than 2',
  schema: (v) => {
    const field = v.pipe(v.string(), v.regex(/^[^$.][^$]*$/));
    const parts = v.optional(v.pipe(v.number(), v.integer(), v.minValue(2), v.maxValue(64)));
    return v.union([
      v.strictObject({ hash: field, parts }),
      v.strictObject({ range: field, parts }),
    ]);
  },
};
/** Checkpoints, which write most, come every 60 s: the window holds one. */
const SECONDS = 65;
const OPTIONS = {
  from: text(),
  into: NAMES,
  collections: NAMES,
  by: BY,
  method: oneOf(['out', 'ranges']),
  seconds: number({ min: 0.1, max: 3600 }),
};
const OWN = ['admin', 'config', 'local', 'tune'];

/**
 * Whether the split of a database is worth it, what would go where and how, how long that takes,
 * and all that is in the way. Nothing is changed.
 * @param {Context} ctx
 * @param {{
 *   from: string, into?: string | string[], collections?: string | string[],
 *   by?: { hash: string, parts?: number } | { range: string, parts?: number },
 *   method?: 'out' | 'ranges', seconds?: number
 * }} [options]
 *   `into`: databases, there already or not; `collections`: those to move (those that balance what
 *   is written); `by`: split one
 *   collection into several; `method`: of copying (the better one, with its reason); `seconds` over
 *   which it is measured what is written to each
 * @returns {Promise<SplitPlan & Report>}
 * @throws {TuneError} TUNE-1xxxx for wrong options, TUNE-2xxxx where the server can not be examined
 */
async function splitPlan(ctx, options) {
  const asked = askedFor(checkOptions('tune.split.plan', OPTIONS, options));
  const refused = async (/** @type {unknown} */ error) => {
    throw await inCluster(ctx, asked, mapServerError(error, 'serverStatus', ctx.signal));
  };
  const facts = await collectFacts(ctx.port, { hardware: false }).catch(refused);
  const earlier = await seeWrites(ctx);
  const collections = await collectSource(ctx, asked.from, asked.seconds).finally(() =>
    ctx.progress(null),
  );
  const server = await collectSurroundings(ctx, facts, { ...asked, earlier });
  const split =
    asked.by &&
    collections.find(({ name, type }) => name === asked.names?.[0] && type === 'collection');
  const sample =
    split && asked.by ? await drawSample(ctx, asked.from, split.name, asked.by.field) : null;
  const { makePlan } = require('../split/pure/plan');
  const at = new Date();
  const id = `${at.toISOString().slice(0, 19).replace(/[-:T]/g, '')}-${randomBytes(3).toString('hex')}`;
  const plan = makePlan({ id, at, ...asked }, { collections, server, sample });
  const { renderSplitPlan } = require('../split/pure/plan-text');
  return report(plan, (ink) => renderSplitPlan(plan, ink));
}

/** @param {any} options */
function askedFor({ from, into, collections, by, method = null, seconds = SECONDS }) {
  if (from === undefined)
    throw new TuneError(
      'TUNE-10004',
      'tune.split.plan: the database to split is missing, such as { from: "shop" }.',
      { allowed: '{ from: name }' },
    );
  const databases = into === undefined ? [by ? from : `${from}2`] : [...new Set([into].flat())];
  const names = collections === undefined ? null : [...new Set([collections].flat())];
  checkNames({ from, databases, names, by });
  return { from, into: databases, names, seconds, method, by: by ? byOf(by, databases) : null };
}

/** @param {{ from: string, databases: string[], names: string[] | null, by: any }} asked */
function checkNames({ from, databases, names, by }) {
  if (from.includes('.'))
    throw new TuneError(
      'TUNE-10002',
      `tune.split.plan: "from" is a database, not ${from}; its collections go into "collections".`,
      {
        value: from,
        allowed:
          `{ from: ${JSON.stringify(from.slice(0, from.indexOf('.')))}, collections: ` +
          `${JSON.stringify(from.slice(from.indexOf('.') + 1))} }`,
      },
    );
  if (OWN.includes(from))
    throw new TuneError(
      'TUNE-10002',
      `tune.split.plan: "from" must be a database of your own, not ${from}.`,
      { value: from, allowed: 'a database of your own' },
    );
  if (!by && databases.includes(from))
    throw new TuneError(
      'TUNE-10002',
      `tune.split.plan: "into" must be other databases than "from", not ${from}.`,
      { value: from, allowed: 'other databases' },
    );
  if (by && names?.length !== 1)
    throw new TuneError(
      'TUNE-10002',
      'tune.split.plan: with "by" exactly one collection is split: name it in "collections".',
      { value: names, allowed: 'one name' },
    );
}

/** @param {any} by @param {string[]} into @returns {By} */
const byOf = ({ hash, range, parts }, into) => ({
  kind: hash === undefined ? 'range' : 'hash',
  field: hash ?? range,
  parts: parts ?? Math.max(2, into.length),
});

module.exports = { splitPlan };
