'use strict';

const crypto = require('node:crypto');
const fs = require('node:fs');
const path = require('node:path');
const { coverageFolder } = require('./coverage');

/** What lines are run depends on these. */
const SOURCES = ['lib', 'snippets', 'test'];

/** @param {string} root @returns {{ folder: string, digest: string }} */
function places(root) {
  const coverage = path.join(root, 'coverage');
  return { folder: path.join(coverage, 'core'), digest: path.join(coverage, 'core.sha256') };
}

/**
 * Keeps what the core has run for the rest, which comes in a process of its own.
 * @param {string} root
 */
function keepCore(root) {
  const { folder, digest } = places(root);
  fs.rmSync(digest, { force: true });
  fs.rmSync(folder, { recursive: true, force: true });
  fs.renameSync(coverageFolder(root), folder);
  fs.writeFileSync(digest, digestOf(root));
}

/**
 * Adds what the core has run to what this process has.
 * @param {string} root
 * @returns {boolean} whether there is some, of the very same code
 */
function takeCore(root) {
  const { folder, digest } = places(root);
  if (!fs.existsSync(digest) || fs.readFileSync(digest, 'utf8') !== digestOf(root)) return false;
  // Links: it is several hundred megabytes, and may be wanted again.
  for (const name of fs.readdirSync(folder))
    fs.linkSync(path.join(folder, name), path.join(coverageFolder(root), `core-${name}`));
  return true;
}

/** @param {string} root */
function digestOf(root) {
  const hash = crypto.createHash('sha256');
  for (const source of SOURCES.map((name) => path.join(root, name)).filter(fs.existsSync))
    for (const name of fs.readdirSync(source, { recursive: true, encoding: 'utf8' }).sort())
      if (name.endsWith('.js'))
        hash.update(`${name}\0`).update(fs.readFileSync(path.join(source, name)));
  return hash.digest('hex');
}

module.exports = { keepCore, takeCore };
