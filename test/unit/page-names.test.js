'use strict';

const assert = require('node:assert/strict');
const { CODES } = require('../../lib/base/pure/errors');
const { variableOf } = require('../../lib/base/environment');
const { SETTING_NAMES } = require('../../lib/config/setting-table');
const { listCommands } = require('../../lib/shell/registry');
const { SCRIPTS, scriptOf } = require('../../lib/shell/runbook');
const { COMMON } = require('../../lib/shell/script');
const { pages, read } = require('../../scripts/samples/pages');

/** What is no command, but begins like one: an answer's own functions, and the last answer. */
const BESIDE = new Set(['help', 'last']);
const VARIABLES = new Set(
  [
    ...Object.keys(COMMON),
    ...Object.keys(SCRIPTS).flatMap((name) => Object.keys(scriptOf(name).options)),
  ].map(variableOf),
);

/** @param {string} name such as `bench.steps` @returns {any} undefined: there is none */
const commandOf = (name) =>
  name
    .split('.')
    .reduce((/** @type {any} */ one, part) => one?.commands?.[part], { commands: listCommands() });

/**
 * Every call in a page, with the names at the top of its objects: `tune.advise({ seconds: 10 })`.
 * @param {string} text
 * @returns {{ call: string, name: string, keys: string[] }[]}
 */
function callsIn(text) {
  return [...text.matchAll(/\btune\.([a-zA-Z]+(?:\.[a-zA-Z]+)*)\(/g)].map(
    ({ 0: start, 1: name, index }) => {
      const from = /** @type {number} */ (index) + start.length;
      const given = argumentsAt(text, from);
      return { call: `tune.${name}(${given})`, name, keys: topKeys(given) };
    },
  );
}

/** What stands between the parentheses. @param {string} text @param {number} from */
function argumentsAt(text, from) {
  let depth = 1;
  let at = from;
  for (; at < text.length && depth > 0; at += 1) {
    if ('({['.includes(text[at])) depth += 1;
    if (')}]'.includes(text[at])) depth -= 1;
  }
  return text.slice(from, at - 1);
}

/** @param {string} given @returns {string[]} */
function topKeys(given) {
  const plain = given.replace(/"[^"]*"|'[^']*'/g, '""');
  let depth = 0;
  let top = '';
  for (const char of plain) {
    if ('({['.includes(char)) depth += 1;
    top += depth === 1 ? char : ' ';
    if (')}]'.includes(char)) depth -= 1;
  }
  return [...top.matchAll(/[{,]\s*([a-zA-Z]+)\s*(?=[:,}])/g)].map(([, key]) => key);
}

describe('names in the pages exist in the code', () => {
  for (const page of pages()) {
    const text = read(page);
    it(`${page}: commands`, () => {
      for (const [call, name] of text.matchAll(/\btune\.([a-zA-Z]+(?:\.[a-zA-Z]+)*)\b/g)) {
        const parts = name.split('.');
        const end = parts.findIndex((part) => BESIDE.has(part));
        const command = (end === -1 ? parts : parts.slice(0, end)).join('.');
        // tune.status().cache is a field; tune.yaml a name of a file.
        if (command === '' || /^(?:js|md|prom|uri|yaml|service|timer)$/.test(parts.at(-1)))
          continue;
        assert.ok(commandOf(command), `${call}: there is no such command`);
      }
    });
    it(`${page}: options`, () => {
      for (const { call, name, keys } of callsIn(text)) {
        const command = commandOf(name);
        if (command === undefined) continue;
        const { options } = command.load();
        for (const key of keys)
          assert.ok(
            key in options || SETTING_NAMES.includes(key) || key === 'text',
            `${call}: ${key}`,
          );
      }
    });
    it(`${page}: words`, () => {
      for (const [line, name, rest] of text.matchAll(
        /\btune ([a-z]+)((?: --[a-zA-Z]+(?: [^-\s'"`]+)?)+)/g,
      )) {
        const options = commandOf(name)?.load().options ?? {};
        for (const [, option] of rest.matchAll(/--([a-zA-Z]+)/g))
          assert.ok(option in options, `${line}: ${option}`);
      }
    });
    it(`${page}: variables and error codes`, () => {
      for (const [name] of text.matchAll(/\bTUNE_[A-Z_]+\b/g))
        assert.ok(VARIABLES.has(name), `${name}: no script has it`);
      for (const [code] of text.matchAll(/\bTUNE-\d{5}\b/g))
        assert.ok(code in CODES, `${code}: there is no such error`);
    });
  }
  it('docs/monitoring.md: series and alerts', () => {
    const text = read('docs/monitoring.md');
    const source = ['families', 'metrics']
      .map((name) => read(`lib/report/pure/prometheus/${name}.js`))
      .join();
    const series = [
      ...[...text.matchAll(/\bmongosh_tune_([a-z_]+)\b(?!\.prom)/g)].map(([, name]) => name),
      ...[...text.matchAll(/^\| (.*?) \|/gm)].flatMap(([, cell]) =>
        [...cell.matchAll(/`([a-z_]+)(?:\{[^`]*)?`/g)].map(([, name]) => name),
      ),
    ];
    assert.ok(series.length > 10);
    for (const name of series) assert.ok(source.includes(`'${name}'`), name);
    for (const [alert] of text.matchAll(/\bMongoshTune\w+/g))
      assert.ok(read('docs/monitoring/alerts.yml').includes(`alert: ${alert}\n`), alert);
  });
  it('a wrong option is found, a nested one is not meant', () => {
    assert.deepEqual(
      callsIn('`tune.x("a: b", { one: { two: 1 }, three, four: [{ five: 1 }] })`').map(
        ({ keys }) => keys,
      ),
      [['one', 'three', 'four']],
    );
  });
});
