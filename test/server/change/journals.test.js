'use strict';

const assert = require('node:assert/strict');
const fs = require('node:fs');
const os = require('node:os');
const path = require('node:path');
const { startServer } = require('../../support/server');
const { contextOf } = require('../../support/context');
const { temporaryFolder } = require('../../support/cleanup');
const { setExternally, askedStrings, floodLog } = require('../../support/engine');
const { journalPath } = require('../../../lib/change/journal');
const { makeUnfinishedNotice } = require('../../../lib/shell/install');
const { defaultHome } = require('../../../lib/shell/mongosh');
const { tune: tuneFor } = require('../../../lib/node');
const { run: apply } = require('../../../lib/commands/apply');
const { run: undo } = require('../../../lib/commands/undo');
const { run: config } = require('../../../lib/commands/settings');

const DO = Object.freeze({ confirm: true });

describe('journals', function () {
  this.timeout(120_000);
  /** @type {import('../../support/server').Server} */ let server;
  /** @type {{ path: string, remove(): void }[]} */ let homes;
  const context = (i = 0) => contextOf(server.client, { home: homes[i].path });
  before(async () => {
    server = await startServer();
  });
  after(() => server?.stop());
  beforeEach(async () => {
    homes = [temporaryFolder('home'), temporaryFolder('home')];
    await setExternally(server, 'eviction=(threads_min=4,threads_max=4),eviction_target=80');
  });
  afterEach(() => homes.forEach((home) => home.remove()));

  it('of two operators: what the other one left, under a string of ours, is not taken for known', async () => {
    await server.restart();
    await apply(context(0), { evictionTarget: 75 }, DO);
    await apply(context(1), { evictionDirtyTrigger: 30 }, DO);
    await apply(context(1), { evictionTarget: 70 }, DO);
    await undo(context(1), DO);
    await floodLog(server);
    const { evictionDirtyTrigger } = await config(context(0));
    assert.ok(
      [30, null].includes(evictionDirtyTrigger.value),
      `${evictionDirtyTrigger.value}%, which it is not`,
    );
    await apply(context(0), { evictionDirtyTrigger: 25 }, DO);
    const back = await undo(context(0), DO).catch((error) => error);
    await setExternally(server, 'eviction_dirty_trigger=20');
    assert.notDeepEqual(
      back.commands?.map((c) => c.wiredTigerEngineRuntimeConfig),
      ['eviction_dirty_trigger=20'],
    );
  });

  it('what another session set at the end of a string longer than the log keeps is not overwritten', async () => {
    await server.restart();
    await apply(context(0), { evictionTarget: 75 }, DO);
    const blanks = ' '.repeat(12_000);
    await setExternally(server, `eviction_trigger=96,${blanks}eviction_target=70`);
    await setExternally(server, 'eviction_dirty_trigger=21');
    assert.equal((await config(context(0))).evictionTarget.value, null);
    await assert.rejects(undo(context(0), DO), { code: 'TUNE-30006' });
  });

  it('of two operators: what the other one sends again after a refusal is not taken for own', async () => {
    await server.restart();
    await apply(context(0), { evictionTarget: 75 }, DO);
    await apply(context(1), { evictionDirtyTrigger: 30 }, DO);
    // No string that tune sends: after a refusal it sends what it knows of the settings before.
    await setExternally(server, 'file_manager=(close_idle_time=600)');
    const ctx = context(1);
    const { adminCommand } = ctx.port;
    ctx.port.adminCommand = (command) =>
      adminCommand(
        command.wiredTigerEngineRuntimeConfig === 'eviction_target=70'
          ? { ...command, wiredTigerEngineRuntimeConfig: 'eviction_target=5' }
          : command,
      );
    await assert.rejects(apply(ctx, { evictionTarget: 70 }, DO), { code: 'TUNE-20008' });
    assert.equal((await askedStrings(server)).at(-1), 'eviction_target=75');
    await floodLog(server);
    const { evictionDirtyTrigger } = await config(context(0));
    assert.ok(
      [30, null].includes(evictionDirtyTrigger.value),
      `${evictionDirtyTrigger.value}%, which it is not`,
    );
  });

  it('the folder that MONGOSH_TUNE_HOME names does not depend on where the shell was started', () => {
    assert.equal(
      defaultHome({ MONGOSH_TUNE_HOME: '~/journal', HOME: os.homedir() }),
      path.join(os.homedir(), 'journal'),
    );
  });

  it('the name of a server in it does not act upon the terminal', async () => {
    const ctx = context();
    const { adminCommand } = ctx.port;
    ctx.port.adminCommand = async (command) => {
      const answer = await adminCommand(command);
      if (answer.host) answer.host = 'db\u001b]0;owned\u0007\u001b[2J:27017';
      return answer;
    };
    await apply(ctx, { evictionTarget: 75 }, DO);
    const file = journalPath(homes[0].path);
    const lines = fs.readFileSync(file, 'utf8').trim().split('\n').slice(0, -1);
    // A shell that was killed: another process wrote them.
    fs.writeFileSync(
      file,
      `${lines
        .join('\n')
        .replace(/"writerPid":\d+/, '"writerPid":999999')
        .replace(/"startedTicks":"\d+"/, '"startedTicks":"1"')}\n`,
    );
    /** @type {string[]} */ const told = [];
    await makeUnfinishedNotice({ home: homes[0].path, notify: (text) => told.push(text) })(
      'status',
      ctx.port,
    );
    assert.equal(told.length, 1);
    assert.doesNotMatch(told.join(), /[\u0007\u001b]/);
  });

  it('in a folder that is away for some seconds get what is missing as soon as it is there again', async () => {
    const above = path.join(homes[0].path, 'mounted');
    const home = path.join(above, 'journal');
    fs.mkdirSync(home, { recursive: true });
    const ctx = contextOf(server.client, { home });
    const { adminCommand } = ctx.port;
    let calls = 0;
    ctx.port.adminCommand = async (command) => {
      const answer = await adminCommand(command);
      if (command.setParameter && (calls += 1) === 1) {
        fs.renameSync(above, `${above}.kept`);
        fs.writeFileSync(above, 'nothing is mounted here');
      }
      return answer;
    };
    await apply(ctx, { evictionTarget: 75, evictionThreadsMax: 6 }, DO).catch(() => undefined);
    const wait = () =>
      new Promise((resolve) => {
        setTimeout(resolve, 2500);
      });
    await wait();
    fs.unlinkSync(above);
    fs.renameSync(`${above}.kept`, above);
    await wait();
    const text = fs.readFileSync(journalPath(home), 'utf8');
    assert.match(text, /"kind":"outcome"/);
  });

  it('of a program that goes to another folder: it is where it was', async () => {
    const before = process.cwd();
    try {
      process.chdir(homes[0].path);
      const tune = tuneFor(server.client, { home: 'journal' });
      const { id } = await tune.apply({ evictionTarget: 75 }, DO);
      process.chdir(homes[1].path);
      assert.equal((await tune.undo(DO)).undoes, id);
    } finally {
      process.chdir(before);
    }
  });
});
