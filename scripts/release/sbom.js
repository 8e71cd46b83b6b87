'use strict';

const fs = require('node:fs');
const os = require('node:os');
const path = require('node:path');
const { run } = require('./run');

/**
 * @import { Place } from './checks'
 */

/**
 * What a user gets beside the package, by name, version and licence (CycloneDX, JSON). npm leaves
 * out of such a list what any tool of development needs as well, whatever it is told to omit; so it
 * is asked in a folder where there are no such tools.
 * @param {Place} place
 * @returns {string}
 * @throws {Error} npm's own reason, or what is missing from its list
 */
function sbomOf({ root, env, manifest }) {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'mongosh-tune-sbom-'));
  try {
    // npm takes the name of the folder for that of the package.
    const alone = path.join(folder, manifest.name);
    fs.mkdirSync(alone, { recursive: true });
    const shipped = Object.fromEntries(
      Object.entries(manifest).filter(
        ([field]) => field !== 'devDependencies' && field !== 'scripts',
      ),
    );
    fs.writeFileSync(path.join(alone, 'package.json'), JSON.stringify(shipped));
    if (fs.existsSync(path.join(root, 'package-lock.json')))
      fs.copyFileSync(path.join(root, 'package-lock.json'), path.join(alone, 'package-lock.json'));
    npm({ root: alone, env }, ['install', '--ignore-scripts', '--no-audit', '--no-fund']);
    return withVendored(
      checked(
        npm({ root: alone, env }, ['sbom', '--sbom-format=cyclonedx', '--sbom-type=library']),
        Object.keys(manifest.dependencies ?? {}),
      ),
      root,
    );
  } finally {
    fs.rmSync(folder, { recursive: true, force: true });
  }
}

/**
 * @param {{ root: string, env: NodeJS.ProcessEnv }} place
 * @param {string[]} args
 * @returns {string}
 */
function npm(place, args) {
  const { code, stdout, stderr } = run(place, 'npm', args);
  if (code !== 0) throw new Error(`npm ${args[0]} failed: ${stderr.trim()}`);
  return stdout;
}

/**
 * What lies in the package itself, which npm does not see.
 * @param {string} text
 * @param {string} root
 * @returns {string}
 */
function withVendored(text, root) {
  const file = path.join(root, 'vendor', 'uplot', 'uPlot.iife.min.js');
  const version = fs.existsSync(file)
    ? /\(v([\d.]+)\)/.exec(fs.readFileSync(file, 'utf8'))?.[1]
    : undefined;
  if (version === undefined) return text;
  const sbom = JSON.parse(text);
  sbom.components.push({
    type: 'library',
    name: 'uplot',
    version,
    purl: `pkg:npm/uplot@${version}`,
    licenses: [{ license: { id: 'MIT' } }],
  });
  return `${JSON.stringify(sbom, null, 2)}\n`;
}

/** @param {string} text @param {string[]} dependencies @returns {string} the same */
function checked(text, dependencies) {
  const names = new Set(
    JSON.parse(text).components.map(
      (/** @type {{ group?: string, name: string }} */ { name }) => name,
    ),
  );
  const missing = dependencies.filter((name) => !names.has(name));
  if (missing.length > 0) throw new Error(`npm sbom does not list ${missing.join(', ')}`);
  return text;
}

module.exports = { sbomOf };
