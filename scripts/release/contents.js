'use strict';

const { run } = require('./run');

/**
 * @import { Place } from './checks'
 */

/**
 * @typedef {{
 *   filename: string, size: number, unpackedSize: number, files: { path: string, size: number }[]
 * }} Packed `size` and `unpackedSize` in bytes
 */

/**
 * What may be in the package: the program, and every page that a reader of README.md can reach. The
 * pages for makers (docs/dev) stay in the repository.
 */
const BELONGS = new RegExp(
  '^(?:index\\.js|error-matchers\\.js|package\\.json|README\\.md|LICENSE|CHANGELOG\\.md|SECURITY\\.md|lib/.+|' +
    'schemas/[\\w-]+\\.json|snippets/.+|vendor/uplot/.+|' +
    'docs/(?:(?:commands|evidence|rules)/)?[\\w-]+\\.md|docs/pictures/[\\w-]+\\.(?:png|svg)|' +
    'docs/monitoring/(?:alerts\\.yml|dashboard\\.json)|docs/kubernetes/[\\w-]+\\.yaml)$',
);
/** Without these it is no snippet. */
const NEEDED = [
  'index.js',
  'error-matchers.js',
  'package.json',
  'README.md',
  'LICENSE',
  'CHANGELOG.md',
  'snippets/check.js',
  'lib/entry.js',
  'schemas/check.json',
  'docs/install.md',
  'docs/commands/README.md',
  'docs/rules/README.md',
  'docs/monitoring/alerts.yml',
  'docs/monitoring/dashboard.json',
];
/**
 * Bytes, unpacked: with its dependency (yaml, 0.69 MB) the package is to stay below 6 MB
 * (docs/dev/dependencies.md).
 */
const UNPACKED_LIMIT_BYTES = 5_310_000;

/**
 * @param {Place} place
 * @param {string[]} [more] arguments, such as where to write it; without them nothing is written
 * @returns {Packed}
 * @throws {Error} npm's own reason
 */
function pack(place, more = ['--dry-run']) {
  const { code, stdout, stderr } = run(place, 'npm', [
    'pack',
    '--json',
    '--ignore-scripts',
    ...more,
  ]);
  if (code !== 0) throw new Error(`npm pack failed: ${stderr.trim()}`);
  return JSON.parse(stdout)[0];
}

/** @param {Packed} packed @returns {string | null} what is wrong with what is in it */
function whatIsWrong({ files, unpackedSize }) {
  const names = files.map((file) => file.path);
  const foreign = names.filter((name) => !BELONGS.test(name));
  const missing = NEEDED.filter((name) => !names.includes(name));
  if (foreign.length > 0) return `not to be shipped: ${foreign.join(', ')}`;
  if (missing.length > 0) return `missing: ${missing.join(', ')}`;
  return unpackedSize > UNPACKED_LIMIT_BYTES
    ? `${unpackedSize} bytes unpacked, over the limit of ${UNPACKED_LIMIT_BYTES}`
    : null;
}

module.exports = { pack, whatIsWrong, UNPACKED_LIMIT_BYTES };
