'use strict';

const { defineCommand } = require('../base/pure/command');
const { sleep } = require('../base/context');
const { mapConcurrent } = require('../base/timing');
const { flag, number } = require('../base/pure/options');
const { countsOf, exitCodeOf, ranked } = require('../cluster/pure/fleet-rows');
const { report } = require('../text/report');
const { examineServer, notAsked } = require('../cluster/examine-server');
const { readServers } = require('../cluster/servers');

/**
 * @import { TuneError } from '../base/pure/errors'
 * @import { Listed } from '../cluster/pure/fleet-list'
 * @import { Report } from '../text/report'
 * @import { Context } from '../base/types'
 * @import { Row } from '../cluster/pure/types'
 */

/**
 * A shell on a small machine has connections, memory and CPU for this many servers at a time: 500
 * servers take less than a minute.
 */
const CONCURRENCY = 64;
/** The number of rows that fill two screens. */
const LIMIT = 40;

module.exports = defineCommand({
  name: 'fleet',
  group: 'Fleet',
  order: 2,
  takes: ['text', 'options'],
  usage: 'tune.fleet(list, { seconds, json, … })',
  summary: 'Checks many servers, and shows the worst first',
  details:
    'list: a file with a connection string a line, or YAML or JSON with names and ' +
    'tags, or a list of them; ${PASSWORD} comes from the environment. A server that ' +
    'cannot be reached is a row, not an error; Ctrl-C answers with the servers ' +
    'sampled so far',
  options: {
    seconds: {
      check: number({ min: 0.1, max: 3600 }),
      default: 5,
      description: 'how long to sample each',
    },
    concurrency: {
      check: number({ min: 1, max: 500, integer: true }),
      default: CONCURRENCY,
      description: 'servers at once',
    },
    serverTimeoutSeconds: {
      check: number({ min: 1, max: 600 }),
      default: 10,
      description: 'timeout of each server, in addition to seconds',
    },
    limit: {
      check: number({ min: 1, max: 10_000, integer: true }),
      default: LIMIT,
      description: 'rows on screen; .rows has all',
    },
    json: {
      check: flag(),
      default: false,
      description: 'one JSON object a line for each server, as soon as it is sampled',
    },
  },
  examples: [
    'tune.fleet("servers.txt", { seconds: 5 })',
    'const fleet = tune.fleet("servers.txt", { seconds: 5, concurrency: 20 })',
    'tune fleet servers.txt --seconds 5 --json',
  ],
  changes: 'nothing',
  endsByInterrupt: true,
  run: fleet,
});

/**
 * Milliseconds from one server to the next at the start. Each server is asked once a second: so 64
 * servers spread over that second, and their answers are not all held in memory in the same moment.
 * It costs no time, since a CPU is busy twice as long for each (heuristic).
 */
const APART_MS = 15;

/**
 * Looks at many servers, some at a time, each as tune.advise() does, and puts the worst first. A
 * server that cannot be examined is a row like the others.
 * @param {Context} ctx no connection is needed
 * @param {unknown} of a file (a connection string a line, or YAML or JSON with names and tags), or
 *   a list of connection strings; ${VARIABLES} come from
 *   the environment
 * @param {{
 *   concurrency: number, seconds: number, serverTimeoutSeconds: number, limit: number, json: boolean
 * }} options
 * @returns {Promise<ReturnType<typeof dataOf> & Report>} after Ctrl-C:
 *   with what was seen until then
 * @throws {TuneError} TUNE-1xxxx, TUNE-40002 and TUNE-40008 before any server is asked
 */
async function fleet(ctx, of, { concurrency, seconds, serverTimeoutSeconds, limit, json }) {
  const { servers, notes } = await readServers(of, process.env);
  const started = performance.now();
  /** @type {Map<Listed, Row>} */
  const rows = new Map();
  const examine = async (/** @type {Listed} */ server, /** @type {number} */ i) => {
    // Each server has a signal, because Node.js warns of more than ten listeners on one.
    if (i > 0 && i < concurrency)
      await sleep(i * APART_MS, AbortSignal.any([ctx.signal])).catch(() => {});
    if (ctx.signal.aborted) return;
    const row = await examineServer(ctx, server, { seconds, serverTimeoutSeconds });
    rows.set(server, row);
    // At Ctrl-C mongosh has begun a new line.
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
      notes: [...notes, ...shortWindow(seconds), ...interruption(all, ctx.signal.aborted)],
    }),
    { limit, json },
  );
}

/** The progress that is shown meanwhile. @param {readonly Row[]} rows @param {number} total */
function progressLine(rows, total) {
  const {
    statuses: { critical = 0, warning = 0 },
    examined,
  } = countsOf(rows);
  return (
    `tune.fleet: ${rows.length} of ${total}, ${critical} critical, ${warning} warning, ` +
    `${rows.length - examined} not sampled; Ctrl-C answers with these`
  );
}

/** A bottleneck needs a window of this many seconds (lib/diagnose/mechanisms/unknown.js). */
const MIN_SECONDS = 3;
/** @param {number} seconds @returns {string[]} */
const shortWindow = (seconds) =>
  seconds < MIN_SECONDS
    ? [`Below ${MIN_SECONDS} s no bottleneck is named: tune.fleet(list, { seconds: 5 }).`]
    : [];

/**
 * Notes the servers that Ctrl-C left out.
 * @param {readonly Row[]} rows
 * @param {boolean} isInterrupted
 * @returns {string[]}
 */
function interruption(rows, isInterrupted) {
  const left = rows.filter(({ state }) => state === 'skipped').length;
  return isInterrupted
    ? [
        left === 0
          ? 'Interrupted: the answer covers the samples until then.'
          : `Interrupted: ${left} of ${rows.length} were not sampled.`,
      ]
    : [];
}

/**
 * Makes the answer's data.
 * @param {readonly Row[]} rows
 * @param {{ seconds: number, notes: string[] }} how
 */
const dataOf = (rows, { seconds, notes }) => ({
  at: new Date(),
  seconds,
  servers: rows.length,
  ...countsOf(rows),
  exitCode: exitCodeOf(rows),
  rows: ranked(rows),
  notes,
});

/**
 * Makes the answer, which prints as a table.
 * @param {ReturnType<typeof dataOf>} data
 * @param {{ limit: number, json: boolean }} how
 */
function answerOf(data, { limit, json }) {
  if (json)
    return report(data, () => JSON.stringify({ kind: 'fleet', ...data, rows: undefined }), {
      verbatim: true,
    });
  const { renderFleet } = require('../cluster/pure/fleet-text');
  return report(data, (ink) => renderFleet(data, limit, ink));
}
