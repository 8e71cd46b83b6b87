'use strict';

/**
 * Makes lib/config/engine-keys.json from a dump of WiredTiger's dist/api_data.py at the tags of
 * MongoDB's releases:
 *   node scripts/engine-keys.js wt_reconfigure_by_version.json
 * The dump: tag → method → key → { default, flags: { type, min, max, choices } }.
 */
const fs = require('node:fs');
const path = require('node:path');

const TARGET = path.join(__dirname, '..', 'lib', 'config', 'engine-keys.json');
// The development branch of June 2025 stands for 8.2.0; the alpha before it has nothing that it
// lacks.
const NEWEST = { tag: 'HEAD', release: '8.2.0' };
const METHODS = /** @type {const} */ ({
  runtime: 'WT_CONNECTION.reconfigure',
  start: 'wiredtiger_open',
});

/** @param {Record<string, any>} dump */
function makeTable(dump) {
  const releases = [
    ...Object.keys(dump)
      .filter((tag) => /^mongodb-[\d.]+$/.test(tag))
      .map((tag) => ({ tag, release: tag.replace('mongodb-', '') })),
    NEWEST,
  ];
  const keys = new Set(
    releases.flatMap(({ tag }) =>
      Object.values(METHODS).flatMap((method) => Object.keys(dump[tag][method])),
    ),
  );
  return {
    releases: releases.map(({ release }) => release),
    keys: Object.fromEntries(
      [...keys].sort().map((key) => [
        key,
        variantsOf(
          releases.map(({ tag }) => dump[tag]),
          key,
        ),
      ]),
    ),
  };
}

/** One entry for each definition that a key had. @param {any[]} columns @param {string} key */
function variantsOf(columns, key) {
  const variants = new Map();
  columns.forEach((column, i) => {
    for (const [when, method] of Object.entries(METHODS)) {
      const raw = column[method][key];
      if (raw === undefined) continue;
      const { choices, ...definition } = define(raw);
      const id = JSON.stringify([definition, choices !== undefined]);
      const variant = variants.get(id) ?? {
        ...definition,
        runtime: [],
        start: [],
        choices: choices && {},
      };
      variants.set(id, variant);
      variant[when].push(i);
      for (const choice of choices ?? [])
        variant.choices[choice] = [...new Set([...(variant.choices[choice] ?? []), i])];
    }
  });
  return [...variants.values()].map(({ runtime, start, choices, ...rest }) => ({
    ...rest,
    runtime: spans(runtime),
    start: spans(start),
    ...(choices && {
      choices: Object.fromEntries(Object.entries(choices).map(([name, at]) => [name, spans(at)])),
    }),
  }));
}

/** @param {{ default: unknown, flags?: Record<string, any> }} raw */
function define({ default: byDefault, flags = {} }) {
  const { min, max, choices } = flags;
  const type =
    byDefault === 'cat'
      ? 'category'
      : (flags.type ?? (min !== undefined || max !== undefined ? 'int' : 'string'));
  const limits = Object.fromEntries(
    Object.entries({ min, max })
      .filter(([, limit]) => limit !== undefined)
      .map(([name, limit]) => [name, String(limit)]),
  );
  return {
    type,
    ...limits,
    ...(type === 'category' ? {} : { default: String(byDefault) }),
    choices,
  };
}

/** [0, 1, 2, 5] → "0-2,5" @param {number[]} numbers */
function spans(numbers) {
  const runs = numbers.reduce((/** @type {number[][]} */ all, n) => {
    const last = all.at(-1);
    if (last && last[1] === n - 1) last[1] = n;
    else all.push([n, n]);
    return all;
  }, []);
  return runs.map(([from, to]) => (from === to ? `${from}` : `${from}-${to}`)).join(',');
}

/** One key a line, so that a change can be reviewed. @param {ReturnType<typeof makeTable>} table */
function print({ releases, keys }) {
  const lines = Object.entries(keys).map(
    ([key, variants]) => `    ${JSON.stringify(key)}: ${JSON.stringify(variants)}`,
  );
  return `{\n  "releases": ${JSON.stringify(releases)},\n  "keys": {\n${lines.join(',\n')}\n  }\n}\n`;
}

if (require.main === module)
  fs.writeFileSync(TARGET, print(makeTable(JSON.parse(fs.readFileSync(process.argv[2], 'utf8')))));

module.exports = { makeTable, print };
