'use strict';

const { defineCommand, confirmOption } = require('../base/pure/command');
const { text } = require('../base/pure/options');
const { report } = require('../text/report');
const { mapServerError } = require('../base/server-errors');
const { DATABASE } = require('../bench/load/data');
const { dropData, findMarker } = require('../bench/data');

/**
 * @import { Context } from '../base/context'
 * @import { TuneError } from '../base/pure/errors'
 * @import { Report } from '../text/report'
 */

module.exports = defineCommand({
  name: 'bench.clean',
  group: 'bench',
  order: 2,
  takes: ['options'],
  usage: 'tune.bench.clean({ database, confirm })',
  summary: 'Drops the database of a benchmark, if one was left',
  options: {
    database: { check: text(), default: DATABASE, description: 'its name' },
    confirm: confirmOption('only what would be done is shown'),
  },
  examples: ['tune.bench.clean()', 'tune bench clean --confirm'],
  changes: 'benchmarks',
  run: benchClean,
});

/**
 * Takes away the data of a benchmark that was kept, or whose loading was interrupted. Never a
 * database that is not tune's own.
 * @param {Context} ctx
 * @param {{ database: string, confirm: boolean }} options
 * @returns {Promise<{ dryRun: boolean, database: string, found: boolean, dropped: boolean } &
 *   Report>}
 * @throws {TuneError} TUNE-1xxxx, TUNE-2xxxx
 */
async function benchClean(ctx, { database, confirm }) {
  try {
    const found = await findMarker(ctx.port, database);
    const data = {
      dryRun: !confirm,
      database,
      found,
      dropped: confirm && found && (await dropData(ctx.port, database)),
    };
    return report(data, () => require('../bench/pure/bench-text').renderCleaned(data));
  } catch (error) {
    throw mapServerError(error, 'dropDatabase', ctx.signal);
  }
}
