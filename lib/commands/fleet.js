'use strict';

const { sleep } = require('../base/context');
const { mapConcurrent } = require('../base/map-concurrent');
const { checkOptions, flag, number } = require('../base/pure/options');
const { countsOf, exitCodeOf, ranked } = require('../cluster/pure/fleet-rows');
const { report } = require('../text/report');
const { examineServer, notAsked } = require('../cluster/examine-server');
const { readServers } = require('../cluster/servers');

/**
 * @import { Context } from '../base/context'
 * @import { TuneError } from '../base/pure/errors'
 * @import { Listed } from '../cluster/pure/fleet-list'
 * @import { Row } from '../cluster/pure/fleet-rows'
 * @import { Report } from '../text/report'
 */

const OPTIONS = {
  concurrency: number({ min: 1, max: 500, integer: true }),
  seconds: number({ min: 0.1, max: 3600 }),
  timeoutSeconds: number({ min: 1, max: 600 }),
  limit: number({ min: 1, max: 10_000, integer: true }),
  json: flag(),
};
/**
 * What a shell on a small machine has connections, memory and processor for: 500 servers take less
 * than a minute so.
 */
const CONCURRENCY = 64;
/**
 * Milliseconds from one server to the next at the start. Each is asked once a second: 64 share that
 * second so, instead of all answering in the same moment of it, when what waits to be read is held
 * in memory. It costs no time, since a processor has twice as much to do for each; ours.
 */
const APART_MS = 15;
const SECONDS = 5;
const TIMEOUT_SECONDS = 10;
/** Two screens. */
const LIMIT = 40;

/**
 * Looks at many servers, some at a time, each as tune.advise() does, and puts the worst first. A
 * server that cannot be looked at is a row like the others.
 * @param {Context} ctx no connection is needed
 * @param {unknown} of a file (a connection string a line, or YAML or JSON with names and tags), or
 *   a list of connection strings; ${VARIABLES} come from
 *   the environment
 * @param {{
 *   concurrency?: number, seconds?: number, timeoutSeconds?: number, limit?: number, json?: boolean
 * }} [options] `concurrency`: servers at once;
 *   `seconds` to look at each; `timeoutSeconds`: what each may take to connect, and beyond the
 *   look; `limit`: rows that are shown; `json`: each row as an
 *   object in a line of its own, as soon as it is known
 * @returns {Promise<ReturnType<typeof dataOf> & Report>} after Ctrl-C:
 *   with what was seen until then
 * @throws {TuneError} TUNE-1xxxx, TUNE-40002 and TUNE-40008 before anything is
 *   asked
 */
async function fleet(ctx, of, options) {
  const {
    concurrency = CONCURRENCY,
    seconds = SECONDS,
    timeoutSeconds = TIMEOUT_SECONDS,
    limit = LIMIT,
    json = false,
  } = checkOptions('tune.fleet', OPTIONS, options);
  const { servers, notes } = await readServers(of, process.env);
  const started = performance.now();
  /** @type {Map<Listed, Row>} */
  const rows = new Map();
  const examine = async (/** @type {Listed} */ server, /** @type {number} */ i) => {
    // A signal of its own: Node.js warns of more than ten listeners on one.
    if (i > 0 && i < concurrency)
      await sleep(i * APART_MS, AbortSignal.any([ctx.signal])).catch(() => {});
    if (ctx.signal.aborted) return;
    const row = await examineServer(ctx, server, { seconds, timeoutSeconds });
    rows.set(server, row);
    // At Ctrl-C mongosh has begun a line of its own.
    if (json)
      ctx.terminal.write(
        `${ctx.signal.aborted ? '\n' : ''}${JSON.stringify({ kind: 'server', ...row })}\n`,
      );
    ctx.progress(progressLine([...rows.values()], servers.length));
  };
  await mapConcurrent(servers, examine, { concurrency });
  ctx.progress(null);
  const all = servers.map((server) => rows.get(server) ?? notAsked(server));
  return answerOf(
    dataOf(all, {
      seconds: (performance.now() - started) / 1000,
      notes: [...notes, ...interruption(all, ctx.signal.aborted)],
    }),
    { limit, json },
  );
}

/** @param {readonly Row[]} rows @param {number} of */
function progressLine(rows, of) {
  const {
    statuses: { critical = 0, warning = 0 },
    examined,
  } = countsOf(rows);
  return (
    `tune.fleet: ${rows.length} of ${of}, ${critical} critical, ${warning} warning, ` +
    `${rows.length - examined} not seen; Ctrl-C answers with these`
  );
}

/** @param {readonly Row[]} rows @param {boolean} isInterrupted @returns {string[]} */
function interruption(rows, isInterrupted) {
  const left = rows.filter(({ state }) => state === 'not asked').length;
  return isInterrupted
    ? [
        left === 0
          ? 'Interrupted: this is what was seen until then.'
          : `Interrupted: ${left} of ${rows.length} were not looked at.`,
      ]
    : [];
}

/** @param {readonly Row[]} rows @param {{ seconds: number, notes: string[] }} how */
const dataOf = (rows, { seconds, notes }) => ({
  at: new Date(),
  seconds,
  servers: rows.length,
  ...countsOf(rows),
  exitCode: exitCodeOf(rows),
  rows: ranked(rows),
  notes,
});

/** @param {ReturnType<typeof dataOf>} data @param {{ limit: number, json: boolean }} how */
function answerOf(data, { limit, json }) {
  if (json)
    return report(data, () => JSON.stringify({ kind: 'fleet', ...data, rows: undefined }), {
      verbatim: true,
    });
  const { renderFleet } = require('../cluster/pure/fleet-text');
  return report(data, (ink) => renderFleet(data, limit, ink));
}

module.exports = { fleet, OPTIONS };
