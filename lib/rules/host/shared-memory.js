'use strict';

const { bytes, percent } = require('../../base/pure/units');
const { defineHostRule } = require('../define-host-rule');
const { CAP_SHARE } = require('../../signals/cache');
const { whole, many } = require('../../signals/words');

module.exports = defineHostRule({
  id: 'shared-memory',
  area: 'host',
  title: 'Whether the caches of all mongod of this host fit into its memory',
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
  check({ 'memory.mongods': mongods, 'memory.totalBytes': total, 'server.cacheBytes': own }) {
    const caches = mongods.flatMap(
      ({ cacheBytes, isOurs }) => (isOurs ? (own ?? cacheBytes) : cacheBytes) ?? [],
    );
    const sum = caches.reduce((all, one) => all + one, 0);
    const unknown = mongods.length - caches.length;
    const evidence = { mongods: mongods.length, cacheBytes: sum, 'memory.totalBytes': total };
    if (mongods.length <= 1)
      return { status: 'ok', say: 'One mongod runs on this host.', evidence };
    const say =
      `${mongods.length} mongod run on this host, with caches of ${bytes(sum)} together, ` +
      `${percent(sum / total)} of its ${bytes(total)} of ` +
      `memory${unknown > 0 ? `; the cache of ${many(unknown, 'other')} is not known` : ''}.`;
    return { status: sum > CAP_SHARE * total ? 'warning' : 'ok', say, evidence };
  },
});
