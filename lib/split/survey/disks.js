'use strict';

const { toNumber } = require('../../base/pure/numbers');
const { collectMembers } = require('../../cluster/member-status');

/**
 * @import { Port } from '../../base/context'
 * @import { Context } from '../../base/types'
 */

/**
 * Reads the free space on the disk of every member that stores the data: each makes the copy, and
 * the fullest disk decides.
 * @typedef {{ freeBytes: number | null, freeOn: string | null, unseenDisks: string[] }} Disks
 *   `freeOn`: the member with least free space; `unseenDisks`: members that do not report it
 */

const DATA_BEARING = Object.freeze(['primary', 'secondary', 'recovering', 'startup2']);

/**
 * @param {Context} ctx
 * @param {string} from the source's database
 * @returns {Promise<Disks>}
 */
async function collectDisks(ctx, from) {
  const { self, members } = await collectMembers(ctx.port);
  const others = members.filter(({ host, role }) => host !== self && DATA_BEARING.includes(role));
  const seen = await Promise.all([
    { host: self, free: await freeOn(ctx.port, from) },
    ...others.map(async ({ host }) => ({ host, free: await freeOf(ctx, host, from) })),
  ]);
  const known = /** @type {{ host: string | null, free: number }[]} */ (
    seen.filter(({ free }) => free !== null)
  );
  const min = known.length === 0 ? null : known.reduce((a, b) => (b.free < a.free ? b : a));
  return {
    freeBytes: min?.free ?? null,
    freeOn: min?.host ?? null,
    unseenDisks: seen.flatMap(({ host, free }) =>
      free === null && host !== self ? [String(host)] : [],
    ),
  };
}

/**
 * @param {Context} ctx
 * @param {string} host
 * @param {string} from
 * @returns {Promise<number | null>} null: the member was not reached, or does not report it
 */
async function freeOf(ctx, host, from) {
  try {
    const { port, close } = await ctx.connect(host);
    try {
      return await freeOn(port, from);
    } finally {
      await close();
    }
  } catch (_unreachable) {
    return null;
  }
}

/**
 * @param {Port} port
 * @param {string} from
 * @returns {Promise<number | null>}
 */
async function freeOn(port, from) {
  try {
    const { fsTotalSize, fsUsedSize } = await port.command(from, { dbStats: 1 });
    const [all, used] = [toNumber(fsTotalSize), toNumber(fsUsedSize)];
    return all === undefined || used === undefined ? null : all - used;
  } catch (_refused) {
    return null;
  }
}

module.exports = { collectDisks };
