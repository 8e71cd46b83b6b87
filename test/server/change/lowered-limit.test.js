'use strict';

const assert = require('node:assert/strict');
const fs = require('node:fs');
const { run: apply } = require('../../../lib/commands/apply');
const { run: undo } = require('../../../lib/commands/undo');
const { journalPath } = require('../../../lib/change/journal');
const { cacheOf, setExternally } = require('../../support/engine');
const { memoryGroup } = require('../../support/memory-group');
const { useServer } = require('../../support/one-server');
const { typeWords } = require('../../support/printed-calls');

const DO = Object.freeze({ confirm: true });
const FORCE = Object.freeze({ confirm: true, force: true });
const GB = 2 ** 30;
const WIDE_MB = 4000;
const TIGHT_MB = 1000;

describe('an undo, and a memory limit that mongod does not know', function () {
  this.timeout(120_000);
  const group = memoryGroup();
  before(function () {
    if (group === null) this.skip();
  });
  const place = useServer();
  after(() => group?.remove());
  const limit = (/** @type {number} */ megabytes) => group?.limit(place.server.pid, megabytes);
  const cacheGB = async () => (await cacheOf(place.server)).maxBytes / GB;

  /** @param {number} megabytes the limit now */
  async function lowerTheCache(megabytes) {
    limit(megabytes);
    await setExternally(place.server, 'cache_size=2G');
    return apply(place.context(), { cacheSizeGB: 0.5 }, DO);
  }

  it('is refused beyond a limit that was lowered since', async () => {
    await lowerTheCache(WIDE_MB);
    limit(TIGHT_MB);
    for (const options of [{}, DO])
      await assert.rejects(undo(place.context(), options), {
        code: 'TUNE-30003',
        message: /2 GiB is more than 80% of the 1000 MiB/,
      });
    assert.equal(await cacheGB(), 0.5);
    await undo(place.context(), FORCE);
    assert.equal(await cacheGB(), 2);
  });

  it('goes back to what ran under the same limit', async () => {
    const { undo: printed } = await lowerTheCache(TIGHT_MB);
    await typeWords(place.context(), String(printed));
    assert.equal(await cacheGB(), 2);
  });

  it('of an older journal, which has no limit, is as it was', async () => {
    await lowerTheCache(WIDE_MB);
    const file = journalPath(place.home.path);
    const text = fs.readFileSync(file, 'utf8');
    assert.match(text, /"memoryBytes":4194304000/);
    fs.writeFileSync(file, text.replace(/"memoryBytes":\d+,/g, ''));
    limit(TIGHT_MB);
    await undo(place.context(), DO);
    assert.equal(await cacheGB(), 2);
  });

  it('the redo of what was forced beyond the limit has to be forced', async () => {
    limit(WIDE_MB);
    await setExternally(place.server, 'cache_size=512M');
    limit(TIGHT_MB);
    await apply(place.context(), { cacheSizeGB: 3 }, FORCE);
    const { id, undo: redo } = await undo(place.context(), DO);
    await assert.rejects(undo(place.context(), String(id), DO), { code: 'TUNE-30003' });
    assert.equal(await cacheGB(), 0.5);
    assert.equal(redo, `tune.undo("${id}", { confirm: true, force: true })`);
    await typeWords(place.context(), String(redo));
    assert.equal(await cacheGB(), 3);
  });
});
