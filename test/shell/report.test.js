'use strict';

const assert = require('node:assert/strict');
const fs = require('node:fs');
const path = require('node:path');
const { runMongosh } = require('../support/mongosh');
const { startServer } = require('../support/server');
const { evals, makeTuneHome } = require('./support/place');

/**
 * @import { Server } from '../support/server'
 */

/** tune.report() as a person meets it: in the real shell, from its folder. */
describe('tune.report in mongosh', function () {
  this.timeout(240_000);
  /** @type {Server} */ let server;
  /** @type {ReturnType<typeof makeTuneHome>} */ let place;
  before(async () => {
    server = await startServer();
    await server.db('shop').collection('</script>').insertOne({ a: 1 });
    place = makeTuneHome();
  });
  after(async () => {
    await server?.stop();
    place?.remove();
  });
  const shell = (...lines) =>
    runMongosh([server.uri, ...evals(...lines)], {
      env: place.env,
      cwd: place.path,
      timeout: 200_000,
    });
  const page = (name) => fs.readFileSync(path.join(place.path, name), 'utf8');

  it('without "of": an advice from now with charts, the machine and the collections', async () => {
    const { code, stdout, stderr } = await shell('tune report now.html --seconds 2');
    assert.equal(code, 0, stdout + stderr);
    const written = /^WRITTEN {6}(.+)\n/.exec(stdout)?.[1] ?? '';
    assert.ok([fs.realpathSync(place.path), place.path].includes(path.dirname(written)), stdout);
    for (const line of stdout.split('\n'))
      assert.ok(line.length <= 80 || line.includes(written), line);
    const text = page('now.html');
    for (const id of [
      'verdict',
      'recommended',
      'charts',
      'findings',
      'rules',
      'host-2',
      'collections-3',
      'chart-fill',
    ])
      assert.match(text, new RegExp(` id="${id}"`));
    assert.match(text, /shop\.&lt;\/script&gt;/);
  });

  it('of what was answered, alone and with others, in shell code; once there it is not written over', async () => {
    const { code, stdout, stderr } = await shell(`
      const a = tune.advise({ seconds: 2, includeHost: false }), b = tune.status({ seconds: 1 });
      const made = tune.report("both.html", { of: [a, b] });
      const two = tune.report.compare(a, a, { output: "two.html" });
      let code; try { tune.report("both.html", { of: a }) } catch (error) { code = error.code }
      print(JSON.stringify({ ...made, two: two.sampleCount, code }))`);
    assert.equal(code, 0, stdout + stderr);
    const { of, sampleCount, bytes, two, code: refused } = JSON.parse(stdout);
    assert.deepEqual([of, refused], [['an advice', 'a status'], 'TUNE-40005']);
    assert.ok(sampleCount >= 4 && two >= 4, stdout);
    assert.equal(bytes, Buffer.byteLength(page('both.html')));
    assert.match(page('two.html'), /A, before/);
  });
});
