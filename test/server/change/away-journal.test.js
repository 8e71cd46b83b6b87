'use strict';

const assert = require('node:assert/strict');
const fs = require('node:fs');
const path = require('node:path');
const { useServer } = require('../../support/one-server');
const { contextOf } = require('../../support/context');
const { temporaryFolder } = require('../../support/cleanup');
const { askedStrings } = require('../../support/engine');
const { journalPath } = require('../../../lib/change/journal');
const { run: apply } = require('../../../lib/commands/apply');
const { run: config } = require('../../../lib/commands/settings');
const { run: history } = require('../../../lib/commands/history');
const { run: undo } = require('../../../lib/commands/undo');

const DO = Object.freeze({ confirm: true });

describe('a journal that is a link to a disk that is away', function () {
  this.timeout(60_000);
  const place = useServer({ config: 'eviction_target=80' });
  /** @type {{ path: string, remove(): void }} */ let disk;
  beforeEach(() => {
    disk = temporaryFolder('disk');
    fs.mkdirSync(path.join(disk.path, 'mount'));
  });
  afterEach(() => disk.remove());

  for (const [what, link] of /** @type {[string, (there: string) => string][]} */ ([
    [
      'the file',
      (there) => {
        fs.writeFileSync(journalPath(there), '');
        fs.symlinkSync(journalPath(there), journalPath(place.home.path));
        return place.home.path;
      },
    ],
    [
      'its folder',
      (there) => {
        const home = path.join(place.home.path, 'tune');
        fs.symlinkSync(there, home);
        return home;
      },
    ],
    [
      'a folder above',
      (there) => {
        fs.symlinkSync(there, path.join(place.home.path, '.mongodb'));
        return path.join(place.home.path, '.mongodb', 'mongosh-tune');
      },
    ],
  ]))
    it(`${what}: it does not count as one without changes`, async () => {
      const mount = path.join(disk.path, 'mount');
      const home = link(mount);
      const context = () => contextOf(place.server.client, { home });
      const { id } = await apply(context(), { evictionTarget: 75 }, DO);
      fs.renameSync(mount, `${mount}.away`);
      for (const ask of [
        () => undo(context(), DO),
        () => undo(context(), String(id), DO),
        () => history(context()),
      ])
        await assert.rejects(ask, { code: 'TUNE-40002' });
      assert.match(String(await config(context())), /TUNE-40002.*journal/s);
      const asked = await askedStrings(place.server);
      await assert.rejects(apply(context(), { evictionTarget: 70 }, DO), /TUNE-4000[12]/);
      assert.deepEqual(await askedStrings(place.server), asked);
      fs.renameSync(`${mount}.away`, mount);
      await undo(context(), DO);
      assert.equal((await config(context())).evictionTarget.value, 80);
    });

  it('is not made at the empty mount point', async () => {
    const mount = path.join(disk.path, 'mount');
    const context = () => contextOf(place.server.client, { home: place.home.path });
    fs.writeFileSync(journalPath(mount), '');
    fs.symlinkSync(journalPath(mount), journalPath(place.home.path));
    const { id } = await apply(context(), { evictionTarget: 75 }, DO);
    fs.renameSync(mount, `${mount}.away`);
    fs.mkdirSync(mount);
    const asked = await askedStrings(place.server);
    await assert.rejects(apply(context(), { evictionTarget: 70 }, DO), {
      code: 'TUNE-40001',
      message: /a link in its path leads to nothing that is there/,
    });
    assert.deepEqual([await askedStrings(place.server), fs.readdirSync(mount)], [asked, []]);
    fs.rmdirSync(mount);
    fs.renameSync(`${mount}.away`, mount);
    await undo(context(), String(id), DO);
    assert.equal((await config(context())).evictionTarget.value, 80);
  });
});
