'use strict';

const fs = require('node:fs');
const path = require('node:path');
const { modulesIn } = require('../../lib/base/own-files');

/**
 * @import { Plugin } from 'esbuild'
 */

const ROOT = path.join(__dirname, '../..');

/** The folders that are registries; every folder of rules is one. */
const FOLDERS = [
  'lib/commands',
  'lib/host/areas',
  ...fs
    .readdirSync(path.join(ROOT, 'lib/rules'), { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => `lib/rules/${name}`),
];
const PAGE = 'lib/report/page';
const TEXTS = [
  'lib/host/collect.sh',
  'lib/host/host-script.sh',
  'lib/base/pure/units.js',
  'vendor/uplot/uPlot.iife.min.js',
  'vendor/uplot/uPlot.min.css',
];

/**
 * What stands in the bundle in place of lib/base/own-files.js: the same functions, without a file.
 * @param {string} version
 * @returns {string}
 */
function ownFilesSource(version) {
  const texts = [
    ...TEXTS,
    ...fs.readdirSync(path.join(ROOT, PAGE)).map((file) => `${PAGE}/${file}`),
  ];
  return [
    "'use strict';",
    'const MODULES = {',
    ...FOLDERS.map((folder) => `  ${JSON.stringify(folder)}: [\n${listed(folder)}\n  ],`),
    '};',
    `const TEXTS = ${textTable(texts)};`,
    'const within = (table, name) => {',
    '  if (Object.hasOwn(table, name)) return table[name];',
    "  throw new Error(name + ' is not in this file');",
    '};',
    'const modulesIn = (folder) => within(MODULES, folder);',
    'const textOf = (file) => within(TEXTS, file);',
    'const programOf = (file) => ({ main: __filename, env: { MONGOSH_TUNE_PROGRAM: file } });',
    `const ownVersion = () => ${JSON.stringify(version)};`,
    'Object.assign(module.exports, { modulesIn, textOf, programOf, ownVersion });',
  ].join('\n');
}

/** @param {string} folder */
const listed = (folder) =>
  modulesIn(folder)
    .map(({ name }) => {
      const at = `../${folder.replace(/^lib\//, '')}/${name}.js`;
      return `    { name: ${JSON.stringify(name)}, load: () => require(${JSON.stringify(at)}) },`;
    })
    .join('\n');

/** @param {readonly string[]} names */
const textTable = (names) =>
  JSON.stringify(
    Object.fromEntries(names.map((name) => [name, fs.readFileSync(path.join(ROOT, name), 'utf8')])),
    null,
    1,
  );

/** @param {string} version @returns {Plugin} */
const ownFiles = (version) => ({
  name: 'own-files',
  setup(build) {
    build.onLoad({ filter: /[\\/]lib[\\/]base[\\/]own-files\.js$/ }, () => ({
      contents: ownFilesSource(version),
      resolveDir: path.join(ROOT, 'lib/base'),
      loader: 'js',
    }));
  },
});

module.exports = { ownFiles };
