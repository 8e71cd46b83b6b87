'use strict';

const { bytes, percent } = require('../../base/pure/units');
const { defineHostRule } = require('../rule');
const { CAP_SHARE } = require('../../signals/cache');
const { whole, many } = require('../../signals/words');

module.exports = defineHostRule({
  id: 'host-shared-memory',
  title: 'Caches of all mongod of this host above its memory',
  why:
    'Each mongod takes half of the memory for its cache by default, whoever else is there. Two ' +
    'with the default, or one beside another that was made larger, promise more memory than ' +
    'there is; they fill their caches over days, and then the host swaps or kills.',
  needs: ['memory.mongods', 'memory.totalBytes'],
  wants: ['server.cacheBytes'],
  threshold:
    `Warning when their caches together are more than ${whole(CAP_SHARE)} of memory, the share ` +
    'above which mongod warns of its own cache.',
  source:
    'MongoDB manual, storage.wiredTiger.engineConfig.cacheSizeGB (several mongod on one ' +
    'machine); mongod log id 22300',
  advice:
    'Give each mongod a cache of its own (cacheSizeGB), so that together they leave a fifth ' +
    'of memory and more.',
  whenNot: 'Where all but one hold next to no data, as arbiters do.',
  check({ 'memory.mongods': mongods, 'memory.totalBytes': totalBytes, 'server.cacheBytes': own }) {
    const caches = mongods.flatMap(
      ({ cacheBytes, isOurs }) => (isOurs ? (own ?? cacheBytes) : cacheBytes) ?? [],
    );
    const cacheBytes = caches.reduce((all, one) => all + one, 0);
    const evidence = { mongods: mongods.length, cacheBytes, 'memory.totalBytes': totalBytes };
    const unknownCaches = mongods.length - caches.length;
    const values = { mongods: mongods.length, cacheBytes, totalBytes, unknownCaches };
    if (mongods.length <= 1) return { status: 'ok', code: 'one', values, evidence };
    return cacheBytes > CAP_SHARE * totalBytes
      ? { status: 'warning', code: 'too-large', values, evidence }
      : { status: 'ok', code: 'fits', values, evidence };
  },
  messages: {
    one: () => 'One mongod runs on this host.',
    fits: (values) => sum(values),
    'too-large': (values) => sum(values),
  },
});

/**
 * All caches beside the memory.
 * @param {Record<'mongods' | 'cacheBytes' | 'totalBytes' | 'unknownCaches', number>} values
 */
const sum = ({ mongods, cacheBytes, totalBytes, unknownCaches }) =>
  `${mongods} mongod run on this host, with caches of ${bytes(cacheBytes)} together, ` +
  `${percent(cacheBytes / totalBytes)} of its ${bytes(totalBytes)} of memory` +
  `${unknownCaches > 0 ? `; the cache of ${many(unknownCaches, 'other')} is not known` : ''}.`;
