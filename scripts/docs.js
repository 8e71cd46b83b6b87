'use strict';

// Writes docs/rules from the rules. With --check it writes nothing and fails where a page differs from its rule.
const fs = require('node:fs');
const path = require('node:path');
const { loadAllRules } = require('../lib/load-rules');
const { rulePage, rulesIndex } = require('../lib/render/rule-page');

const FOLDER = path.join(__dirname, '..', 'docs', 'rules');

/** @returns {Map<string, string>} file name → text */
function pages() {
  const rules = loadAllRules();
  return new Map([['README.md', rulesIndex(rules)], ...rules.map((rule) => /** @type {[string, string]} */ ([`${rule.id}.md`, rulePage(rule)]))]);
}

/** @param {string} folder @param {Map<string, string>} wanted @returns {string[]} names that are missing, differ, or belong to no rule any more */
function differing(folder, wanted) {
  const present = fs.existsSync(folder) ? fs.readdirSync(folder) : [];
  const text = (/** @type {string} */ name) => (present.includes(name) ? fs.readFileSync(path.join(folder, name), 'utf8') : null);
  return [...new Set([...wanted.keys(), ...present])].filter((name) => text(name) !== wanted.get(name)).sort();
}

/** @param {string} folder @param {Map<string, string>} wanted @param {readonly string[]} names */
function write(folder, wanted, names) {
  fs.mkdirSync(folder, { recursive: true });
  for (const name of names) {
    const page = wanted.get(name);
    if (page === undefined) fs.rmSync(path.join(folder, name));
    else fs.writeFileSync(path.join(folder, name), page);
  }
}

/** @param {string[]} args @param {{ folder?: string, out?: Pick<Console, 'log' | 'error'> }} [options] @returns {number} exit code */
function main(args, { folder = FOLDER, out = console } = {}) {
  const wanted = pages();
  const names = differing(folder, wanted);
  if (args.includes('--check')) {
    if (names.length > 0) out.error(`These pages differ from the rules; run npm run docs:\n${names.map((name) => `  docs/rules/${name}`).join('\n')}`);
    return names.length > 0 ? 1 : 0;
  }
  write(folder, wanted, names);
  out.log(names.length === 0 ? 'docs/rules: nothing to do' : `docs/rules: wrote ${names.join(', ')}`);
  return 0;
}

if (require.main === module) process.exitCode = main(process.argv.slice(2));

module.exports = { main };
