'use strict';

/** A journal that is taken away or cut while a change is made: by a log rotation, a clean-up, a full copy. */
const assert = require('node:assert/strict');
const fs = require('node:fs');
const { useServer } = require('../../support/one-server');
const { beforeCall } = require('../../support/beside');
const { askedStrings } = require('../../support/engine');
const { journalPath } = require('../../../lib/change/journal');
const { run: apply } = require('../../../lib/commands/apply');
const { run: undo } = require('../../../lib/commands/undo');

const DO = Object.freeze({ confirm: true });

describe('a journal that is taken away while a change is made', function () {
  this.timeout(60_000);
  const place = useServer();
  const { context } = place;
  const file = () => journalPath(place.home.path);
  /** What becomes of it. @type {[string, () => void][]} */
  const ways = [
    ['the file is removed', () => fs.unlinkSync(file())],
    ['its folder is removed', () => fs.rmSync(place.home.path, { recursive: true })],
    ['it is cut', () => fs.truncateSync(file(), 0)],
    [
      'it is renamed, with an empty one in its place',
      () => {
        fs.renameSync(file(), `${file()}.1`);
        fs.writeFileSync(file(), '');
      },
    ],
  ];
  const CHANGE = { evictionTarget: 75, evictionThreadsMax: 7 };

  for (const [what, act] of ways)
    for (const [when, isMoment] of /** @type {[string, (command: any) => boolean][]} */ ([
      [
        'before the first call',
        (command) => command.hello === 1 && /"intent"/.test(readIfThere(file())),
      ],
      ['at a call', (command) => /threads_max=7/.test(command.wiredTigerEngineRuntimeConfig ?? '')],
    ]))
      it(`${what}, ${when}: it gets the lines of the change again, and an undo knows it`, async () => {
        const done = await apply(
          beforeCall(context(), isMoment, async () => act()),
          CHANGE,
          DO,
        );
        assert.equal(done.verified, true);
        assert.match(done.warnings.join('\n'), /journal .* was removed or truncated/);
        const back = await undo(context(), DO);
        assert.deepEqual([back.undoes, back.verified], [done.id, true]);
        assert.deepEqual(settingsOf(await askedStrings(place.server)), [80, 4]);
      });

  it('cut back to its first line after a call, by an editor: a change that then ends is undone', async () => {
    await apply(context(), { evictionDirtyTarget: 6 }, DO);
    const isAt = (/** @type {string} */ key) => (/** @type {any} */ command) =>
      command.setParameter === 1 && command.wiredTigerEngineRuntimeConfig.startsWith(key);
    let opened = '';
    const ctx = beforeCall(context(), isAt('eviction_target'), async () => {
      opened = readIfThere(file()).replace(/\n[^\n]*\n$/, '\n');
    });
    const saved = beforeCall(ctx, isAt('eviction='), async () => {
      fs.writeFileSync(file(), opened);
      throw Object.assign(new Error('connection closed'), { name: 'MongoNetworkError' });
    });
    await assert.rejects(apply(saved, CHANGE, DO), { code: 'TUNE-20006' });
    const back = await undo(context(), { ...DO, force: true });
    assert.equal(back.change.evictionTarget, 80);
    assert.deepEqual(settingsOf(await askedStrings(place.server))[0], 80);
  });

  it('and cannot be written again: nothing is sent', async () => {
    const asked = await askedStrings(place.server);
    const inTheWay = async () => {
      fs.rmSync(place.home.path, { recursive: true });
      fs.writeFileSync(place.home.path, 'a file');
    };
    await assert.rejects(
      apply(
        beforeCall(
          context(),
          (command) => command.hello === 1 && /"intent"/.test(readIfThere(file())),
          inTheWay,
        ),
        CHANGE,
        DO,
      ),
      { code: 'TUNE-40001' },
    );
    assert.deepEqual(await askedStrings(place.server), asked);
  });
});

/** @param {string} name */
const readIfThere = (name) => (fs.existsSync(name) ? fs.readFileSync(name, 'utf8') : '');

/** @param {readonly string[]} strings */
const settingsOf = (strings) => {
  const { settingsIn } = require('../../../lib/config/effective-config');
  const { evictionTarget, evictionThreadsMax } = settingsIn(strings.join(','));
  return [evictionTarget, evictionThreadsMax];
};
