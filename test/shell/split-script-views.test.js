'use strict';

const assert = require('node:assert/strict');
const fs = require('node:fs');
const path = require('node:path');
const { temporaryFolder } = require('../support/cleanup');
const { runMongosh } = require('../support/mongosh');
const { useSet } = require('../support/split');
const { run: splitPlan } = require('../../lib/commands/split-plan');
const { run: splitScript } = require('../../lib/commands/split-script');

const FR = Object.freeze({ locale: 'fr', strength: 1 });
const LONG_MS = 200_000;

describe('tune.split.script(), where views of other users read the source', function () {
  this.timeout(LONG_MS);
  let client;
  let ctx;
  let server;
  useSet((set) => {
    ({ client, ctx, server } = set);
  });
  const folder = temporaryFolder('script-views');
  after(() => folder.remove());

  /** @param {string} name @param {(script: string) => string} [change] */
  async function run(name, change = (script) => script) {
    const db = client.db('app');
    await db.collection(name).insertMany([{ _id: 1 }, { _id: 2 }]);
    await db.createCollection(`${name}_v`, { viewOn: name, pipeline: [], collation: FR });
    await db.createCollection(`${name}_w`, {
      viewOn: `${name}_v`,
      pipeline: [{ $unionWith: { coll: name } }],
      collation: FR,
    });
    const plan = await splitPlan(ctx, {
      source: 'app',
      target: 'app2',
      collections: name,
      seconds: 0.1,
    });
    const { script } = await splitScript(ctx, plan);
    const file = path.join(folder.path, `${name}.js`);
    fs.writeFileSync(file, change(script));
    const { code, stderr, stdout } = await runMongosh([server.uri, '--quiet', '--file', file], {
      timeout: LONG_MS,
      coverage: false,
    });
    return { code, said: stdout + stderr };
  }
  const documents = (/** @type {string} */ db, /** @type {string} */ name) =>
    client.db(db).collection(name).countDocuments();

  it('with a collation: it is moved, and its view has the same', async () => {
    const { code, said } = await run('a');
    assert.equal(code, 0, said);
    assert.equal(await documents('app2', 'a'), 2);
    const [{ type, options }] = await client.db('app').listCollections({ name: 'a' }).toArray();
    assert.deepEqual([type, options.collation.locale], ['view', 'fr']);
  });
  it('with different ones that were made meanwhile: it stops before anything is renamed', async () => {
    const { code, said } = await run('b', (script) =>
      script.replace(
        /\/\/ 6\. The source is blocked/,
        'db.getSiblingDB("app").createView("b_u", "b", []);\n$&',
      ),
    );
    assert.notEqual(code, 0);
    assert.match(said, /app\.b: the views that read it have different collations.*b_u/s);
    assert.equal(await documents('app', 'b'), 2);
  });
  it('where the server refuses the view after the rename: the source gets its name back', async () => {
    const { code, said } = await run('c', (script) => {
      const changed = script.replace(
        'command(move.database, view),',
        'command(move.database, { ...view, collation: { locale: "de" } }),',
      );
      assert.notEqual(changed, script);
      return changed;
    });
    assert.notEqual(code, 0);
    assert.match(said, /collation/);
    assert.equal(await documents('app', 'c'), 2);
  });
});
