'use strict';

const { defineCommand } = require('../base/pure/command');
const { randomBytes } = require('node:crypto');
const { number, oneOf, text } = require('../base/pure/options');
const { seeWrites } = require('../server/client-load');
const { collectFacts } = require('../server/facts');
const { collectSource, drawSample } = require('../split/survey/source');
const { collectSurroundings } = require('../split/survey/surroundings');
const { TuneError } = require('../base/pure/errors');
const { mapServerError } = require('../base/server-errors');
const { alsoWhole, report } = require('../text/report');
const { inCluster } = require('../split/in-cluster');

/**
 * @import { Option } from '../base/pure/options'
 * @import { By } from '../split/pure/definitions'
 * @import { Report } from '../text/report'
 * @import { Context } from '../base/types'
 * @import { SplitPlan } from '../split/pure/types'
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
  allowed: '{ hash: field } or { range: field }, with parts (2 to 64) for more than 2',
  schema: (v) => {
    const field = v.pipe(v.string(), v.regex(/^[^$.][^$]*$/));
    const parts = v.optional(v.pipe(v.number(), v.integer(), v.minValue(2), v.maxValue(64)));
    return v.union([
      v.strictObject({ hash: field, parts }),
      v.strictObject({ range: field, parts }),
    ]);
  },
};
module.exports = defineCommand({
  name: 'split.plan',
  group: 'Split',
  order: 1,
  takes: ['options'],
  usage: 'tune.split.plan({ source, target … })',
  summary: 'Assesses benefit, placement and blockers (read-only)',
  details: 'It only reads. It waits for one checkpoint, to measure the writes to each collection',
  options: {
    source: { check: text(), description: 'the database to split' },
    target: {
      check: NAMES,
      defaultText: 'the name of the source with a 2 appended',
      description: 'a database or a list of them',
    },
    collections: {
      check: NAMES,
      defaultText: 'those that balance the writes',
      description: 'collections to move',
    },
    by: {
      check: BY,
      description: '{ hash: field } or { range: field }, parts: one collection becomes several',
    },
    method: {
      check: oneOf(['out', 'ranges']),
      defaultText: 'the faster one that fits',
      description:
        'copy method: "out", one command, or "ranges", steps that are throttled when ' +
        'clients become slow',
    },
    seconds: {
      check: number({ min: 0.1, max: 3600 }),
      default: 65,
      description: 'how long to measure the writes',
    },
  },
  examples: [
    'tune.split.plan({ source: "shop", seconds: 65 })',
    'const plan = tune.split.plan({ source: "shop", target: "shop2", collections: ["orders"], ' +
      'seconds: 65 })',
    'tune split plan --source shop --collections orders --seconds 65',
  ],
  changes: 'nothing',
  run: splitPlan,
});

const OWN = ['admin', 'config', 'local', 'tune'];

/**
 * Whether the split of a database is worth it, what would go where and how, how long that takes,
 * and all that is in the way. Nothing is changed.
 * @param {Context} ctx
 * @param {{
 *   source: string, target?: string | string[], collections?: string | string[],
 *   by?: { hash: string, parts?: number } | { range: string, parts?: number },
 *   method?: 'out' | 'ranges', seconds: number
 * }} options
 * @returns {Promise<SplitPlan & Report>}
 * @throws {TuneError} TUNE-1xxxx for wrong options, TUNE-2xxxx where the server cannot be examined
 */
async function splitPlan(ctx, options) {
  const asked = askedFor(options);
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
  return alsoWhole(
    report(plan, (ink) => renderSplitPlan(plan, ink)),
    report({ id }, (ink) => renderSplitPlan(plan, ink, { isWhole: true })),
  );
}

/** Checks the options as a whole. @param {any} options */
function askedFor({ source: from, target: into, collections, by, method = null, seconds }) {
  if (from === undefined)
    throw new TuneError(
      'TUNE-10004',
      'tune.split.plan: the database to split is missing, such as { source: "shop" }.',
      { allowed: '{ source: name }' },
    );
  const databases = into === undefined ? [by ? from : `${from}2`] : [...new Set([into].flat())];
  const names = collections === undefined ? null : [...new Set([collections].flat())];
  checkNames({ from, databases, names, by });
  return { from, into: databases, names, seconds, method, by: by ? byOf(by, databases) : null };
}

/**
 * Refuses names that cannot be split, and target names that cannot be used.
 * @param {{ from: string, databases: string[], names: string[] | null, by: any }} asked
 */
function checkNames({ from, databases, names, by }) {
  if (from.includes('.'))
    throw new TuneError(
      'TUNE-10002',
      `tune.split.plan: "source" is a database, not ${from}; its collections go into "collections".`,
      {
        value: from,
        allowed:
          `{ source: ${JSON.stringify(from.slice(0, from.indexOf('.')))}, collections: ` +
          `${JSON.stringify(from.slice(from.indexOf('.') + 1))} }`,
      },
    );
  if (OWN.includes(from))
    throw new TuneError(
      'TUNE-10002',
      'tune.split.plan: "source" must be a database other than admin, config and ' +
        `local, not ${from}.`,
      { value: from, allowed: 'a database other than admin, config and local' },
    );
  if (!by && databases.includes(from))
    throw new TuneError(
      'TUNE-10002',
      `tune.split.plan: "target" must be a database other than "source", not ${from}.`,
      { value: from, allowed: 'other databases' },
    );
  if (by && names?.length !== 1)
    throw new TuneError(
      'TUNE-10002',
      'tune.split.plan: with "by" exactly one collection is split: name it in "collections".',
      { value: names, allowed: 'one name' },
    );
}

/**
 * Decides how one collection becomes several.
 * @param {any} by
 * @param {string[]} into
 * @returns {By}
 */
const byOf = ({ hash, range, parts }, into) => ({
  kind: hash === undefined ? 'range' : 'hash',
  field: hash ?? range,
  parts: parts ?? Math.max(2, into.length),
});
