'use strict';

const { createHash } = require('node:crypto');
const fs = require('node:fs');
const path = require('node:path');
const { addressOf } = require('./address');
const { pack } = require('./contents');
const { run } = require('./run');
const { sbomOf } = require('./sbom');

/**
 * @import { Place } from './checks'
 */

/** Makes the two files for machines without npm (bundle.js). */
const BUNDLE = path.join(__dirname, '..', 'bundle', 'bundle.js');

/**
 * The tarball, what comes with it by name and licence, the two files for machines without npm, and the
 * digests of all.
 * @param {Place} place @param {string} folder made if it is not there
 * @returns {string[]} the files, the tarball first
 */
function writeRelease(place, folder) {
  fs.mkdirSync(folder, { recursive: true });
  const tarball = path.join(folder, pack(place, ['--pack-destination', folder]).filename);
  const sbom = path.join(folder, 'sbom.cdx.json');
  fs.writeFileSync(sbom, sbomOf(place));
  const twoFiles = writeTwoFiles(place, folder);
  const sums = path.join(folder, 'SHA256SUMS');
  fs.writeFileSync(
    sums,
    [tarball, sbom, ...twoFiles]
      .map(
        (file) =>
          `${createHash('sha256').update(fs.readFileSync(file)).digest('hex')}  ` +
          `${path.basename(file)}\n`,
      )
      .join(''),
  );
  return [tarball, sbom, ...twoFiles, sums];
}

/** @param {Place} place @param {string} folder @returns {string[]} @throws {Error} why there is none */
function writeTwoFiles(place, folder) {
  const { code, stderr } = run(place, process.execPath, [BUNDLE, path.resolve(folder)]);
  if (code !== 0) throw new Error(`the bundle could not be made: ${stderr.trim()}`);
  return ['tune.js', 'tune-bundle.cjs'].map((name) => path.join(folder, name));
}

/**
 * Why a package cannot be published with proof of where it comes from.
 * @param {Place} place
 * @returns {string | null}
 */
function whyNoProvenance({ env, manifest }) {
  const github = env.GITHUB_ACTIONS === 'true' && Boolean(env.ACTIONS_ID_TOKEN_REQUEST_URL);
  const gitlab = env.GITLAB_CI === 'true' && Boolean(env.SIGSTORE_ID_TOKEN);
  if (!github && !gitlab)
    return (
      'only a build server can prove what it built: run this in GitHub Actions with ' +
      '"permissions: id-token: write", or in GitLab CI with an id_token SIGSTORE_ID_TOKEN'
    );
  return addressOf({ repository: manifest.repository })
    ? null
    : 'package.json names no "repository", which the proof is compared with';
}

/** @param {Place} place @param {string} tarball @returns {number} npm's exit code */
const publish = (place, tarball) =>
  run(place, 'npm', ['publish', '--provenance', '--access=public', tarball], { shown: true }).code;

module.exports = { writeRelease, whyNoProvenance, publish };
