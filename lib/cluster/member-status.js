'use strict';

const { mapServerError, isRefusal } = require('../base/server-errors');
const { toMs } = require('../base/pure/numbers');
const { MS_PER_SECOND } = require('../base/pure/units');

/**
 * @import { Port } from '../base/context'
 * @import { TuneError } from '../base/pure/errors'
 * @import { Member } from './pure/member'
 */

const SHOWN_ROLES = new Set(['primary', 'secondary', 'recovering', 'rollback', 'startup2']);

/**
 * The members of the replica set as the server sees them: all of them, with their states and
 * delays, where replSetGetStatus may be asked; else those that it tells everybody of.
 * @param {Port} port
 * @returns {Promise<{ self: string | null, members: Member[] }>} no members on a standalone server;
 *   `self`: the one that was asked
 * @throws {TuneError} TUNE-20006
 */
async function collectMembers(port) {
  const hello = await port.adminCommand({ hello: 1 });
  if (!hello.setName) return { self: null, members: [] };
  try {
    const { members } = await port.adminCommand({ replSetGetStatus: 1 });
    return {
      self: members.find((/** @type {any} */ one) => one.self)?.name ?? hello.me ?? null,
      members: fromStatus(members),
    };
  } catch (cause) {
    const error = mapServerError(cause, 'replSetGetStatus');
    if (!isRefusal(error)) throw error;
    return { self: hello.me ?? null, members: fromHello(hello) };
  }
}

/** @param {any[]} members of replSetGetStatus @returns {Member[]} */
function fromStatus(members) {
  const newestMs = toMs(members.find(({ stateStr }) => stateStr === 'PRIMARY')?.optimeDate);
  return members.map(({ name, stateStr, health, optimeDate }) => {
    const role = String(stateStr).toLowerCase();
    const atMs = toMs(optimeDate);
    const lagSeconds =
      role !== 'secondary' || newestMs === undefined || atMs === undefined
        ? null
        : Math.max(0, (newestMs - atMs) / MS_PER_SECOND);
    return {
      host: name,
      role,
      isUp: health !== 0,
      canBeShown: SHOWN_ROLES.has(role) || health === 0,
      lagSeconds,
    };
  });
}

/** @param {any} hello @returns {Member[]} */
const fromHello = ({ hosts = [], passives = [], arbiters = [], primary }) => [
  ...[...hosts, ...passives].map((host) => ({
    host,
    role: host === primary ? 'primary' : 'secondary',
    isUp: true,
    canBeShown: true,
    lagSeconds: null,
  })),
  ...arbiters.map((/** @type {string} */ host) => ({
    host,
    role: 'arbiter',
    isUp: true,
    canBeShown: false,
    lagSeconds: null,
  })),
];

module.exports = { collectMembers };
