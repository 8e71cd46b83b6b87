'use strict';

const assert = require('node:assert/strict');
const { startServer, startReplicaSet } = require('../support/server');
const { contextOf } = require('../support/context');
const { startLoad } = require('../support/load');
const { attachedSeries } = require('../../lib/series/chart-data');
const { run: watch } = require('../../lib/commands/watch');

const pause = (ms) =>
  new Promise((resolve) => {
    setTimeout(resolve, ms);
  });

/** The screens of a test. @type {{ closed: number, press(key: string): void }[]} */
const screens = [];
/** What fails in the middle must not watch on. */
function endScreens() {
  for (const screen of screens.splice(0)) if (screen.closed === 0) screen.press('q');
}

/** A context with a screen that keeps what is drawn, and a way to press keys. */
function screenOf(client, { columns = 120, rows = 40, signal } = {}) {
  const drawn = { text: '', frames: 0, closed: 0, press: () => {} };
  screens.push(drawn);
  const ctx = contextOf(client, { signal });
  Object.assign(ctx.terminal, {
    isTTY: true,
    columns,
    rows,
    openScreen({ onKeys }) {
      drawn.press = onKeys;
      return {
        columns,
        rows,
        ink: (text) => text,
        draw: (lines) => {
          drawn.text = lines.map(({ text }) => text).join('\n');
          drawn.frames += 1;
        },
        close: () => {
          drawn.closed += 1;
        },
      };
    },
  });
  return { ctx, drawn, until: (pattern) => until(drawn, pattern) };
}

/** Goes to the next member; one that cannot be reached for the moment, on a busy machine, is tried again. */
async function nextMember(drawn, pattern) {
  for (let tries = 0; tries < 3; tries++) {
    drawn.press('m');
    await until(drawn, new RegExp(`${pattern.source}|cannot be reached`, 'm'));
    if (!/cannot be reached/.test(drawn.text)) return;
    await pause(5_000);
  }
  await until(drawn, pattern);
}

/** @param {{ text: string }} drawn @param {RegExp} pattern */
async function until(drawn, pattern) {
  for (let tries = 0; !pattern.test(drawn.text); tries++) {
    assert.ok(tries < 600, `${pattern} was not drawn:\n${drawn.text}`);
    await pause(100);
  }
}

describe('watch: the live screen on a real server', function () {
  this.timeout(180_000);
  afterEach(endScreens);
  let server;
  let load;
  before(async () => {
    server = await startServer();
    const collection = server.db('watched').collection('c');
    load = startLoad(
      async () => {
        await collection.insertOne({ text: 'x'.repeat(500) }).catch(() => pause(100));
      },
      { loops: 2 },
    );
  });
  after(async () => {
    await load?.stop();
    await server?.stop();
  });

  it('shows the server, judges it, and hands over what it saw when q is pressed', async () => {
    const { ctx, drawn, until } = screenOf(server.client);
    const watching = watch(ctx, { everySeconds: 0.5 });
    await until(/writes\/s +[1-9][^]*bottleneck {2}|bottleneck {2}looking/);
    await until(/^bottleneck {2}(?!looking)[\w-]+: \w/m);
    drawn.press('q');
    const seen = await watching;
    assert.ok(
      seen.samples >= 5 && seen.ended === 'complete' && seen.metrics['ops.writesPerSec'] > 0,
    );
    assert.equal(drawn.closed, 1);
    assert.match(String(seen), /samples in [^]*\nCLIENTS /);
    const { sampleCount, series, levels } = attachedSeries(seen)(100);
    assert.ok(
      sampleCount === seen.samples &&
        Math.max(...series.writesPerSec) > 0 &&
        levels.dirtyTriggerRatio > 0,
      `${sampleCount} samples`,
    );
  });

  it('ends by itself, with at least two samples', async () => {
    const { ctx, drawn } = screenOf(server.client);
    const seen = await watch(ctx, { everySeconds: 0.3, seconds: 1 });
    assert.ok(seen.samples >= 2 && drawn.closed === 1);
  });

  it('tells what somebody sets meanwhile', async () => {
    const { ctx, drawn, until } = screenOf(server.client);
    const watching = watch(ctx, { everySeconds: 0.5 });
    await until(/5\/20%/);
    await server.adminCommand({
      setParameter: 1,
      wiredTigerEngineRuntimeConfig: 'eviction_dirty_trigger=15',
    });
    await until(/settings: evictionDirtyTrigger 20 → 15/);
    await until(/5\/15%/);
    drawn.press('q');
    await watching;
  });

  it('holds the picture and goes through the areas', async () => {
    const { ctx, drawn, until } = screenOf(server.client);
    const watching = watch(ctx, { everySeconds: 0.2 });
    await until(/\[1 overview\]/);
    drawn.press('\t');
    await until(/\[2 cache\]/);
    drawn.press(' ');
    await until(/PAUSED/);
    const held = drawn.text;
    await pause(1500);
    assert.equal(drawn.text, held);
    drawn.press('?');
    await until(/Esc: back/);
    drawn.press('\x1b 6');
    await until(/\[6 operations\][^]*space pause/);
    drawn.press('q');
    assert.ok((await watching).samples > 5);
  });

  it('keeps what it saw at Ctrl-C', async () => {
    const abort = new AbortController();
    const { ctx, until } = screenOf(server.client, { signal: abort.signal });
    const watching = watch(ctx, { everySeconds: 0.2 });
    await until(/ s ago now$/m);
    abort.abort();
    const seen = await watching;
    assert.equal(seen.ended, 'interrupted');
    assert.match(seen.notes[0], /Interrupted after \d+ sample/);
  });

  it('prints lines where there is no room', async () => {
    for (const [options, size] of [
      [{}, { columns: 59 }],
      [{}, { rows: 11 }],
      [{ screen: false }, {}],
    ]) {
      const { ctx, drawn } = screenOf(server.client, size);
      await watch(ctx, { seconds: 0.5, everySeconds: 0.25, ...options });
      assert.equal(drawn.frames, 0);
      assert.match(ctx.lines.join(''), /used% dirty%/);
    }
  });

  it('prints one JSON object a line, and the summary as the last one', async () => {
    const { ctx, drawn } = screenOf(server.client);
    const seen = await watch(ctx, { seconds: 1, everySeconds: 0.25, json: true });
    const sampleCount = `${ctx.lines.join('')}${seen}`.split('\n').map((line) => JSON.parse(line));
    assert.ok(sampleCount.length >= 3 && drawn.frames === 0);
    assert.ok(
      sampleCount
        .slice(0, -1)
        .every(
          ({ at, host, seconds, metrics }) =>
            Date.parse(at) > 0 &&
            host === seen.host &&
            seconds > 0 &&
            metrics['cache.maxBytes'] > 0,
        ),
    );
    assert.equal(sampleCount.at(-1).samples, seen.samples);
  });

  for (const options of [{ json: 1 }, { screen: 'yes' }, { everySeconds: 0 }, { members: true }]) {
    it(`refuses ${JSON.stringify(options)}`, () =>
      assert.rejects(watch(contextOf(server.client), options), { code: /TUNE-1000[12]/ }));
  }

  it('waits for a server that restarts, tells it, and goes on', async () => {
    const { ctx, drawn, until } = screenOf(server.client);
    const watching = watch(ctx, { everySeconds: 0.5 });
    await until(/bottleneck/);
    await pause(1500);
    await server.restart();
    await until(/the server restarted/);
    await until(/^.*\d\d:\d\d:\d\d UTC$/m);
    drawn.press('q');
    const seen = await watching;
    assert.ok(seen.samples > 0);
  });
});

describe('watch: a lost server, and members', function () {
  this.timeout(240_000);
  afterEach(endScreens);
  let set;
  before(async () => {
    set = await startReplicaSet({ members: 3, auth: true });
  });
  after(() => set?.stop());

  it('goes to the next member with the same credentials, and says of one that is not there', async () => {
    const client = await set.connect(set.uriOf(await set.primary()));
    const { ctx, drawn, until } = screenOf(client, { columns: 200 });
    const watching = watch(ctx, { everySeconds: 0.5 });
    await until(/members .*▸\S+ primary.*m member|members .*▸\S+ primary[^]*m member/);
    await nextMember(drawn, /members .*▸\S+ secondary/);
    await until(/^\S+ {2}MongoDB \S+ {2}secondary/);
    const second = /▸(\S+)/.exec(drawn.text)[1];
    await nextMember(drawn, new RegExp(`▸(?!${second})\\S+ secondary`));
    drawn.press('m');
    drawn.press('q');
    const seen = await watching;
    assert.ok(set.hosts.some((host) => seen.host.endsWith(host.split(':')[1])));
    assert.equal(drawn.closed, 1);
  });

  it('stays alive where a member cannot be reached', async () => {
    const client = await set.connect(set.uriOf(await set.primary()));
    const { ctx, drawn, until } = screenOf(client, { columns: 200 });
    ctx.connect = async (host) => {
      throw new Error(`connect ECONNREFUSED ${host}`);
    };
    const watching = watch(ctx, { everySeconds: 0.5 });
    await until(/members .*▸\S+ primary/);
    drawn.press('m');
    await until(/cannot be reached: connect ECONNREFUSED/);
    assert.match(drawn.text, /▸\S+ primary/);
    drawn.press('q');
    assert.equal((await watching).ended, 'complete');
  });

  it('says that there is no connection, and hands over what it saw before', async () => {
    const client = await set.connect(set.uriOf(await set.primary()));
    const { ctx, drawn, until } = screenOf(client);
    const watching = watch(ctx, { everySeconds: 0.3 });
    await until(/ s ago now$/m);
    await client.close();
    await until(/NO CONNECTION[^]*! [^]*Trying again/);
    drawn.press('q');
    const seen = await watching;
    assert.equal(seen.ended, 'lost');
    assert.match(seen.notes.join(), /The connection was lost/);
  });
});
