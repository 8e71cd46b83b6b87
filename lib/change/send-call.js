'use strict';

const { SETTINGS } = require('../config/setting-table');
const { GiB } = require('../base/pure/units');
const { configStringOf, parseEngineConfig, quoteConfig } = require('../config/engine-config');
const { settingsIn } = require('../config/effective-config');
const { pick, settingsOf } = require('../config/change');
const { NO_ANSWER_BETWEEN, mapServerError, withoutSecrets } = require('../base/server-errors');
const { TuneError } = require('../base/pure/errors');
const codes = require('../base/pure/server-codes');

/**
 * @import { Port } from '../base/context'
 * @import { Change } from '../base/types'
 * @import { Counters } from '../server/pure/counters'
 */

/**
 * The only place where settings are changed: one group of keys a call, read back, and repaired when
 * WiredTiger refuses, because it may have applied a part of what it refused.
 * @typedef {{
 *   sample(): Promise<Counters>, lastString(): Promise<string | null>,
 *   reason(config: string): Promise<string | null>
 * }} Readback
 *   `reason`: why WiredTiger refused a string, from the server's log
 * @typedef {{
 *   change: Change, config: string, restore: string, check?: (before: Counters) => Promise<void>,
 *   checkServer?: () => Promise<void>, checkAnswerer?: (config: string) => Promise<unknown>,
 *   answered?: (was: string | null) => void | Promise<void>, again?: Again
 * }} Call `restore`: the group before the call, for a repair; `check`: runs last before the call;
 *   `answered`: runs first after it; `again`: the hooks of a string that repairs a refusal;
 *   `checkServer`, `checkAnswerer`: check before and after that string whether the same server
 *   answers
 * @typedef {{
 *   asking(config: string): void,
 *   answered(config: string, was: string | null, expected: string | null): void,
 *   others(): Promise<Change>
 * }} Again `expected`: the last string that the server showed before; `others`: returns what other
 *   sessions have set since the plan
 * @typedef {{ was: string | null, mismatch: string | null }} Answer `was`: the last string before
 *   the call; `mismatch`: a value that is read back and is not as sent
 */

/**
 * The keys that may be sent, those of settings only: WiredTiger accepts dangerous keys without an
 * error.
 */
const SENDABLE = new Set(Object.values(SETTINGS).map(({ key }) => key?.split('.')[0]));

/**
 * @param {Port} port
 * @param {Call} call
 * @param {Readback} readback
 * @param {AbortSignal} [signal]
 * @returns {Promise<Answer>}
 * @throws {TuneError} TUNE-20005/7/2 not allowed; TUNE-20008 refused, nothing is changed;
 *   TUNE-30005 refused, and not repaired
 */
async function sendCall(port, call, readback, signal) {
  if (!isSendable(call.config) || !isWhole(call.config))
    throw new TuneError('TUNE-90001', `tune must not send ${JSON.stringify(call.config)}.`, {
      value: call.config,
    });
  const [before, last] = await Promise.all([readback.sample(), readback.lastString()]);
  await call.check?.(before);
  const reply = await set(port, call.config).catch(async (cause) => {
    const error = /** @type {TuneError} */ (mapServerError(cause, 'setParameter', signal));
    if (error.code !== 'TUNE-20008') throw error;
    if (LEAVING.has(cause.code)) throw left(call.config, cause);
    const failed = (/** @type {unknown} */ failure) => notRepaired(call.config, failure);
    const isKept = await keepsString(call, last, readback).catch((failure) => {
      throw NO_ANSWER_BETWEEN.has(cause.code) ? unanswered(call.config, cause) : failed(failure);
    });
    // The error does not have the string before the call.
    if (isKept) return {};
    if (NO_ANSWER_BETWEEN.has(cause.code)) throw unanswered(call.config, cause);
    throw await repairRefused(port, { ...call, last, before, cause }, readback).catch(failed);
  });
  const was = typeof reply.was === 'string' ? reply.was : null;
  await call.answered?.(was);
  return { was, mismatch: mismatch(call.change, await readback.sample()) };
}

/**
 * Codes of a server that shuts down or is no primary any more, and ended the call itself:
 * WiredTiger refused nothing, and the driver may switch to another server.
 */
const LEAVING = new Set([
  codes.INTERRUPTED_AT_SHUTDOWN,
  codes.INTERRUPTED_BY_STATE_CHANGE,
  codes.NOT_PRIMARY_OR_SECONDARY,
  codes.NOT_WRITABLE_PRIMARY,
  codes.PRIMARY_STEPPED_DOWN,
  codes.SHUTDOWN_IN_PROGRESS,
]);

/** @param {string} config @param {unknown} cause */
const left = (config, cause) =>
  new TuneError(
    'TUNE-20006',
    `The server ended ${quoteConfig(config)}, because it shuts down or changes its role ` +
      `(${withoutSecrets(/** @type {Error} */ (cause).message)}).`,
    { value: config, cause },
  );

/** @param {string} config @param {unknown} cause */
const unanswered = (config, cause) =>
  new TuneError(
    'TUNE-20006',
    `The call ${quoteConfig(config)} did not reach the server, or its answer was lost ` +
      `(${withoutSecrets(/** @type {Error} */ (cause).message)}).`,
    { value: config, cause },
  );

/**
 * Says whether the server shows the string, which it does not after a refusal: the error then came
 * after the call was done, such as from a proxy.
 * @param {Call} call @param {string | null} last what the server showed before the call
 * @param {Readback} readback
 */
async function keepsString({ config, checkServer }, last, readback) {
  if (last === null || last === config) return false;
  await checkServer?.();
  return (await readback.lastString()) === config;
}

/** @param {Port} port @param {string} config */
const set = (port, config) =>
  port.adminCommand({ setParameter: 1, wiredTigerEngineRuntimeConfig: config });

/** @param {string} config */
const isSendable = (config) =>
  parseEngineConfig(config).entries.every(({ key }) => SENDABLE.has(key.text));

/**
 * Says whether a string has no fractions: WiredTiger accepts none, and a refused one would prevent
 * the rollback of a trial.
 * @param {string} config
 */
const isWhole = (config) => !/=-?[0-9]+\.[0-9]/.test(config);

/**
 * Makes the error of a refusal whose effect could not be read back: it may have changed something.
 * @param {string} config @param {unknown} cause
 */
const notRepaired = (config, cause) =>
  new TuneError(
    'TUNE-30005',
    `WiredTiger rejected ${quoteConfig(config)}. It may have applied a part of it, and that could not be ` +
      `checked or repaired: ${withoutSecrets(/** @type {Error} */ (cause).message).replace(/\.$/, '')}.`,
    { value: config, cause },
  );

/**
 * Repairs a refused call. Every accepted string makes WiredTiger apply its whole configuration,
 * without the refused string. The last good one is sent again, so that getParameter shows what it
 * showed before.
 * @param {Port} port
 * @param {Call & { last: string | null, before: Counters, cause: unknown }} refused
 * @param {Readback} readback
 * @returns {Promise<TuneError>}
 */
async function repairRefused(port, refused, readback) {
  const { config, last, before, cause, checkServer } = refused;
  await checkServer?.();
  const why = await readback.reason(config);
  // Only a call that sets the cache can have changed it half-way; otherwise another session did.
  const setsCache = parseEngineConfig(config).entries.some(({ key }) => key.text === 'cache_size');
  const isMoved = (/** @type {Counters} */ now) =>
    setsCache && now['cache.maxBytes'] !== before['cache.maxBytes'];
  const half = isMoved(await readback.sample());
  const reason = why ?? 'its log does not report why';
  // The server does not keep a refused string, so its present one may be newer than the one seen
  // before the call.
  const newest = (await readback.lastString()) ?? last;
  const restored = await sendLast(port, { ...refused, newest });
  const after = await readback.sample();
  const details = {
    value: config,
    reason: why,
    halfApplied: half,
    restored: restored === true,
    cause,
  };
  const isUntouched = !setsCache && restored === null;
  if (!(restored || isUntouched) || isMoved(after)) {
    return new TuneError(
      'TUNE-30005',
      `WiredTiger rejected ${quoteConfig(config)} (${reason}) but applied a part of it, and ` +
        'restoring the values before failed.',
      details,
    );
  }
  const mended = half ? ' It had applied a part of it; the values before were restored.' : '';
  return new TuneError(
    'TUNE-20008',
    `WiredTiger rejected ${quoteConfig(config)}: ${reason}.${mended}`,
    details,
  );
}

/**
 * @param {Port} port
 * @param {Call & { last: string | null, newest: string | null }} refused `last`: what the server
 *   showed before the call; `newest`: what it shows now
 * @returns {Promise<boolean | null>} whether the string was accepted; null: there is nothing to
 *   send
 */
async function sendLast(port, { restore, last, newest, again, checkServer, checkAnswerer }) {
  const isItself = newest !== null && isSendable(newest);
  const good = isItself ? newest : withExternal(restore, await othersNow(again, newest));
  // An empty string would hide what another session set from every journal.
  if (good.trim() === '' && newest !== '') return null;
  await checkServer?.();
  again?.asking(good);
  const restored = await set(port, good).then(
    ({ was }) => {
      again?.answered(good, typeof was === 'string' ? was : null, isItself ? newest : last);
      return true;
    },
    () => false,
  );
  await checkAnswerer?.(good);
  return restored;
}

/**
 * @param {Again | undefined} again @param {string | null} newest a string that tune may not send
 * @returns {Promise<Change>} what other sessions have set just now
 */
const othersNow = async (again, newest) => ({
  ...(await again?.others()),
  ...settingsIn(newest ?? ''),
});

/**
 * Keeps what another session has just set of the same settings.
 * @param {string} restore @param {Change} others
 */
function withExternal(restore, others) {
  const before = settingsIn(restore);
  const external = pick(others, settingsOf(before));
  return settingsOf(external).length === 0 ? restore : configStringOf({ ...before, ...external });
}

/**
 * @param {Change} change
 * @param {Counters} live
 * @returns {string | null} a value that differs; only cache size and threads can be read back, and
 *   thresholds where the server reports them (9.0)
 */
function mismatch(
  { cacheSizeGB, evictionThreadsMin: min = 0, evictionThreadsMax: max = Infinity },
  live,
) {
  const [maxBytes, active] = [live['cache.maxBytes'], live['eviction.threadsActive']];
  if (
    cacheSizeGB !== undefined &&
    maxBytes !== undefined &&
    maxBytes !== Math.round(cacheSizeGB * GiB)
  ) {
    return `the cache is ${maxBytes} bytes, not ${cacheSizeGB} GB`;
  }
  return active !== undefined && (active > max || active < min)
    ? `${active} eviction threads are active, not ${min} to ${max}`
    : null;
}

module.exports = { sendCall, isSendable };
