'use strict';

const { execFileSync } = require('node:child_process');
const fs = require('node:fs');
const http = require('node:http');
const path = require('node:path');
const { snippetIndex } = require('../../../scripts/snippet-index');
const { ROOT } = require('./place');

/**
 * @typedef {{
 *   name: string, version: string, filename: string, integrity: string, shasum: string,
 *   size: number, unpackedSize: number, files: { path: string, size: number }[]
 * }} Packed
 */

/**
 * Packs this project and all that it needs at run time, as they would lie in a registry.
 * @param {string} folder
 * @returns {Packed[]} ours is the first
 */
function packAll(folder) {
  const out = execFileSync(
    'npm',
    ['pack', '--json', '--ignore-scripts', '--pack-destination', folder, ...runtimeFolders(ROOT)],
    { cwd: ROOT, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'], maxBuffer: 2 ** 26 },
  );
  return JSON.parse(out);
}

/**
 * @param {string} folder of a package
 * @param {Set<string>} [seen]
 * @returns {string[]} it and what it depends on
 */
function runtimeFolders(folder, seen = new Set([folder])) {
  const { dependencies = {}, optionalDependencies = {} } = manifestOf(folder);
  for (const name of Object.keys({ ...dependencies, ...optionalDependencies })) {
    const [found] = parents(folder)
      .map((parent) => path.join(parent, 'node_modules', name))
      .filter((one) => fs.existsSync(one));
    if (seen.has(found)) continue;
    seen.add(found);
    runtimeFolders(found, seen);
  }
  return [...seen];
}

/** @param {string} folder */
const parents = (folder) =>
  folder === path.dirname(folder) ? [folder] : [folder, ...parents(path.dirname(folder))];
/** @param {string} folder */
const manifestOf = (folder) =>
  JSON.parse(fs.readFileSync(path.join(folder, 'package.json'), 'utf8'));

/**
 * A registry of npm and an index of snippets in one, on 127.0.0.1.
 * @param {string} folder for the tarballs
 * @returns {Promise<{ url: string, ours: Packed, requests: string[], broken: { tarballs: boolean },
 *   close(): void }>}
 */
async function startRegistry(folder) {
  const packed = packAll(folder);
  const requests = [];
  const broken = { tarballs: false };
  const server = http.createServer((request, response) => {
    const name = decodeURIComponent(request.url.slice(1));
    requests.push(`${request.method} ${name}`);
    const answer =
      broken.tarballs && name.endsWith('.tgz')
        ? undefined
        : answerTo(name, packed, folder, `http://${request.headers.host}`);
    response.writeHead(answer === undefined ? 404 : 200).end(answer);
  });
  await new Promise((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  return {
    url: `http://127.0.0.1:${server.address().port}/`,
    ours: packed[0],
    requests,
    broken,
    close: () => server.close(),
  };
}

/** @param {string} name @param {Packed[]} packed @param {string} folder @param {string} origin */
function answerTo(name, packed, folder, origin) {
  if (name === 'index.bson.br') return snippetIndex();
  const versions = packed.filter((one) => one.name === name);
  if (versions.length > 0) return JSON.stringify(packument(versions, folder, origin));
  const file = packed.find(({ filename }) => filename === path.basename(name))?.filename;
  return file && fs.readFileSync(path.join(folder, file));
}

/**
 * What npm asks a registry about a package.
 * @param {Packed[]} all its versions
 * @param {string} folder
 * @param {string} origin
 */
function packument(all, folder, origin) {
  const versions = Object.fromEntries(
    all.map(({ version, filename, integrity, shasum }) => {
      const manifest = JSON.parse(
        execFileSync('tar', ['-xzOf', path.join(folder, filename), 'package/package.json'], {
          encoding: 'utf8',
        }),
      );
      return [
        version,
        { ...manifest, dist: { tarball: `${origin}/-/${filename}`, integrity, shasum } },
      ];
    }),
  );
  return { name: all[0].name, 'dist-tags': { latest: all.at(-1).version }, versions };
}

module.exports = { startRegistry };
