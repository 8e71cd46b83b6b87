'use strict';

const assert = require('node:assert/strict');
const { searchedFor } = require('../../../lib/trial/search-settings');

/** @import { Part } from '../../../lib/signals/accounting' */

/** @param {[Part, number][]} parts */
const account = (...parts) => ({
  threads: 20,
  parts: parts.map(([what, threads]) => ({ what, threads })),
  unexplainedThreads: 0,
});

describe('trial/search-settings: what a search is for', () => {
  for (const [title, bottleneck, accounting, wanted] of /** @type {const} */ ([
    ['the verdict', 'cache-dirty', account(['reading', 19]), 'cache-dirty'],
    ['a verdict without a setting', 'disk', account(['reading', 19]), 'disk'],
    ['nothing known', 'unknown', null, 'unknown'],
    ['most threads read', 'none', account(['tickets', 15], ['reading', 5]), 'cache-read'],
    ['most threads evict', 'unknown', account(['eviction', 4], ['reading', 2]), 'cache-dirty'],
    ['less than a tenth', 'none', account(['cpu', 15], ['reading', 1.9]), 'none'],
    ['a tenth', 'none', account(['cpu', 15], ['reading', 2]), 'cache-read'],
    ['nothing that a setting changes', 'cpu', account(['cpu', 15]), 'cpu'],
  ]))
    it(`${title}: ${wanted}`, () => assert.equal(searchedFor({ bottleneck, accounting }), wanted));
});
