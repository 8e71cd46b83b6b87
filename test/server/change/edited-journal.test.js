'use strict';

const assert = require('node:assert/strict');
const fs = require('node:fs');
const { beforeCall } = require('../../support/beside');
const { useServer } = require('../../support/one-server');
const { askedStrings, setExternally } = require('../../support/engine');
const { journalPath, readLines } = require('../../../lib/change/journal');
const { run: apply } = require('../../../lib/commands/apply');
const { run: undo } = require('../../../lib/commands/undo');
const { run: trial } = require('../../../lib/commands/trial');
const { run: history } = require('../../../lib/commands/history');

const DO = Object.freeze({ confirm: true });
const BYTES = '"before":{"evictionTarget":150}';

describe('a journal that others wrote into', function () {
  this.timeout(60_000);
  const place = useServer();
  const { context } = place;

  it('a setting of a later release: an undo does not say that all is undone', async () => {
    const newer = 'eviction_target=75,file_manager=(close_idle_time=600)';
    const ctx = context();
    const { adminCommand } = ctx.port;
    ctx.port.adminCommand = (command) =>
      adminCommand(
        command.setParameter ? { ...command, wiredTigerEngineRuntimeConfig: newer } : command,
      );
    await apply(ctx, { evictionTarget: 75 }, DO);
    // What a later release that knows one setting more would have written.
    const text = fs.readFileSync(journalPath(place.home.path), 'utf8');
    fs.writeFileSync(
      journalPath(place.home.path),
      text
        .replaceAll('"eviction_target=75"', JSON.stringify(newer))
        .replace(
          '"change":{"evictionTarget":75}',
          '"change":{"evictionTarget":75,"closeIdleSeconds":600}',
        )
        .replace(
          '"before":{"evictionTarget":80}',
          '"before":{"evictionTarget":80,"closeIdleSeconds":100000}',
        ),
    );
    const done = await undo(context(), DO).catch((error) => error);
    const asked = await askedStrings(place.server);
    const [entry] = await history(context());
    assert.ok(
      entry.outcome !== 'undone' || asked.at(-1)?.includes('close_idle_time'),
      `${entry.outcome}, sent: ${asked.at(-1)}; ${done.message ?? done.warnings}`,
    );
  });

  it('two lines that undo each other do not make it unreadable', async () => {
    await apply(context(), { evictionThreadsMax: 6 }, DO);
    const [intent, , sent, outcome] = readLines(place.home.path).lines;
    const lines = [
      { ...sent, id: 'a' },
      { ...sent, id: 'b' },
      { ...intent, id: 'a', action: 'undo', undoes: 'b' },
      { ...intent, id: 'b', action: 'undo', undoes: 'a' },
      { ...outcome, id: 'a' },
      { ...outcome, id: 'b' },
    ];
    fs.appendFileSync(
      journalPath(place.home.path),
      `${lines.map((line) => JSON.stringify(line)).join('\n')}\n`,
    );
    const found = await history(context());
    assert.ok(found.length > 0, String(found.notes ?? found));
    await undo(context(), DO);
  });

  it('a second beginning under one id does not make it forget what was sent', async () => {
    await apply(context(), { evictionThreadsMax: 6 }, DO);
    const [intent] = readLines(place.home.path).lines;
    const again = { ...intent, at: new Date().toISOString() };
    fs.appendFileSync(journalPath(place.home.path), `${JSON.stringify(again)}\n`);
    const done = await undo(context(), DO).catch((error) => error);
    const [entry] = await history(context());
    assert.notDeepEqual(
      [(await askedStrings(place.server)).at(-1), entry.outcome],
      ['eviction=(threads_max=6)', 'undone'],
      String(done.message ?? done),
    );
  });

  it('a number of bytes that nobody would set is not sent without force', async () => {
    await setExternally(place.server, 'eviction_target=80');
    await apply(context(), { evictionTarget: 75 }, DO);
    const file = journalPath(place.home.path);
    const text = fs.readFileSync(file, 'utf8');
    fs.writeFileSync(file, text.replace('"before":{"evictionTarget":80}', BYTES));
    await assert.rejects(undo(context(), DO), {
      code: 'TUNE-30003',
      message: /evictionTarget 150 B is .*\{ force: true \}/,
    });
    assert.equal((await askedStrings(place.server)).at(-1), 'eviction_target=75');
    assert.equal((await history(context()))[0].outcome, 'applied');
    await undo(context(), { confirm: true, force: true });
    assert.equal((await askedStrings(place.server)).at(-1), 'eviction_target=150');
    await setExternally(place.server, 'eviction_target=80');
  });

  it('of a later format: nothing is sent, nothing is written, and the error says what to do', async () => {
    const ctx = context();
    await apply(ctx, { evictionTarget: 75 }, DO);
    const file = journalPath(place.home.path);
    assert.match(fs.readFileSync(file, 'utf8'), /^\{"kind":"intent","format":1,/);
    fs.appendFileSync(file, '{"kind":"intent","format":2,"id":"of a later release"}\n');
    const [text, sent] = [fs.readFileSync(file, 'utf8'), (await askedStrings(place.server)).length];
    const refused = (/** @type {any} */ error) =>
      error.code === 'TUNE-40010' &&
      /has format 2; this release of tune reads up to 1\. Nothing was written\. Use the release/.test(
        error.message,
      );
    await assert.rejects(apply(ctx, { evictionTarget: 70 }, DO), refused);
    await assert.rejects(trial(ctx, { evictionTarget: 70 }, DO), refused);
    await assert.rejects(undo(ctx, DO), refused);
    await assert.rejects(undo(ctx), refused);
    await assert.rejects(history(ctx), refused);
    const dry = await apply(ctx, { evictionTarget: 70 });
    assert.match(dry.warnings.join(), /has format 2/);
    assert.equal(fs.readFileSync(file, 'utf8'), text);
    assert.equal((await askedStrings(place.server)).length, sent);
  });

  for (const more of [
    { open: 1 },
    { resent: 7 },
    { undoneBy: 'x' },
    { groupEnded: true },
    { groupDone: true },
  ])
    it(`${JSON.stringify(more)}, which only reading makes: nothing of it counts`, async () => {
      await setExternally(place.server, 'eviction_target=80');
      await apply(context(), { evictionTarget: 75 }, DO);
      const file = journalPath(place.home.path);
      const [first, ...rest] = fs.readFileSync(file, 'utf8').trim().split('\n');
      const edited = JSON.stringify({ ...JSON.parse(first), ...more });
      fs.writeFileSync(file, `${[edited, ...rest].join('\n')}\n`);
      /** @type {any} */ let second;
      const own = beforeCall(
        context(),
        ({ setParameter }) => Boolean(setParameter),
        async () => {
          second = await apply(context(), { evictionDirtyTarget: 4 }, DO).catch((error) => error);
        },
      );
      assert.equal((await apply(own, { evictionCheckpointTarget: 6 }, DO)).verified, true);
      assert.equal(second.code, 'TUNE-30010');
      assert.equal((await history(context())).length, 2);
      await undo(context(), DO);
      await undo(context(), DO);
    });
});
