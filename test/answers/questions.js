'use strict';

const fs = require('node:fs');
const path = require('node:path');
const zlib = require('node:zlib');
const { BSON } = require('bson');
const { tune } = require('../../lib/node');
const { answeringClient } = require('../support/dialogue');
const { temporaryFolder } = require('../support/cleanup');
const { hostNames } = require('../support/host-fixture');

/**
 * @import { Client, Exchange } from '../support/dialogue'
 */

/**
 * The questions whose answers are kept in answers.json: what a caller of the public commands gets,
 * from recordings and from a server that answers from memory.
 * @typedef {Record<string, () => Promise<unknown>>} Questions by name
 */

const HERE = __dirname;
const ROOT = path.join(HERE, '..', '..');
const ANSWERS = path.join(HERE, 'answers.json');
const SERVER = path.join(HERE, 'server.bson.br');
const RECORDINGS = path.join(HERE, 'recordings');
const ENDING = '.jsonl.br';
const CONFIG_STRINGS = {
  'no eviction thread': 'eviction=(threads_min=0,threads_max=0)',
  'a target above its trigger': 'eviction_target=90,eviction_trigger=85',
  'an unknown key': 'cache_sizes=1G',
  'a bracket that is not closed': 'eviction=(threads_min=1',
  'more threads than there may be': 'eviction=(threads_max=21)',
  'sizes in bytes': 'eviction_dirty_target=1GB,eviction_dirty_trigger=2GB',
  nothing: '',
};
const CONF = [
  'storage:',
  '  dbPath: /data',
  '  wiredTiger:',
  '    engineConfig:',
  '      cacheSizeGB: 900',
  '      configString: "eviction_trigger=70"',
  '',
].join('\n');
const RULES = [
  'cache-fill',
  'dirty-ratio',
  'page-reads',
  'host-swappiness',
  'host-huge-pages',
  'member-versions',
];

/** As tune.split.plan() makes one of each plan. */
const SPLIT_ID = /\b\d{14}-[0-9a-f]{6}\b/g;
const MINUTE_MS = 60_000;
const folder = temporaryFolder('recordings');

/**
 * The public commands, with a journal of their own.
 * @param {Client | null} client
 */
const tuneOn = (client) => tune(client, { home: temporaryFolder('home').path });

/** @returns {Questions} */
function questions() {
  return {
    ...ofRecordings(),
    ...ofServer(fromMemory()),
    ...ofTexts(),
    ...Object.fromEntries(
      hostNames().map((name) => [
        `host: ${name}`,
        () => tuneOn(null).host({ file: path.join(HERE, '..', 'hosts', `${name}.json`) }),
      ]),
    ),
  };
}

/** @returns {Questions} */
function ofRecordings() {
  const names = fs
    .readdirSync(RECORDINGS)
    .map((file) => file.slice(0, -ENDING.length))
    .sort();
  /** @param {string} name @param {object} [options] */
  const replay = (name, options) => tuneOn(null).replay(unpacked(name), options);
  const [busy, calm] = ['updates-of-most-of-the-cache', 'steady-updates'];
  return {
    ...Object.fromEntries(names.map((name) => [`replay: ${name}`, () => replay(name)])),
    ...Object.fromEntries(
      ['idle', busy, 'reads-beyond-the-cache', 'one-eviction-thread'].map((name) => [
        `replay, as text: ${name}`,
        async () => String(await replay(name)),
      ]),
    ),
    'replay, explained': async () => String((await replay('reads-beyond-the-cache')).explain),
    'replay with facts': () => replay(busy, { facts: { memoryMB: 64_000, cores: 16 } }),
    'replay compared': async () => String(await replay(busy, { compare: unpacked(calm) })),
  };
}

/** @param {string} name @returns {string} where it lies as plain lines */
function unpacked(name) {
  const file = path.join(folder.path, `${name}.jsonl`);
  if (!fs.existsSync(file))
    fs.writeFileSync(
      file,
      zlib.brotliDecompressSync(fs.readFileSync(path.join(RECORDINGS, `${name}${ENDING}`))),
    );
  return file;
}

/**
 * Those that ask a server.
 * @param {(name: string) => any} on `tune` on the server for the question of that name
 * @returns {Questions}
 */
function ofServer(on) {
  const orders = { source: 'shop', collections: 'orders', seconds: 0.1 };
  return {
    settings: () => on('settings').settings(),
    'mongod.conf': async () => (await on('mongod.conf').mongodConf({ cacheSizeGB: 1 })).yaml,
    drift: () => on('drift').drift(),
    'lint, for this server': () =>
      on('lint, for this server').lint('eviction_target=70,eviction_trigger=60'),
    'apply, dry run': () => on('apply, dry run').apply({ cacheSizeGB: 1, evictionThreadsMax: 8 }),
    'apply, dry run, as text': async () =>
      String(await on('apply, dry run, as text').apply({ cacheSizeGB: 1, evictionThreadsMax: 8 })),
    history: () => on('history').history(),
    status: () => on('status').status({ seconds: 0.1 }),
    collections: async () => ({
      ...(await on('collections').collections({ seconds: 0.1 })),
      seconds: 'as long as it took',
    }),
    ttl: () => on('ttl').ttl(),
    'ttl, as text': async () => String(await on('ttl, as text').ttl()),
    'split.plan': () => on('split.plan').split.plan(orders),
    'split.plan, as text': async () => String(await on('split.plan, as text').split.plan(orders)),
    'split.plan by range, as text': async () =>
      String(
        await on('split.plan by range, as text').split.plan({
          ...orders,
          by: { range: 'customer' },
        }),
      ),
    check: () => on('check').check({ seconds: 0.1 }),
    members: () => on('members').members(),
  };
}

/** A server that answers each question as it did once, command by command. */
function fromMemory() {
  const packed = fs.readFileSync(SERVER);
  /** @type {Record<string, Exchange[]>} */
  const heard = BSON.deserialize(zlib.brotliDecompressSync(packed));
  return (/** @type {string} */ name) => tuneOn(answeringClient(heard[name]));
}

/** @returns {Questions} */
function ofTexts() {
  const version = '7.0.5';
  const { explain, lint, rules } = tuneOn(null);
  return {
    ...Object.fromEntries(
      Object.entries(CONFIG_STRINGS).map(([name, text]) => [
        `lint: ${name}`,
        () => lint(text, { version }),
      ]),
    ),
    'lint: a mongod.conf': () => lint({ text: CONF, version }),
    ...Object.fromEntries(RULES.map((rule) => [`explain: ${rule}`, async () => explain(rule)])),
    rules: async () => rules(),
  };
}

/** @returns {Promise<Record<string, unknown>>} the answers of today, as JSON keeps them */
async function answers() {
  /** @type {Record<string, unknown>} */
  const all = {};
  for (const [name, ask] of Object.entries(questions())) all[name] = plain(await ask());
  return all;
}

/**
 * Without what differs from run to run; a text as its lines.
 * @param {unknown} answer
 * @returns {unknown}
 */
function plain(answer) {
  const text = typeof answer === 'string' ? answer.split('\n') : answer;
  return JSON.parse(JSON.stringify(text), (_name, value) =>
    typeof value === 'string' ? steady(value) : value,
  );
}

/** @param {string} text */
const steady = (text) =>
  Math.abs(Date.parse(text) - Date.now()) < MINUTE_MS
    ? '(now)'
    : text
        .replaceAll(folder.path, '(folder)')
        .replaceAll(ROOT, '(checkout)')
        .replace(SPLIT_ID, '(id of the split)');

module.exports = { ANSWERS, SERVER, answers, fromMemory, questions, ofRecordings, ofServer };
