'use strict';

/**
 * What was set at run time, in order, as far as anybody can know: the server's log (a ring of 1024 lines), getParameter (the last
 * string only) and our own journal, whose entries hold what getParameter showed before them.
 *
 * @typedef {{ atMs: number, config: string, was: string | null, id: string, sure: boolean }} Send what we sent, by the server's
 *   clock just before it was asked; `was`: the last string before; `sure`: the server said that it accepted it
 * @typedef {{ kind: 'set', config: string, id: string | null, atMs: number | null } | { kind: 'gap' }} TimelineEvent `id`: the
 *   journal entry that sent it, null for somebody else's
 * @typedef {{ atMs: number, config: string, ok: boolean }} Logged
 * @typedef {{ sets: readonly Logged[], logFromMs: number | null, logWhole: boolean, lastString: string | null }} ServerSide
 */

/** A call can wait that long for a checkpoint to end before the server logs it, beside what clocks differ. */
const LONGEST_WAIT_MS = 600_000;
/** The server logs its time in whole milliseconds. */
const CLOCK_GRAIN_MS = 2;

/**
 * @param {ServerSide} server
 * @param {readonly Send[]} sends ours to this run of this server, in order
 * @returns {{ events: TimelineEvent[], complete: boolean }}
 */
function makeTimeline(server, sends) {
  const logged = fromLog(server, sends);
  const earlier = server.logWhole ? [] : beforeLog(server, sends);
  const events = server.logWhole ? logged : [...earlier, ...bridge(server, sends, lastOf(earlier)), ...logged];
  const whole = [...events, ...ending(server, events)];
  return { events: whole, complete: whole.every(({ kind }) => kind !== 'gap') };
}

/** @param {ServerSide} server @param {readonly Send[]} sends @returns {TimelineEvent[]} */
function fromLog({ sets }, sends) {
  return sets.filter(({ ok }) => ok).map(({ config, atMs }) => ({ kind: 'set', config, atMs, id: sendOf({ config, atMs }, sends)?.id ?? null }));
}

/** @param {{ config: string, atMs: number }} logged @param {readonly Send[]} sends @returns {Send | undefined} */
const sendOf = ({ config, atMs }, sends) => sends.findLast((send) => send.config === config && send.atMs <= atMs + CLOCK_GRAIN_MS && atMs - send.atMs < LONGEST_WAIT_MS);

/** Ours from before the log begins; a gap wherever the server had another last string than we thought. @param {ServerSide} server @param {readonly Send[]} sends @returns {TimelineEvent[]} */
function beforeLog({ logFromMs }, sends) {
  /** @type {TimelineEvent[]} */
  const events = [];
  for (const { atMs, config, was, id, sure } of sends.filter((send) => logFromMs === null || send.atMs < logFromMs)) {
    if (!sure || was !== lastOf(events)) events.push({ kind: 'gap' });
    if (sure) events.push({ kind: 'set', config, atMs, id });
  }
  return events;
}

/** The last string at a moment; "" since the start of the server. @param {readonly TimelineEvent[]} events @returns {string} */
function lastOf(events) {
  const last = events.at(-1);
  return last?.kind === 'set' ? last.config : '';
}

/**
 * A gap between what we know and the first set in the log, unless that one is ours and saw the string we know of before it.
 * @param {ServerSide} server @param {readonly Send[]} sends @param {string} before @returns {TimelineEvent[]}
 */
function bridge({ sets, lastString }, sends, before) {
  const first = sets.find(({ ok }) => ok);
  const seen = first === undefined ? lastString : sendOf(first, sends)?.was;
  return seen === before ? [] : [{ kind: 'gap' }];
}

/** What the server shows last has the last word. @param {ServerSide} server @param {readonly TimelineEvent[]} events @returns {TimelineEvent[]} */
function ending({ lastString }, events) {
  if (lastString === null || lastString === lastOf(events)) return [];
  return [{ kind: 'set', config: lastString, id: null, atMs: null }];
}

module.exports = { makeTimeline };
