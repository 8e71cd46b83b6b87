'use strict';

/** @typedef {readonly [number, number, number]} Version */

/** @param {string} text `6.0.5`, `8.0.0-rc18` @returns {Version} what is missing counts as 0 */
function parseVersion(text) {
  const [major = 0, minor = 0, patch = 0] = text
    .split(/[.-]/)
    .map((part) => Number.parseInt(part, 10) || 0);
  return [major, minor, patch];
}

/** @param {string} a @param {string} b @returns {number} negative when a is older than b */
function compareVersions(a, b) {
  const [left, right] = [parseVersion(a), parseVersion(b)];
  return left[0] - right[0] || left[1] - right[1] || left[2] - right[2];
}

/**
 * Makes one number that orders versions: 6.0.24 is 60024.
 * @param {string} text
 * @returns {number}
 */
function versionNumber(text) {
  const [major, minor, patch] = parseVersion(text);
  return (major * 100 + minor) * 100 + patch;
}

/** @param {string} version `8.0.12`, `6.0.5-4` @returns {string} `8.0` */
const seriesOf = (version) => parseVersion(version).slice(0, 2).join('.');

const KERNEL_STEP = 1000;

/**
 * Makes one number that orders kernels, whose patch may have three digits: 6.19.3 is 6,019,003.
 * @param {string} release
 * @returns {number}
 */
function kernelNumber(release) {
  const [major, minor, patch] = parseVersion(release);
  return (major * KERNEL_STEP + minor) * KERNEL_STEP + patch;
}

/** @param {number} number as kernelNumber counts @returns {string} `6.19.3` */
const kernelText = (number) =>
  [
    Math.floor(number / KERNEL_STEP ** 2),
    Math.floor(number / KERNEL_STEP) % KERNEL_STEP,
    number % KERNEL_STEP,
  ].join('.');

module.exports = {
  parseVersion,
  compareVersions,
  versionNumber,
  seriesOf,
  kernelNumber,
  kernelText,
};
