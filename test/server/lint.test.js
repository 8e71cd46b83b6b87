'use strict';

const assert = require('node:assert/strict');
const fs = require('node:fs');
const path = require('node:path');
const { startServer } = require('../support/server');
const { contextOf } = require('../support/context');
const { temporaryFolder } = require('../support/cleanup');
const { setExternally } = require('../support/engine');
const { withConfigFile } = require('../support/mongod-file');
const { ENGINE_STRINGS } = require('../support/engine-strings');
const { run: lint } = require('../../lib/commands/lint');
const { lintString } = require('../../lib/config/lint/lint-string');
const { defaultsFor } = require('../../lib/config/config-layers');

/**
 * @import { Server } from '../support/server'
 */

// Up to 8 threads: to end threads takes the server most of a second each time.
const AS_IT_WAS =
  'cache_size=256M,eviction=(threads_min=4,threads_max=8),eviction_target=80,' +
  'eviction_trigger=95,eviction_dirty_target=5,eviction_dirty_trigger=20,' +
  'eviction_updates_target=0,eviction_updates_trigger=0,' +
  'eviction_checkpoint_target=1,cache_overhead=8,error_prefix=';

/** Of a release that is newer than the table of keys, too. */
const UNCERTAIN = /^Only some releases|, as far as is known/;

describe('lint against a real server', () => {
  /** @type {Server} */ let server;
  before(async () => {
    server = await startServer();
  });
  after(() => server?.stop());

  it(`agrees with its answers to ${ENGINE_STRINGS.length} strings`, async function () {
    this.timeout(120_000);
    /** @type {string[]} */ const wrong = [];
    await setExternally(server, AS_IT_WAS);
    const base = { ...defaultsFor(null), cacheSizeGB: 0.25, evictionThreadsMax: 8 };
    for (const [text] of ENGINE_STRINGS) {
      const problems = lintString(text, { version: server.version, at: 'runtime', base });
      const objected = problems.some(({ level, when }) => level === 'error' && when !== 'start');
      const accepted = await setExternally(server, text).then(
        () => true,
        () => false,
      );
      await setExternally(server, AS_IT_WAS);
      // Within some lines only the later releases know a key: lint says so, and cannot know.
      if (problems.some(({ say }) => UNCERTAIN.test(say))) continue;
      // What a block cache takes was tried on 6.0.5 alone.
      if (text.startsWith('block_cache') && server.version !== '6.0.5') continue;
      if (accepted === objected)
        wrong.push(
          `${JSON.stringify(text)}: the server ${accepted ? 'accepts' : 'refuses'}; ` +
            `${problems.map(({ say }) => say).join('; ') || 'no word'}`,
        );
    }
    assert.deepEqual(wrong, []);
  });

  it('looks at what was set earlier', async () => {
    const errors = async (/** @type {string} */ text) =>
      (await lint(contextOf(server.client), text)).problems.filter(({ level }) => level === 'error')
        .length;
    assert.equal(await errors('eviction=(threads_min=6)'), 0);
    await setExternally(server, 'eviction=(threads_max=5)');
    assert.equal(await errors('eviction=(threads_min=6)'), 1);
    await setExternally(server, 'eviction=(threads_max=8)');
    assert.equal((await lint(contextOf(server.client), { text: '' })).problems.length, 1);
    assert.equal(
      (
        await lint(contextOf(server.client), 'eviction=(threads_min=6)', {
          version: server.version,
        })
      ).ok,
      false,
      'with a version the connection is not asked',
    );
    assert.equal(
      (await lint(contextOf(server.client), 'eviction=(threads_min=6)', { at: 'start' })).ok,
      false,
      'a start begins with the defaults',
    );
    await setExternally(server, AS_IT_WAS);
  });

  it('a file is found, read, and its places are told by line', async () => {
    const folder = temporaryFolder('lint');
    const file = path.join(folder.path, 'mongod.conf');
    fs.writeFileSync(file, 'storage:\n  wiredTiger:\n    engineConfig:\n      cacheSizeGb: 2\n');
    const answer = await lint(contextOf(server.client), file);
    assert.deepEqual(
      [answer.ok, answer.kind, answer.file, answer.version, answer.problems[0].line],
      [false, 'file', file, server.version, 4],
    );
    assert.match(
      String(answer),
      /4: {7}cacheSizeGb: 2\n +\^\n {2}ERR {3}mongod does not support the option/,
    );
    folder.remove();
  });

  it('where nothing may be read, the defaults are the base', async () => {
    const auth = await startServer({ auth: true });
    const client = await auth.connect(await auth.addUser('nobody', []));
    assert.equal((await lint(contextOf(client), 'eviction=(threads_min=6)')).ok, false);
    assert.equal((await lint(contextOf(client), 'eviction=(threads_min=3)')).ok, true);
    await auth.stop();
  });
});

describe('lint against mongod starting', () => {
  const engine = (/** @type {string} */ options) =>
    `storage:\n  wiredTiger:\n    engineConfig:\n      ${options}\n`;
  for (const [name, yaml] of [
    [
      'a good string',
      engine('configString: "eviction=(threads_min=3,threads_max=8),eviction_dirty_target=5"'),
    ],
    [
      'a target above its trigger',
      engine('configString: "eviction_target=90,eviction_trigger=85"'),
    ],
    ['a dirty target at its trigger', engine('configString: "eviction_dirty_target=20"')],
    [
      'an updates target above half of the dirty trigger',
      engine('configString: "eviction_updates_target=10"'),
    ],
    ['too many threads', engine('configString: "eviction=(threads_max=21)"')],
    ['an unknown key', engine('configString: "cache_sice=1G"')],
    ['a cache that is too small', engine('cacheSizeGB: 0.1')],
    ['an option in the wrong case', engine('cacheSizeGb: 1')],
    ['a runtime parameter', 'setParameter:\n  wiredTigerEngineRuntimeConfig: "cache_size=1G"\n'],
    ['spaces before the brackets', engine('configString: "eviction = (threads_max=8)"')],
  ]) {
    it(name, async () => {
      const ctx = contextOf(/** @type {any} */ (null));
      const { mongod } = require('../support/server');
      const { ok } = await lint(ctx, { text: yaml, version: (await mongod()).version });
      const code = await withConfigFile(yaml, async () => {});
      assert.equal(code === null, ok, `mongod ${code === null ? 'started' : `ended with ${code}`}`);
    });
  }
});
