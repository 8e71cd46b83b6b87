'use strict';

const { testCollectionRule } = require('../../../support/rule-tester');

const MiB = 2 ** 20;
const GiB = 2 ** 30;
const file = (
  /** @type {number} */ reusableBytes,
  /** @type {number} */ storageBytes,
  ns = 'shop.orders',
  /** @type {string | null} */ index = null,
) => ({ ns, index, reusableBytes, storageBytes });

testCollectionRule(__filename, [
  ['nothing free', { files: [file(0, GiB)] }, 'ok', 'fine', { largestBytes: 0 }],
  ['an empty file', { files: [file(0, 0)] }, 'ok', 'fine'],
  ['a fifth, just too small', { files: [file(99 * MiB, 400 * MiB)] }, 'ok', 'fine'],
  ['large, less than a fifth', { files: [file(1.9 * GiB, 10 * GiB)] }, 'ok', 'fine'],
  [
    'a fifth',
    { files: [file(200 * MiB, 1000 * MiB)] },
    'info',
    'worth-it',
    { reusableBytes: 200 * MiB },
  ],
  ['half, less than 1 GiB', { files: [file(1000 * MiB, 2000 * MiB)] }, 'info', 'worth-it'],
  ['1 GiB, less than half', { files: [file(GiB, 2.1 * GiB)] }, 'info', 'worth-it'],
  ['1 GiB and half', { files: [file(GiB, 2 * GiB)] }, 'warning', 'large'],
  [
    'the largest first, others counted',
    {
      files: [
        file(200 * MiB, 900 * MiB, 'shop.a', 'n_1'),
        file(3 * GiB, 4 * GiB, 'shop.system.buckets.b'),
        file(0, GiB, 'shop.none'),
        file(300 * MiB, 900 * MiB, 'shop.c'),
        file(150 * MiB, 300 * MiB, 'shop.d\u001b[2J'),
      ],
    },
    'warning',
    'large',
  ],
]);
