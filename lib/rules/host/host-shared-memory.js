'use strict';

const { bytes, percent, many, shortPercent } = require('../../base/pure/units');
const { defineHostRule } = require('../rule');
const { CAP_SHARE } = require('../../signals/cache');
const { sources, option } = require('../sources');

module.exports = defineHostRule({
  id: 'host-shared-memory',
  title: 'Caches of all mongod on this host larger than its RAM',
  why:
    'By default each mongod uses half of RAM for its cache, regardless of other processes. Two ' +
    'defaults, or one enlarged cache, can exceed RAM. The caches fill over days; then the host ' +
    'swaps or kills a process.',
  needs: ['memory.mongods', 'memory.totalBytes'],
  wants: ['server.cacheBytes'],
  threshold:
    `Warning: all caches together exceed ${shortPercent(CAP_SHARE)} of RAM, the limit at which mongod ` +
    'warns about its cache.',
  source: sources(option('storage.wiredTiger.engineConfig.cacheSizeGB'), 'mongod log id 22300'),
  advice:
    'Set cacheSizeGB for each mongod so that all caches together leave a fifth of RAM or more.',
  whenNot: 'Not if all but one hold almost no data, such as arbiters.',
  check({ 'memory.mongods': mongods, 'memory.totalBytes': totalBytes, 'server.cacheBytes': own }) {
    const caches = mongods.flatMap(
      ({ cacheBytes, isOurs }) => (isOurs ? (own ?? cacheBytes) : cacheBytes) ?? [],
    );
    const cacheBytes = caches.reduce((all, cache) => all + cache, 0);
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
  `${mongods} mongod run on this host; their caches total ${bytes(cacheBytes)}, ` +
  `${percent(cacheBytes / totalBytes)} of ${bytes(totalBytes)} RAM` +
  `${unknownCaches > 0 ? ` (${many(unknownCaches, 'cache')} not known)` : ''}.`;
