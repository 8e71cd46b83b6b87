'use strict';

const { sleep } = require('../base/context');
const { askServer, identityOf } = require('./ask-server');
const { findPlace } = require('./same-machine');
const { reportedByServer } = require('./reported');
const { takeSnapshots, readAreas } = require('./areas-registry');
const { filesUnder, COMMANDS } = require('./root-files');
const { mergeHost } = require('./pure/host');
const { MS_PER_SECOND } = require('../base/pure/units');

/**
 * @import { Answers } from './ask-server'
 * @import { HostPart, Place } from './pure/host'
 * @import { Context } from '../base/types'
 */

/**
 * @typedef {{
 *   at: Date, host: string | null, version: string | null, place: Place,
 *   part: HostPart, notes: string[]
 * }} Seen what is known of the machine, and where from
 */

/**
 * Reads the machine under a server from wherever it can be read.
 * @param {Context} ctx
 * @param {{ seconds: number, interface: string | null }} options
 * @returns {Promise<Seen>}
 */
async function examineHost(ctx, { seconds, interface: name }) {
  const first = await askServer(ctx.port);
  const server = identityOf(first);
  const files = filesUnder(['/'], COMMANDS);
  const place = await findPlace(files, server, process.platform);
  const about = { host: server.host, version: server.version, place };
  if (place.kind === 'elsewhere') return { ...about, ...(await fromAfar(ctx, first, seconds)) };
  const subject = { pid: place.pid, dbPath: server.dbPath, port: server.port, interface: name };
  const snapshots = await takeSnapshots(files, subject, {
    seconds,
    signal: ctx.signal,
    onSnapshot: (taken) =>
      ctx.progress(
        `tune.host: ${taken} of ${seconds + 1} samples; Ctrl-C stops and answers from these`,
      ),
  }).finally(() => ctx.progress(null));
  const part = mergeHost(await readAreas(snapshots, subject), reportedByServer(first, first));
  return {
    ...about,
    at: new Date(snapshots[snapshots.length - 1].atMs),
    part,
    notes: endedEarly(snapshots.length, seconds),
  };
}

/**
 * What the server itself reports, asked twice.
 * @param {Context} ctx
 * @param {Answers} first
 * @param {number} seconds
 * @returns {Promise<Pick<Seen, 'at' | 'part' | 'notes'>>}
 */
async function fromAfar(ctx, first, seconds) {
  ctx.progress(
    `tune.host: 2 samples in ${seconds} s, from the server only; Ctrl-C stops and answers from ` +
      'these',
  );
  try {
    await sleep(seconds * MS_PER_SECOND, ctx.signal);
    const last = await askServer(ctx.port);
    return { at: new Date(), part: reportedByServer(first, last), notes: [] };
  } catch (error) {
    if (!ctx.signal.aborted) throw error;
    return { at: new Date(), part: reportedByServer(first, first), notes: endedEarly(1, seconds) };
  } finally {
    ctx.progress(null);
  }
}

/** @param {number} snapshots @param {number} seconds */
const endedEarly = (snapshots, seconds) =>
  snapshots > seconds
    ? []
    : [
        `Stopped after ${snapshots} of ${seconds + 1} ` +
          `samples${snapshots === 1 ? ': rates are not known' : ''}.`,
      ];

module.exports = { examineHost };
