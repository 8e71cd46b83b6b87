'use strict';
// npm run snippet-index [-- OUT [installSpec]]: the index file by which mongosh's
// `snippet install tune` finds this package.

const fs = require('node:fs');
const path = require('node:path');
const { brotliCompressSync } = require('node:zlib');
const { serialize } = require('bson');

const ROOT = path.join(__dirname, '..');
const INDEX_FILE_VERSION = 1;

/**
 * @param {string} [installSpec] what npm shall install instead of the newest release: a tarball's
 *   URL, `github:owner/name`
 * @returns {Buffer} brotli(BSON), as mongosh reads it; it takes an index without a readme for a
 *   broken one
 */
function snippetIndex(installSpec) {
  const manifest = JSON.parse(fs.readFileSync(path.join(ROOT, 'package.json'), 'utf8'));
  const { name, snippetName, version, description, license } = manifest;
  const entry = {
    name,
    snippetName,
    version,
    description,
    license,
    readme: fs.readFileSync(path.join(ROOT, 'README.md'), 'utf8'),
    errorMatchers: require(path.join(ROOT, manifest.errorMatchers)),
    ...(installSpec ? { installSpec } : {}),
  };
  // Older ones (2.0, 2.3) take an index without a homepage for a broken one.
  const homepage = manifest.homepage ?? `https://www.npmjs.com/package/${name}`;
  return brotliCompressSync(
    serialize({ indexFileVersion: INDEX_FILE_VERSION, metadata: { homepage }, index: [entry] }),
  );
}

if (require.main === module) {
  const [out = 'index.bson.br', installSpec] = process.argv.slice(2);
  fs.writeFileSync(out, snippetIndex(installSpec));
  console.log(
    `${out} written. Serve it, put its address into mongosh's config ` +
      '"snippetIndexSourceURLs", then: snippet install tune',
  );
}

module.exports = { snippetIndex };
