'use strict';

const os = require('node:os');
const { HELLO } = require('../server/pure/commands');
const { collectFacts } = require('../server/facts');
const { otherClientsLoad } = require('../server/client-load');
const { UNUSED_PER_SEC } = require('../server/pure/client-operations');
const { toNumber } = require('../base/pure/numbers');
const { bytes, count, GiB } = require('../base/pure/units');
const { NO_FACTS } = require('../server/pure/facts');
const { mapServerError } = require('../base/server-errors');
const { TuneError } = require('../base/pure/errors');
const { findData } = require('./data');
const { askServer, identityOf } = require('../host/ask-server');
const { findPlace } = require('../host/same-machine');
const { takeSnapshots, readAreas } = require('../host/examine-host');
const { filesUnder, COMMANDS } = require('../host/root-files');

/**
 * @import { Context } from '../base/types'
 * @import { BenchPlan, Target } from './types'
 * @import { Port } from '../base/context'
 */

const SAMPLE_MS = 1000;
/** Updates, the journal and the history store need space beside the data itself. */
const FREE_SPACE_FACTOR = 2;
const FREE_SPACE_BYTES = GiB;

/**
 * Reads what the server is, and whether a benchmark may run on it. It changes nothing.
 * @param {Context} ctx
 * @param {BenchPlan} plan
 * @returns {Promise<Target>}
 * @throws {TuneError} TUNE-31001: other clients use the server; TUNE-31002: tune did not make the
 *   database; TUNE-31003: it takes no writes; TUNE-30003: too little free space
 */
async function examineTarget(ctx, plan) {
  try {
    const facts = await factsOf(ctx);
    const data = await findData(ctx, plan);
    const needBytes = data.reusable ? 0 : plan.records * plan.workload.documentBytes;
    const freeBytes = await freeOf(ctx);
    checkFreeSpace(plan, needBytes, freeBytes);
    // A user who continues in any case need not wait for the answer.
    const otherClientsPerSec = plan.force ? null : await otherClientsLoad(ctx, SAMPLE_MS);
    checkExternal(plan, otherClientsPerSec);
    const { host, version, role, cores } = facts;
    return {
      host,
      version,
      role,
      cores,
      freeBytes,
      needBytes,
      otherClientsPerSec,
      data,
      notes: notesOn(facts, plan.force ? 0 : otherClientsPerSec, freeBytes),
    };
  } catch (error) {
    throw mapServerError(error, 'serverStatus', ctx.signal);
  }
}

/** A benchmark may run through a mongos, but it has no storage engine. @param {Context} ctx */
async function factsOf({ port }) {
  const hello = await port.adminCommand(HELLO);
  if (hello.msg === 'isdbgrid') return { ...NO_FACTS, host: hello.me ?? null, role: 'mongos' };
  const facts = await collectFacts(port);
  if (hello.isWritablePrimary === false) {
    throw new TuneError(
      'TUNE-31003',
      'This server takes no writes: it is ' +
        `${facts.role === 'secondary' ? 'a secondary' : 'not the primary'}.`,
      { value: facts.role, allowed: 'primary or standalone' },
    );
  }
  return facts;
}

/**
 * Reads the free space by the database "admin": for a database that does not exist the server
 * reports no disk.
 * @param {Context} ctx
 * @returns {Promise<number | null>}
 */
async function freeOf({ port }) {
  try {
    const { fsTotalSize, fsUsedSize } = await port.adminCommand({ dbStats: 1 });
    const total = toNumber(fsTotalSize);
    return total ? total - (toNumber(fsUsedSize) ?? total) : null;
  } catch (_missingPrivilege) {
    return null;
  }
}

/** @param {BenchPlan} plan @param {number} needBytes @param {number | null} freeBytes */
function checkFreeSpace({ force, records }, needBytes, freeBytes) {
  const wanted = needBytes * FREE_SPACE_FACTOR + FREE_SPACE_BYTES;
  if (force || needBytes === 0 || freeBytes === null || freeBytes >= wanted) return;
  throw new TuneError(
    'TUNE-30003',
    `${count(records)} records take ${bytes(needBytes)}, with working space ${bytes(wanted)}, ` +
      `but the server's disk has ${bytes(freeBytes)} left.`,
    { value: records, allowed: freeBytes },
  );
}

/** @param {BenchPlan} plan @param {number | null} perSec */
function checkExternal({ force }, perSec) {
  if (force || perSec === null || perSec < UNUSED_PER_SEC) return;
  throw new TuneError(
    'TUNE-31001',
    `Other clients use this server: ${count(perSec)} operations/s without a ` +
      `benchmark (limit: ${UNUSED_PER_SEC}). The benchmark would slow them down, and ` +
      'they would distort the result.',
    { value: perSec, allowed: UNUSED_PER_SEC },
  );
}

/**
 * @param {{ role: string | null }} facts
 * @param {number | null} others
 * @param {number | null} free
 */
function notesOn({ role }, others, free) {
  return [
    ...(role === 'mongos'
      ? [
          'Through a mongos, into one unsharded collection: its shard does the work, ' +
            'and the load of that shard is not visible from here.',
        ]
      : []),
    ...(others === null ? ['The server does not report the operations of other clients.'] : []),
    ...(free === null ? ['The server does not report the free space of its disk.'] : []),
  ];
}

/**
 * Describes the file system and disk of the data, where they can be read: `xfs on vda, /data`.
 * @param {Context} ctx
 * @returns {Promise<string | null>} null: not known
 */
async function describeFiles({ port, signal }) {
  try {
    const server = identityOf(await askServer(port));
    const files = filesUnder(['/'], COMMANDS);
    const place = await findPlace(files, server, process.platform);
    if (place.kind === 'elsewhere') return server.dbPath ?? null;
    const subject = { pid: place.pid, dbPath: server.dbPath, port: server.port, interface: null };
    const { values } = await readAreas(
      await takeSnapshots(files, subject, { seconds: 1, signal }),
      subject,
    );
    const type = values['files.type'];
    return type === undefined
      ? (server.dbPath ?? null)
      : `${type} on ${values['disk.name'] ?? values['files.device'] ?? '?'}, ${server.dbPath}`;
  } catch (_notReported) {
    return null;
  }
}

/**
 * Whether the server runs on the machine of this shell.
 * @param {Port} port
 * @returns {Promise<boolean>} also false where the server does not report it
 */
async function sameMachine(port) {
  try {
    const { system } = await port.adminCommand({ hostInfo: 1 });
    return String(system?.hostname ?? '').split(':')[0] === os.hostname();
  } catch (_missingPrivilege) {
    return false;
  }
}

module.exports = { examineTarget, describeFiles, sameMachine };
