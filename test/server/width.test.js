'use strict';

const assert = require('node:assert/strict');
const fs = require('node:fs');
const path = require('node:path');
const { inspect } = require('node:util');
const vm = require('node:vm');
const yaml = require('yaml');
const { listCommands, allCommands } = require('../../lib/shell/registry');
const { tune: tuneFor } = require('../../lib/node');
const { startServer } = require('../support/server');
const { temporaryFolder } = require('../support/cleanup');

const COMMANDS = listCommands();

/**
 * @import { Server } from '../support/server'
 */

const COLUMNS = 80;
/** A name or a path this long cannot be broken without spoiling it for whoever copies it. */
const UNBREAKABLE = /\S{60,}/;
const HOUR_MS = 3_600_000;
const EVIL = 'evil\x1b[31mred\ttab\nline\x9b2J\u202e';

/**
 * What each command is called with here: the first example of its help, unless it is another one.
 * @type {Record<string, string>}
 */
const CALLS = {
  fleet: 'tune.fleet("servers.yaml", { seconds: 0.5, serverTimeoutSeconds: 1 })',
  metrics: 'tune.metrics({ seconds: 0.5, output: "tune.prom" })',
  watch: 'tune.watch({ everySeconds: 0.2, seconds: 0.6 })',
  collections: 'tune.collections({ seconds: 0.3, limit: 100 })',
  checkpoints: 'tune.checkpoints({ seconds: 2 })',
  ttl: 'tune.ttl({ startHour: QUIET })',
  apply:
    'tune.apply({ cacheSizeGB: 0.3, evictionThreadsMin: 3, evictionThreadsMax: 9, ' +
    'evictionDirtyTarget: 4, evictionDirtyTrigger: 30 })',
  conf:
    'tune.mongodConf({ cacheSizeGB: 0.3, evictionThreadsMin: 3, evictionThreadsMax: 9, ' +
    'evictionDirtyTarget: 4, evictionDirtyTrigger: 30 })',
  'report.compare': 'tune.report.compare(DIAGNOSTIC, DIAGNOSTIC, { output: "both.html" })',
  lint: `tune.lint("eviction=(threads_min=4,threads_max=88),${'eviction_dirty_target=5,'.repeat(6)}bogus=5")`,
  record: 'tune.record("seen.ndjson", { seconds: 1 })',
  replay: 'tune.replay("seen.ndjson")',
  ftdc: 'tune.ftdc(DIAGNOSTIC)',
  advise: 'tune.advise({ seconds: 2 })',
  'split.run':
    'tune.split.plan({ source: "shop", target: "shop2", collections: ["sessions"], seconds: 1 ' +
    '}).then((plan) => tune.split.run(plan))',
  history: 'tune.history({ all: true })',
};
/** It needs more than the one server here; test/unit/bench/bench-text.test.js has what it prints. */
const NEED_MORE = new Set(['bench.compare']);
/** They print a script to copy, whose lines are its own. */
const SCRIPTS = new Set(['host.collect', 'split.script']);
const callOf = (name, { examples }) =>
  CALLS[name] ?? examples[0].replace(/(seconds|every): [\d.]+/g, '$1: 1');

describe(`what every command prints fits ${COLUMNS} columns, whatever names there are`, function () {
  this.timeout(180_000);
  /** @type {Server} */ let server;
  let folder;
  let context;
  const before_ = process.cwd();
  before(async () => {
    server = await startServer();
    folder = temporaryFolder('width');
    process.chdir(folder.path);
    const now = Date.now();
    const db = server.db('shop');
    const sessions = Array.from({ length: 11_000 }, () => ({
      at: new Date(now - 2 * HOUR_MS),
      seen: new Date(now),
    }));
    for (const name of ['sessions', EVIL, `long${'g'.repeat(90)}`]) {
      await db
        .collection(name)
        .createIndex(
          { at: 1 },
          { expireAfterSeconds: 36_000, name: name === EVIL ? EVIL : 'at_1' },
        );
      await db.collection(name).insertMany(sessions.map((one) => ({ ...one })));
    }
    await db.collection('sessions').createIndex({ seen: 1 }, { expireAfterSeconds: 2_147_483_647 });
    await db.createCollection('capped', { capped: true, size: 4096 });
    await db.createCollection('view', { viewOn: 'sessions', pipeline: [] });
    if (!server.version.startsWith('4.'))
      await db.createCollection('points', {
        timeseries: { timeField: 't' },
        expireAfterSeconds: 3600,
      });
    const tune = tuneFor(server.client, { home: path.join(folder.path, 'home') });
    fs.writeFileSync(
      'servers.yaml',
      `- { uri: '${server.uri}', name: ${JSON.stringify(`${EVIL}${'n'.repeat(60)}`)} }\n- ` +
        `mongodb://127.0.0.1:1/\n`,
    );
    context = vm.createContext({
      tune,
      QUIET: new Date(now + 20 * HOUR_MS).getUTCHours(),
      DIAGNOSTIC: path.join(server.dbPath, 'diagnostic.data'),
    });
    // So that there is something in the history, and the configuration has something to tell.
    await tune.apply({ evictionThreadsMin: 3, evictionThreadsMax: 5 }, { confirm: true });
  });
  after(async () => {
    process.chdir(before_);
    await server?.stop();
    folder?.remove();
  });

  for (const [name, entry] of allCommands(COMMANDS)) {
    if (!SCRIPTS.has(name) && !NEED_MORE.has(name))
      it(callOf(name, entry), async () => {
        const answer = await vm.runInContext(
          callOf(name, entry).replace(/^const \w+ = /, ''),
          context,
        );
        check(inspect(answer, { colors: false }));
        check(inspect(answer, { colors: true }));
        if (answer !== null && typeof answer === 'object') check(String(answer));
      });
    it(`${name}: its help, and its name alone`, () => {
      const command = name.split('.').reduce((one, part) => one[part], context.tune);
      check(inspect(command.help()));
      check(inspect(command));
    });
  }
  it('a script is left as it is', async () => {
    const answer = await context.tune.host.collect();
    assert.equal(String(answer), answer.script.trimEnd());
  });
  it('the lines for mongod.conf are read as they were', async () => {
    const answer = await vm.runInContext(CALLS.conf, context);
    assert.deepEqual(yaml.parse(String(answer)), yaml.parse(answer.yaml));
    assert.match(String(answer), /^ +configString:\n/m, 'it was broken');
  });
  it('the collections, in every order, with names that are shown as they are', async () => {
    for (const by of ['cache', 'dirty', 'reads', 'writes'])
      check(String(await context.tune.collections({ by, seconds: 0.2, limit: 100 })));
    assert.ok(
      String(await context.tune.collections({ seconds: 0.2, limit: 100 })).includes(
        'shop.evil\\u001b[31mred\\ttab\\nline\\u009b2J\\u202e',
      ),
    );
  });
});

/** @param {string} text */
function check(text) {
  assert.ok(text.length > 0);
  for (const line of text.replace(/\x1b\[\d+m/g, '').split('\n')) {
    assert.ok(
      line.length <= COLUMNS || UNBREAKABLE.test(line),
      `${line.length} columns: ${line}\nof:\n${text}`,
    );
    assert.doesNotMatch(line, /[\p{Cc}\p{Bidi_Control}]/u);
  }
}
