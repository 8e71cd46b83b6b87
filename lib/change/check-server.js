'use strict';

const { TuneError } = require('../base/pure/errors');
const { processIdOf, readServerRun, refuseAtlas } = require('../server/identity');
const { HELLO } = require('../server/pure/commands');
const { toMs } = require('../base/pure/numbers');
const { sameRun } = require('./pure/journal');
const { quoteConfig } = require('../config/engine-config');

/**
 * @import { Run } from '../server/types'
 * @import { Context } from '../base/types'
 * @import { Settings, Plan } from './types'
 * @import { Done } from './apply-plan'
 *
 * @typedef {Pick<Settings, 'run' | 'readAtMs'>} Planned by what a change was planned
 */

/**
 * Refuses another server or another run than the planned one (failover, new connection).
 * @param {Context} ctx
 * @param {Settings} settings
 * @returns {Promise<number>} the server's clock minus this computer's
 */
async function checkServer({ port }, settings) {
  const now = await readServerRun(port);
  refuseOtherRun(now, settings);
  return now.clockMs ?? 0;
}

/**
 * The server's clock while a call is in progress: its time lies between the two values.
 * @typedef {{ earliest(): number, latest(): number }} Clock
 * @typedef {{ atMs: number, answeredAtMs: number }} CallTimes the times between which the server
 *   has logged a call, by its own clock
 * @param {Context} ctx @param {Settings} settings @returns {Promise<Clock>}
 */
async function readClock(ctx, settings) {
  const askedAtMs = performance.now();
  const clockMs = await checkServer(ctx, settings);
  const readAtMs = performance.now();
  const serverMs = Date.now() + clockMs;
  // This computer's clock may be corrected until the answer comes.
  const earliest = () => serverMs + (performance.now() - readAtMs);
  return { earliest, latest: () => earliest() + (readAtMs - askedAtMs) };
}

/**
 * Reads the times of a call right after its answer. The server's clock may have been corrected
 * while the call waited: then the call was logged before or after the correction.
 * @param {Context} ctx @param {Settings} settings
 * @param {{ clock: Clock, atMs: number, config: string }} call `atMs`: when the server was asked
 * @returns {Promise<CallTimes>}
 * @throws {TuneError} TUNE-20006, TUNE-20010
 */
async function readCallTimes(ctx, settings, { clock, atMs, config }) {
  const [earliestMs, latestMs] = [clock.earliest(), clock.latest()];
  const shownMs = await checkAnswerer(ctx, settings, config);
  if (shownMs === undefined) return { atMs, answeredAtMs: latestMs };
  return {
    atMs: atMs - Math.max(0, earliestMs - shownMs),
    answeredAtMs: shownMs > clock.latest() ? shownMs : latestMs,
  };
}

/**
 * Returns the times of an unanswered call that has arrived: the server's clock may have been
 * corrected.
 * @param {number} atMs when the server was asked @param {number} passedMs the time since then
 * @param {number} shownMs the server's clock now
 * @returns {CallTimes}
 */
const betweenClocks = (atMs, passedMs, shownMs) => ({
  atMs: Math.min(atMs, shownMs - passedMs),
  answeredAtMs: Math.max(atMs + passedMs, shownMs),
});

/**
 * @param {Run} now
 * @param {Settings} settings
 * @throws {TuneError} TUNE-20010
 */
function refuseOtherRun(now, settings) {
  if (!sameRun(now, settings.run)) throw otherServer(now, settings);
}

/**
 * Makes the same check in one command, the last one before a call: the driver follows an election
 * by itself.
 * @param {Context} ctx @param {Settings} settings @param {Pick<Plan, 'onlySecondary'>} [plan]
 * @throws {TuneError} TUNE-20007, TUNE-20010, TUNE-30011
 */
async function checkProcess({ port }, settings, { onlySecondary = false } = {}) {
  refuseAtlas(settings.run);
  const hello = await port.adminCommand(HELLO);
  if (isOther(hello, settings)) throw otherServer(await readServerRun(port), settings);
  if (onlySecondary && hello.isWritablePrimary)
    throw new TuneError(
      'TUNE-30011',
      `${hello.me} has become the primary, and this call changes secondaries only.`,
      { value: hello.me },
    );
}

/**
 * Checks which server has answered a call: a driver may have sent it over another connection than
 * the hello before it.
 * @param {Context} ctx @param {Settings} settings @param {string} config the string that was sent
 * @returns {Promise<number | undefined>} the server's clock; undefined where it does not answer any
 *   more
 * @throws {TuneError} TUNE-20006, TUNE-20010
 */
async function checkAnswerer({ port }, settings, config) {
  /** @type {any} */ let hello;
  try {
    hello = await port.adminCommand(HELLO);
    if (!isOther(hello, settings)) return toMs(hello.localTime);
  } catch (error) {
    // If no server answers any more, the answer of the call counts.
    if (!(error instanceof TuneError) || error.code !== 'TUNE-20010') return undefined;
  }
  if (port.isHeld) return undefined;
  const now = await readServerRun(port).catch(() => null);
  if (now !== null && isRestarted(now, settings)) throw otherServer(now, settings);
  const there = hello?.me ?? 'another process with that name';
  throw new TuneError(
    'TUNE-20006',
    `While ${quoteConfig(config)} was set on ${settings.run.host}, ${there} took its place. Run ` +
      'tune.settings() on each of the two to see where it is active.',
    { value: there },
  );
}

/** @param {any} hello @param {Settings} settings */
function isOther(hello, { run }) {
  const processId = processIdOf(hello);
  return processId !== null && run.processId !== null && processId !== run.processId;
}

/** @param {Run} now @param {Planned} settings */
function otherServer(now, settings) {
  const { host } = settings.run;
  const restarted = isRestarted(now, settings);
  const words = restarted
    ? ', restarted since'
    : `: ${hasSameName(now, settings) ? ANOTHER : 'a failover?'}`;
  return new TuneError(
    'TUNE-20010',
    `The change was planned for ${host}, but this is ${now.host}${words}.`,
    { value: now.host, allowed: host, restarted },
  );
}

/** @param {Run} now @param {Planned} settings */
const hasSameName = (now, { run: { host, me = null } }) =>
  now.host === host && (now.me ?? null) === me;

/**
 * Says whether the server was restarted: two servers may have one name, and only a run that began
 * since can be the same server again.
 * @param {Run} now
 * @param {Planned} settings
 */
const isRestarted = (now, settings) =>
  hasSameName(now, settings) &&
  now.startedAtMs !== null &&
  now.startedAtMs > (settings.readAtMs ?? settings.run.startedAtMs ?? -Infinity);

const ANOTHER = 'another server with that name, or the same one after a restart';

/**
 * Refuses to continue a change of several members at the first one that does not show what was
 * sent.
 * @param {Pick<Done, 'verified' | 'mismatches' | 'replaced'>} done
 * @param {string} host
 * @throws {TuneError} TUNE-30006 where another session set over it; TUNE-30004
 */
function refuseUnverified({ verified, mismatches, replaced }, host) {
  if (verified) return;
  if (replaced.length > 0)
    throw new TuneError(
      'TUNE-30006',
      `Another session set ${replaced.join(', ')} on ${host} after this change had set it.`,
      { value: replaced },
    );
  throw new TuneError('TUNE-30004', `Not as sent: ${mismatches.join('; ')}.`, { value: host });
}

module.exports = {
  checkServer,
  readClock,
  checkProcess,
  readCallTimes,
  checkAnswerer,
  betweenClocks,
  refuseOtherRun,
  otherServer,
  refuseUnverified,
};
