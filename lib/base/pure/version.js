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

/** One number that orders versions: 6.0.24 is 60024. @param {string} text @returns {number} */
function versionNumber(text) {
  const [major, minor, patch] = parseVersion(text);
  return (major * 100 + minor) * 100 + patch;
}

module.exports = { parseVersion, compareVersions, versionNumber };
