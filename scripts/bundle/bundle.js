'use strict';

const fs = require('node:fs');
const path = require('node:path');
const { lazy } = require('./lazy');
const { ownFiles } = require('./own-files');

/**
 * @import { BuildResult } from 'esbuild'
 */

/**
 * Two files for machines without npm: tune.js, which mongosh loads, and tune-bundle.cjs, which is all of
 * lib and of the packages that it depends on. The second one is not minified: it can be read and compared.
 */

const ROOT = path.join(__dirname, '../..');
/** Loaded where it is, beside the bundle; without it bench and guardians say so. */
const OUTSIDE = ['mongodb'];
const MAX_LOADER_BYTES = 1000;

/**
 * @param {string} folder made if it is not there
 * @returns {Promise<string[]>} the loader and the bundle
 */
async function writeBundle(folder) {
  const { version, license } = JSON.parse(fs.readFileSync(path.join(ROOT, 'package.json'), 'utf8'));
  const { build } = require('esbuild');
  const made = await build({
    absWorkingDir: ROOT,
    entryPoints: ['scripts/bundle/entry.js'],
    bundle: true,
    write: false,
    metafile: true,
    platform: 'node',
    target: 'node20',
    format: 'cjs',
    charset: 'ascii',
    external: OUTSIDE,
    legalComments: 'inline',
    plugins: [ownFiles(version)],
  });
  fs.mkdirSync(folder, { recursive: true });
  const loader = path.join(folder, 'tune.js');
  fs.writeFileSync(loader, loaderText(version));
  const bundle = path.join(folder, 'tune-bundle.cjs');
  const above = head(version, license, made);
  const code = lazy(escaped(made.outputFiles[0].text), above.split('\n').length);
  fs.writeFileSync(bundle, `${above}\n${code}`);
  return [loader, bundle];
}

/**
 * With a single character outside of ASCII, V8 would keep and scan all of the file as twice the bytes.
 * esbuild leaves those in tagged templates and patterns, which mean the same with an escape.
 * @param {string} code
 */
const escaped = (code) =>
  code.replace(
    /[^\n\t\x20-\x7e]/g,
    (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );

/** @param {string} version @throws {Error} where mongosh would need long to rewrite it */
function loaderText(version) {
  const text = fs
    .readFileSync(path.join(__dirname, 'loader.js'), 'utf8')
    .replace('VERSION', version);
  if (Buffer.byteLength(text) > MAX_LOADER_BYTES)
    throw new Error(`the loader has more than ${MAX_LOADER_BYTES} bytes`);
  return text;
}

/**
 * What is in it, under which licences.
 * @param {string} version
 * @param {string} license
 * @param {BuildResult<{ metafile: true }>} made
 */
function head(version, license, { metafile }) {
  const packages = packagesIn(Object.keys(metafile.inputs)).map((name) => {
    const folder = path.join(ROOT, 'node_modules', name);
    const manifest = JSON.parse(fs.readFileSync(path.join(folder, 'package.json'), 'utf8'));
    const file = fs.readdirSync(folder).find((one) => /^licen[cs]e/i.test(one));
    const text = file ? fs.readFileSync(path.join(folder, file), 'utf8').trim() : '';
    return `${name} ${manifest.version}, ${manifest.license}\n\n${text}`;
  });
  return [
    `mongosh-tune ${version} in one file, ${license}. Made by npm run bundle; tune.js loads it.`,
    'It holds these packages:',
    ...packages,
  ]
    .join('\n\n')
    .split('\n')
    .map((line) => `// ${line}`.trimEnd())
    .join('\n')
    .replaceAll('\u00a9', '(c)')
    .replace(/[^\n\x20-\x7e]/g, '?');
}

/** uplot is in it as text (vendor/uplot). @param {readonly string[]} inputs @returns {string[]} */
const packagesIn = (inputs) =>
  [
    ...new Set([
      ...inputs.flatMap((file) => /^node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(file)?.[1] ?? []),
      'uplot',
    ]),
  ].sort();

if (require.main === module)
  writeBundle(path.resolve(ROOT, process.argv[2] ?? 'tmp/bundle')).then((files) =>
    console.log(files.map((file) => path.relative(ROOT, file)).join('\n')),
  );

module.exports = { writeBundle };
