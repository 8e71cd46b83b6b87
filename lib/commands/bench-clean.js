'use strict';

const { defineCommand, confirmOption } = require('../base/pure/command');
const { text } = require('../base/pure/options');
const { report } = require('../text/report');
const { mapServerError } = require('../base/server-errors');
const { DATABASE } = require('../bench/load/data');
const { collectionsOf, dropData, findMarker, notOwn } = require('../bench/data');

/**
 * @import { TuneError } from '../base/pure/errors'
 * @import { Report } from '../text/report'
 * @import { Context } from '../base/types'
 */

module.exports = defineCommand({
  name: 'bench.clean',
  group: 'Test',
  order: 3,
  takes: ['options'],
  usage: 'tune.bench.clean({ database, confirm })',
  summary: 'Drops the database of a benchmark, if one was left',
  options: {
    database: { check: text(), default: DATABASE, description: 'its name' },
    confirm: confirmOption('a DRY RUN shows what would be done'),
  },
  examples: ['tune.bench.clean()', 'tune bench clean --confirm'],
  changes: 'benchmarks',
  onMongos: 'connect to a mongod of the same kind: a cluster has many caches',
  risks: [
    'It drops collections, and cannot restore them.',
    "A collection of yours with the name of one of tune's in that database is dropped, too.",
  ],
  run: benchClean,
});

/**
 * Takes away the data of a benchmark that was kept, or whose loading was interrupted. Never what is
 * not of tune's making.
 * @param {Context} ctx
 * @param {{ database: string, confirm: boolean }} options
 * @returns {Promise<{ dryRun: boolean, database: string, found: boolean, dropped: boolean,
 *   left: string[] } & Report>} `left`: collections of others in that database, which stay
 * @throws {TuneError} TUNE-1xxxx, TUNE-2xxxx
 */
async function benchClean(ctx, { database, confirm }) {
  try {
    const found = await findMarker(ctx.port, database);
    const left = found ? notOwn(await collectionsOf(ctx.port, database)) : [];
    const done = confirm && found ? await dropData(ctx.port, database) : null;
    const data = {
      dryRun: !confirm,
      database,
      found,
      dropped: done !== null,
      left: done?.left ?? left,
    };
    return report(data, (ink) => require('../bench/pure/bench-text').renderCleaned(data, ink));
  } catch (error) {
    throw mapServerError(error, 'drop', ctx.signal);
  }
}
