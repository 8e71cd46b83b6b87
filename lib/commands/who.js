'use strict';

const { defineCommand } = require('../base/pure/command');
const { number, text } = require('../base/pure/options');
const { MS_PER_SECOND } = require('../base/pure/units');
const { mapServerError } = require('../base/server-errors');
const { collectFacts } = require('../server/facts');
const { makeWindow } = require('../server/pure/window');
const { report } = require('../text/report');
const { collectWho, examineCollections } = require('../who/collect');
const { answerOf } = require('../who/pure/answer');
const { groupOperations } = require('../who/pure/groups');
const { shareOut, totalsOf } = require('../who/pure/share-out');

/**
 * @import { TuneError } from '../base/pure/errors'
 * @import { Report } from '../text/report'
 * @import { WhoAnswer } from '../who/pure/answer'
 * @import { Context } from '../base/types'
 */

module.exports = defineCommand({
  name: 'who',
  group: 'Diagnose',
  order: 7,
  takes: ['options'],
  usage: 'tune.who({ seconds, log })',
  summary: 'Names the queries and tasks that clients wait for',
  details: 'It only reads: slowms and the profiler stay as they are. It shows no values of queries',
  options: {
    seconds: {
      check: number({ min: 1, max: 3600 }),
      default: 30,
      description: 'how long to sample',
    },
    log: {
      check: text(),
      defaultText: 'the last lines that the server keeps in memory',
      description: "the server's log file, where it is on this machine",
    },
  },
  examples: [
    'tune.who({ seconds: 30 })',
    'tune.who({ seconds: 2 }).culprit',
    'tune who --seconds 30',
  ],
  changes: 'nothing',
  onMongos: 'connect to the primary of the shard that is slow: each has its own cache and log',
  run: who,
});

/**
 * Shares the wait time of application threads, as the engine counts it, out to shapes of queries,
 * namespaces, applications and tasks of the server: from the slow operations that were logged and
 * the operations that run, once a second.
 * @param {Context} ctx
 * @param {{ seconds: number, log?: string | null }} options
 * @returns {Promise<WhoAnswer & Report>} after Ctrl-C or a lost connection: over what was seen
 * @throws {TuneError} TUNE-1xxxx for wrong options, TUNE-2xxxx where the server
 *   cannot be examined, TUNE-40002 where the log file cannot be read
 */
async function who(ctx, { seconds, log = null }) {
  const refused = (/** @type {unknown} */ error) => {
    throw mapServerError(error, 'serverStatus', ctx.signal);
  };
  const facts = await collectFacts(ctx.port, { hardware: true }).catch(refused);
  const seen = await collectWho(ctx, { seconds, log }).finally(() => ctx.progress(null));
  const window = makeWindow(seen.samples);
  const groups = groupOperations({
    logged: seen.logged ?? [],
    samples: seen.operations ?? [],
    fromMs: window.from.getTime(),
    toMs: window.to.getTime(),
  });
  const shared = shareOut(groups, totalsOf(window, facts));
  const named = [...seen.before.keys()].map((ns) => ({ ns, task: null }));
  const known =
    seen.ended === 'complete'
      ? await examineCollections(ctx, [...named, ...shared.rows])
      : new Map();
  const betweenSeconds = (performance.now() - seen.beforeMs) / MS_PER_SECOND;
  const { renderWho } = require('./pure/who-text');
  const answer = answerOf({ facts, window, seen, shared, collections: known, betweenSeconds });
  return report(answer, (ink) => renderWho(answer, ink));
}
