'use strict';

const fs = require('node:fs');
const path = require('node:path');

/**
 * V8 scans every function of a file before the first one runs: 38 ms for 3.2 MB (Node.js 20, 2 CPUs), of
 * which a shell uses 100 kB at its start. Comments it passes over. So the modules of the bundle are
 * comments, and each is compiled when it is required, under its own line of the file.
 */

/** What esbuild makes of a module, from its line `// file` on. */
const MODULE =
  /^\/\/ (.+)\nvar (require_\w+) = __commonJS\(\{\n {2}".+?"\(.*\) \{\n([\s\S]*?)\n {2}\}\n\}\);\n\n?(?=\/\/ \S+\n)/gm;

/** Where what esbuild starts with begins. */
const ENTRY = '// scripts/bundle/entry.js\n';

/**
 * @param {string} code as esbuild writes it
 * @param {number} linesAbove of the file, above what this writes
 * @returns {string} the same, with modules that are compiled when they are required
 */
function lazy(code, linesAbove) {
  const modules = [...code.matchAll(MODULE)];
  const fileOf = new Map(modules.map(([, file, name]) => [name, file]));
  const loading = (/** @type {string} */ text) =>
    text.replace(/\b(require_\w+)\(\)/g, (call, name) =>
      fileOf.has(name) ? `__load(${JSON.stringify(fileOf.get(name))})` : call,
    );
  const [helpers, entry] = code.replace(MODULE, '').split(ENTRY);
  const isWhole =
    !helpers.includes('"(') && modules.every(([, , , text]) => !/\b__\w+\(/.test(text));
  if (!isWhole) throw new Error('esbuild writes modules in another way than this release did');
  const runtime = fs.readFileSync(path.join(__dirname, 'runtime.js'), 'utf8');
  const head = [
    runtime.replace(/\nmodule\.exports = [\s\S]*/, ''),
    ENTRY + loading(entry),
    '// The modules: __load() compiles each when it is required.',
  ].join('\n');
  let line = linesAbove + head.split('\n').length + 1;
  const texts = modules.map(([, file, , text]) => {
    const lines = loading(text).split('\n');
    const mark = `//=== ${file}:${line + 1}`;
    line += lines.length + 1;
    return [mark, ...lines.map((one) => `//${one}`)].join('\n');
  });
  return [head, ...texts, '//=== end', ''].join('\n');
}

module.exports = { lazy };
