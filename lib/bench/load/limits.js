'use strict';

/**
 * Thresholds of the search for threads and processes, and of what was the limit; all ours, see
 * docs/evidence/bench.md.
 */

/** Less than this more throughput is noise, or not worth twice the threads. */
const GAIN = 1.05;
/** Z13: with enough clients a server of 8 cores was 85 % busy and more. */
const SERVER_BUSY_RATIO = 0.85;
/**
 * A process of JavaScript that works this much of the time can not be asked for more without making
 * operations wait in it.
 */
const CLIENT_BUSY_RATIO = 0.85;
/** Of all processors of one machine: nothing is left for whoever would want more. */
const MACHINE_BUSY_RATIO = 0.95;
/** Of a full machine; if client and server have less of it, others have the rest. */
const OWN_SHARE = 0.75;

/**
 * @typedef {{
 *   busyRatio: number, clientCores: number, serverCores: number | null, cores: number | null,
 *   machineBusyRatio: number, machineCores: number, sameMachine: boolean
 * }} Seen
 *   `machine…`: that of the client
 */

/**
 * Whether the client was the limit: it had no time left and the server had some, or no processor of
 * its machine was free.
 * @param {Seen} seen
 * @returns {{ clientBound: boolean, because: string | null }}
 */
function clientLimit({ busyRatio, serverCores, cores, machineBusyRatio, sameMachine }) {
  if (busyRatio >= CLIENT_BUSY_RATIO && !serverBusy(serverCores, cores))
    return {
      clientBound: true,
      because: 'the processes that make the load had no time left, the server had',
    };
  if (machineBusyRatio < MACHINE_BUSY_RATIO) return { clientBound: false, because: null };
  return {
    clientBound: true,
    because: sameMachine
      ? 'client and server share the processors of one machine, and all of them were busy'
      : 'all processors of the machine that makes the load were busy',
  };
}

/**
 * @param {Seen} seen
 * @returns {string[]} what makes the figures those of more than client and server
 */
function disturbances({ clientCores, serverCores, machineBusyRatio, machineCores, sameMachine }) {
  const own = clientCores + (sameMachine ? (serverCores ?? 0) : 0);
  if (machineBusyRatio < MACHINE_BUSY_RATIO || own >= OWN_SHARE * machineCores) return [];
  return [
    'Other work on this machine took about ' +
      `${(machineBusyRatio * machineCores - own).toFixed(1)} of its ${machineCores} ` +
      'processors: these figures are lower than they would be without it.',
  ];
}

/** @param {number | null} serverCores used @param {number | null} cores there are */
const serverBusy = (serverCores, cores) =>
  serverCores !== null && cores !== null && serverCores >= SERVER_BUSY_RATIO * cores;

/**
 * Whether one more process might help.
 * @param {{ client: { busyRatio: number }, serverCores: number | null }} sample
 * @param {number | null} cores
 */
const wantsProcess = ({ client, serverCores }, cores) =>
  client.busyRatio >= CLIENT_BUSY_RATIO && !serverBusy(serverCores, cores);

module.exports = { GAIN, clientLimit, disturbances, wantsProcess };
