'use strict';

const { randomInt } = require('node:crypto');
const { HOST_INFO } = require('../server/pure/commands');
const { readEngineHistory } = require('../server/engine-history');
const { memoryLimitOf } = require('../host/memory-limit');
const { startFileOf } = require('../host/start-file');
const { collectServer, hardwareOf } = require('../server/facts');
const { readServerRun } = require('../server/identity');
const { takeSample } = require('../server/sampler');
const { readLines } = require('../change/journal');
const { flushLate } = require('../change/late-lines');
const { entriesOf, sendsOf } = require('../change/pure/journal');
const { makeTimeline, stringsSet } = require('../change/pure/timeline');
const { makeConfig } = require('../config/effective-config');
const { rememberOrigin } = require('../config/mongod-conf');
const { readSample } = require('../server/pure/sample');
const { mapServerError, isRefusal } = require('../base/server-errors');
const { figure, many } = require('../base/pure/units');
const { parseVersion } = require('../base/pure/version');

/**
 * @import { Port } from '../base/context'
 * @import { EngineHistory } from '../server/types'
 * @import { Config, Drift } from '../config/effective-config'
 * @import { Context } from '../base/types'
 * @import { Facts } from '../server/pure/types'
 * @import { Settings } from '../change/types'
 */

/**
 * The settings in effect and where each comes from. What may not be read becomes unknown and a note.
 * @param {Context} ctx
 * @param {{
 *   run?: Settings['run'], version?: string | null, memLimitBytes?: number | null,
 *   memoryBytes?: number | null, status?: any
 * }} [known] what the
 *   caller has asked the server already; `status`: a reply of serverStatus
 * @returns {Promise<Settings>}
 * @throws {TuneError} TUNE-20006 when the connection is lost
 */
async function collectSettings(ctx, known = {}) {
  const { port, signal } = ctx;
  try {
    const run = known.run ?? (await readServerRun(port));
    const memoryBytes = known.memLimitBytes ?? known.memoryBytes ?? (await readMemory(port));
    const readFromMs = Date.now() + (run.clockMs ?? 0);
    const history = await readEngineHistory(port, signal);
    // Counters are read after the strings, or older values would look like drift; later strings are
    // found before the first call.
    const { counters: live } = known.status ? readSample(known.status) : await takeSample(port);
    const settings = putTogether({
      startFile: await startFileOf(port, { ...run, dbPath: history.dbPath }),
      run,
      live,
      memoryBytes,
      history,
      journal: readJournal(ctx.home),
      version: known.version ?? run.version,
    });
    return {
      ...settings,
      memoryBytes: await usableMemory(port, run.pid, memoryBytes),
      reportedMemoryBytes: memoryBytes,
      readFromMs,
      readAtMs: Date.now() + (run.clockMs ?? 0),
    };
  } catch (error) {
    throw mapServerError(error, 'serverStatus', signal);
  }
}

/**
 * @param {{
 *   run: Settings['run'], live: Settings['live'], memoryBytes: number | null,
 *   history: Settings['history'], journal: ReturnType<typeof readJournal>, version: string | null,
 *   startFile: string | null
 * }} parts `startFile`: what WiredTiger has read beside the options of mongod
 * @returns {Settings}
 */
function putTogether({ run, live, memoryBytes, history, journal, version, startFile }) {
  const { events, complete } = makeTimeline(history, sendsOf(journal.entries, run));
  const known = { runTime: events, memoryBytes, live };
  const asked = startupOf(history);
  const startDoubt = doubtOfStart(
    history,
    makeConfig({ ...known, startup: asked }).drift,
    startFile,
  );
  const startup = startDoubt === null ? asked : null;
  const { config, drift, mended, startValues } = makeConfig({ ...known, startup });
  // The lines for mongod.conf keep its options, also where those are not the values of the start.
  rememberOrigin(config, { startup: asked, runTime: stringsSet(events), version });
  const notes = [
    ...history.notes,
    ...(startDoubt === null ? [] : [startDoubt]),
    ...journal.notes,
    ...mended,
    ...syncdelayNote(config, history, version),
    ...(complete ? [] : [history.refused.includes('getLog') ? NO_LOG : INCOMPLETE]),
  ];
  return {
    config,
    startValues,
    startDoubt,
    drift,
    notes,
    complete,
    timeline: events,
    history,
    blanks: history.logWhole ? 0 : randomInt(FEWEST_BLANKS, MOST_BLANKS + 1),
    entries: journal.entries,
    run,
    memoryBytes,
    live,
  };
}

/** One alone is added to any string of another session. */
const FEWEST_BLANKS = 2;
/** Few enough to be read, and many enough that two sessions seldom draw the same. */
const MOST_BLANKS = 40;

/** @param {EngineHistory} history */
const startupOf = ({ opened, engineConfig, syncPeriodSecs }) =>
  engineConfig && { opened, ...engineConfig, syncPeriodSecs };

/**
 * Finds whether a file or a variable may have set something at the start, of which there is no
 * record. It shows where the cache has another size than the options, and the whole log has nothing
 * that set it.
 * @param {EngineHistory} history @param {readonly Drift[]} drift @param {string | null} startFile
 * @returns {string | null} why the values at start are not known
 */
function doubtOfStart({ logWhole, sets, engineConfig }, drift, startFile) {
  if (startFile !== null)
    return `${startFile} was there when mongod started, so its start values are not known.`;
  const cache = drift.find(({ setting }) => setting === 'cacheSizeGB');
  const isSet = sets.some(({ config, isCut }) => isCut || config.includes(CACHE_KEY));
  if (!cache || !logWhole || isSet || engineConfig?.configString?.includes(`"${CACHE_KEY}"`))
    return null;
  return (
    `cacheSizeGB is ${figure(cache.value)}, not the ${figure(cache.recorded)} of the start-up ` +
    'options, and nothing has set it since: the start values are not known. A file ' +
    'WiredTiger.config in dbPath or the variable WIREDTIGER_CONFIG may set them.'
  );
}

const CACHE_KEY = 'cache_size';

const INCOMPLETE =
  'The in-memory log no longer covers earlier run-time changes; affected settings are shown as ' +
  'unknown.';
const NO_LOG =
  'Run-time changes are not known: this user cannot read the server log (privilege getLog on ' +
  'the cluster, role clusterMonitor). Affected settings are shown as unknown, and tune.undo() ' +
  'may need { force: true }.';

/**
 * Up to the first release the checkpointer keeps the value of its start; from the second on it
 * reads the present one.
 */
const LAST_OF_START = 6;
const FIRST_LIVE = 8;

/**
 * Notes which syncdelay is active. setParameter takes one and shows it. Up to 6.0 the checkpointer
 * keeps the value of the start (measured on 6.0, and src/mongo/db/storage/checkpointer.cpp of those
 * releases); from 8.0 on it reads the new one at the beginning of each pause (the same file). On
 * 7.0 no one outside can find out which one counts.
 * @param {Config} config
 * @param {Settings['history']} history
 * @param {string | null} version
 * @returns {string[]}
 */
function syncdelayNote({ syncdelaySeconds: setting }, { syncdelay }, version) {
  if (syncdelay === null || setting.value === null || syncdelay === setting.value) return [];
  const atStart = setting.value;
  const [major] = version === null ? [null] : parseVersion(version);
  if (major !== null && major >= FIRST_LIVE) {
    Object.assign(setting, {
      value: syncdelay,
      set: syncdelay,
      from: 'runtime',
      sinceRestart: true,
    });
    return [];
  }
  if (major !== null && major <= LAST_OF_START)
    return [
      `syncdelay reads back as ${syncdelay}, but this version keeps the ${atStart} s set at ` +
        'start-up. To change it, set storage.syncPeriodSecs and restart.',
    ];
  Object.assign(setting, { value: null, from: 'unknown' });
  return [
    `syncdelay was ${atStart} s at start-up and reads back as ${syncdelay}; which one is ` +
      'effective shows only in the time between checkpoints.',
  ];
}

/** @param {string} home @returns {{ entries: Settings['entries'], notes: string[] }} */
function readJournal(home) {
  try {
    flushLate(home);
    const { lines, garbled } = readLines(home);
    return {
      entries: entriesOf(lines),
      notes:
        garbled === 0
          ? []
          : [`${many(garbled, 'line')} of the journal cannot be read; the rest is used.`],
    };
  } catch (error) {
    return { entries: [], notes: [/** @type {Error} */ (error).message] };
  }
}

/**
 * RAM that a change is checked against, with the memory limit that mongod ignores for its defaults.
 * @param {Port} port @param {number | null} pid @param {number | null} memoryBytes as mongod has it
 */
async function usableMemory(port, pid, memoryBytes) {
  const limitBytes = await memoryLimitOf(port, pid);
  return limitBytes === null ? memoryBytes : Math.min(limitBytes, memoryBytes ?? Infinity);
}

/**
 * @param {Port} port
 * @returns {Promise<number | null>} what the server may use
 */
async function readMemory(port) {
  try {
    const { memLimitBytes, memoryBytes } = hardwareOf(await port.adminCommand(HOST_INFO));
    return memLimitBytes ?? memoryBytes;
  } catch (cause) {
    const error = mapServerError(cause, 'hostInfo');
    if (isRefusal(error)) return null;
    throw error;
  }
}

/**
 * Reads what a command about settings needs of its server.
 * @param {Context} ctx
 * @returns {Promise<{ facts: Facts, settings: Settings }>}
 * @throws {TuneError} TUNE-2xxxx
 */
async function readFactsAndSettings(ctx) {
  try {
    const { facts, run } = await collectServer(ctx.port);
    return { facts, settings: await collectSettings(ctx, { ...facts, run }) };
  } catch (error) {
    throw mapServerError(error, 'serverStatus', ctx.signal);
  }
}

/**
 * Reads the settings after a change, for its answer. The change is made and recorded: an error of
 * this read must not hide that.
 * @param {Context} ctx
 * @param {Parameters<typeof collectSettings>[1]} known
 * @returns {Promise<Settings | null>} null: not known
 */
const settingsAfter = (ctx, known) => collectSettings(ctx, known).catch(() => null);

module.exports = { collectSettings, readFactsAndSettings, settingsAfter };
