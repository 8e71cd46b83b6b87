'use strict';

const { kernelNumber } = require('../base/pure/version');

/**
 * From 8.0 on mongod contains an allocator with a cache for each CPU, which gains from huge pages,
 * on the architectures that support it (MongoDB manual, TCMalloc performance: x86_64 and ARM64).
 * Earlier releases, and other architectures, have the old one, which does not.
 */
const SINCE = 80_000;
const ARCHITECTURES = Object.freeze(['x86_64', 'amd64', 'aarch64', 'arm64']);

/** @param {number} versionNumber @param {string | undefined} architecture @returns {boolean} */
const hasNewAllocator = (versionNumber, architecture = 'x86_64') =>
  versionNumber >= SINCE && ARCHITECTURES.includes(architecture);

/**
 * From Linux 6.19 to 7.0.13 the kernel does not write what the allocator relies on when it uses
 * restartable sequences: the allocator can hand out the same memory twice. Sources: an engineer of
 * MongoDB (Linux kernel mailing list, 2026-04-22, "rseq: refactoring in v6.19 broke everyone on
 * arm64 and tcmalloc everywhere"); for the end of it the release notes of MongoDB 8.0
 * (SERVER-125742).
 */
const UNSAFE_KERNELS = Object.freeze({ min: kernelNumber('6.19.0'), max: kernelNumber('7.0.13') });

/** @param {number} number as kernelNumber counts */
const isUnsafeNumber = (number) => number >= UNSAFE_KERNELS.min && number <= UNSAFE_KERNELS.max;

/** @param {string | undefined} release `7.0.13-generic`; undefined: not known @returns {boolean} */
const isUnsafeKernel = (release) =>
  release !== undefined && /^\d+\.\d+/.test(release) && isUnsafeNumber(kernelNumber(release));

module.exports = { hasNewAllocator, SINCE, UNSAFE_KERNELS, isUnsafeKernel, isUnsafeNumber };
