'use strict';

const assert = require('node:assert/strict');
const { spawn } = require('node:child_process');
const { once } = require('node:events');
const fs = require('node:fs');
const { useServer } = require('../../support/one-server');
const { setExternally } = require('../../support/engine');
const { beforeCall } = require('../../support/beside');
const { journalPath } = require('../../../lib/change/journal');
const { run: apply } = require('../../../lib/commands/apply');
const { run: config } = require('../../../lib/commands/settings');
const { run: undo } = require('../../../lib/commands/undo');

const DO = Object.freeze({ confirm: true });

describe('what another session set in the milliseconds before a call', function () {
  this.timeout(60_000);
  const place = useServer({ config: 'eviction_target=80' });

  /** @param {string} text as it was printed */
  const type = (text) =>
    new Function('tune', `return ${text}`)({
      undo: (/** @type {any[]} */ ...args) => undo(place.context(), ...args),
    });
  const setBefore = () =>
    beforeCall(
      place.context(),
      (command) => Boolean(command.setParameter),
      () => setExternally(place.server, 'eviction_target=70'),
    );

  for (const options of [DO, { ...DO, force: true }])
    it(`the undo that is printed is not refused, ${JSON.stringify(options)}`, async () => {
      const done = await apply(setBefore(), { evictionTarget: 75 }, options);
      assert.match(String(done.undo), /^tune\.undo\("[^"]+", \{ confirm: true, force: true \}\)$/);
      assert.ok(String(done).replace(/\s+/g, ' ').includes(String(done.undo)), String(done));
      await assert.rejects(undo(place.context(), DO), { code: 'TUNE-30006' });
      await type(String(done.undo));
      assert.equal((await config(place.context())).evictionTarget.value, 80);
    });

  /** A shell of its own, that sets something once this journal has asked for a call. */
  async function otherShell() {
    const script = `
      const { MongoClient } = require('mongodb');
      const { readFileSync } = require('node:fs');
      const [uri, file] = process.argv.slice(1);
      const isAsked = () => { try { return /"asking"/.test(readFileSync(file, 'utf8')); } catch { return false; } };
      setTimeout(() => process.exit(1), 20_000).unref();
      const pause = (ms) => new Promise((resolve) => { setTimeout(resolve, ms); });
      (async () => {
        const client = await MongoClient.connect(uri);
        process.stdout.write('ready');
        while (!isAsked()) await pause(10);
        await pause(300);
        await client.db('admin').command({ setParameter: 1, wiredTigerEngineRuntimeConfig: 'eviction_target=70' });
        await client.close();
      })();`;
    const args = ['-e', script, place.server.uri, journalPath(place.home.path)];
    const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
    const ended = once(child, 'exit');
    await once(child.stdout, 'data');
    return { ended };
  }

  it('while a slow disk reads the journal: it is found, and not overwritten', async () => {
    const { ended } = await otherShell();
    const file = journalPath(place.home.path);
    const { readFileSync } = fs;
    let isSlow = true;
    fs.readFileSync = (/** @type {any[]} */ ...args) => {
      const text = readFileSync(...args);
      if (isSlow && args[0] === file && /"asking"/.test(text)) {
        isSlow = false;
        Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 2500);
      }
      return text;
    };
    try {
      await assert.rejects(apply(place.context(), { evictionTarget: 75 }, DO), {
        code: 'TUNE-30006',
      });
    } finally {
      fs.readFileSync = readFileSync;
    }
    await ended;
    assert.equal(isSlow, false);
    assert.equal((await config(place.context())).evictionTarget.value, 70);
  });

  it('of another setting: it needs no force', async () => {
    const done = await apply(
      beforeCall(
        place.context(),
        (command) => Boolean(command.setParameter),
        () => setExternally(place.server, 'eviction=(threads_min=4,threads_max=6)'),
      ),
      { evictionTarget: 75 },
      DO,
    );
    assert.doesNotMatch(String(done.undo), /force/);
    await type(String(done.undo));
  });
});
