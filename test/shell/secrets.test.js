'use strict';

const assert = require('node:assert/strict');
const { assertNoSecret, filesIn, ENCODED, OPTIONS, PASSWORD, CORE } = require('../support/canary');
const { temporaryFolder } = require('../support/cleanup');
const { runMongosh } = require('../support/mongosh');
const { startServer } = require('../support/server');
const { evals, makeTuneHome } = require('./support/place');

/**
 * @import { Server } from '../support/server'
 */

/** In a real mongosh, connected with a password, and with one that is not let in. */
describe('no secret in mongosh', function () {
  this.timeout(180_000);
  /** @type {Server} */ let server;
  /** @type {ReturnType<typeof makeTuneHome>} */ let home;
  /** @type {{ path: string, remove(): void }} */ let folder;
  before(async () => {
    server = await startServer({ auth: true });
    await server.adminCommand({ createUser: 'joe', pwd: PASSWORD, roles: ['root'] });
    home = makeTuneHome();
    folder = temporaryFolder('secrets');
  });
  after(async () => {
    await server?.stop();
    home?.remove();
    folder?.remove();
  });
  const uri = () => `mongodb://joe:${ENCODED}@127.0.0.1:${server.port}/?directConnection=true`;

  it('what is printed, thrown, recorded, reported and remembered', async () => {
    const lines = [
      'print(tune.status({ seconds: 0.2 }))',
      'print(tune.record("r.ndjson.gz", { seconds: 1 }))',
      'print(tune.report("r.html", { of: "r.ndjson.gz" }))',
      'print(tune.settings())',
      'print(tune.host.collect())',
      'print(tune.apply({ evictionTarget: 75 }, { confirm: true }))',
      'print(tune.undo({ confirm: true }))',
      'print(tune.history())',
      'print(tune.bench())',
      'try { tune.status({ seconds: "x" }) } catch (error) { print(error); }',
      `try { tune.report(${JSON.stringify(`mongodb://joe:${PASSWORD}@h/`)}) } catch (error) ` +
        '{ print(error); }',
      `try { tune.bench.compare(["mongodb://joe:${CORE}@127.0.0.1:1", ` +
        `"mongodb://127.0.0.1:2/?${OPTIONS}"], {}) } catch (error) { print(error); }`,
      'tune',
      'tune.last',
    ];
    const { code, stdout, stderr } = await runMongosh([uri(), ...evals(...lines)], {
      env: home.env,
      cwd: folder.path,
      timeout: 150_000,
    });
    assert.equal(code, 0, stdout + stderr);
    assert.match(stdout, /change done and verified/);
    assertNoSecret('stdout', stdout);
    assertNoSecret('stderr', stderr);
    for (const place of [folder.path, home.path]) {
      const files = filesIn(place);
      assert.ok(files.length > 0, place);
      for (const [file, text] of files) assertNoSecret(file, text);
    }
  });
});
