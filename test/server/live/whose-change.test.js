'use strict';

const assert = require('node:assert/strict');
const path = require('node:path');
const { execFile } = require('node:child_process');
const { run: apply } = require('../../../lib/commands/apply');
const { run: history } = require('../../../lib/commands/history');
const { run: settings } = require('../../../lib/commands/settings');
const { run: undo } = require('../../../lib/commands/undo');
const { makeUnfinishedNotice } = require('../../../lib/shell/install');
const { useThreeMembers } = require('../../support/one-set');

const CONFIRM = Object.freeze({ confirm: true });
const DYING = path.join(__dirname, '../../support/dying-group.js');

describe('whose change the shell of a set undoes and reports', function () {
  this.timeout(120_000);
  const our = useThreeMembers();

  /** @param {string} calls @param {object} change @param {string} members */
  const dies = (calls, change, members) =>
    new Promise((resolve) => {
      const args = [DYING, our.set.uri, our.home.path, calls, JSON.stringify(change), members];
      execFile(process.execPath, args, () => resolve(undefined));
    });
  /** @param {any} [port] @returns {Promise<string[]>} what the next command says before its answer */
  const notice = async (port = our.context().port) => {
    /** @type {string[]} */
    const said = [];
    const report = makeUnfinishedNotice({ home: our.home.path, notify: (text) => said.push(text) });
    await report('status', port);
    return said;
  };
  /** @param {string} name */
  const values = (name) =>
    Promise.all(
      our.set.hosts.map(
        async (/** @type {string} */ host) =>
          /** @type {any} */ (await settings(await our.at(host)))[name].value,
      ),
    );
  afterEach(async () => {
    for (const host of our.set.hosts)
      await apply(
        await our.at(host),
        { evictionTarget: 80, evictionTrigger: 95, evictionThreadsMax: 4 },
        { confirm: true, force: true },
      );
  });

  it('undoes the change of the secondaries, not an older one of the primary', async () => {
    const older = await apply(our.context(), { evictionThreadsMax: 8 }, CONFIRM);
    const change = await apply(
      our.context(),
      { evictionTarget: 75 },
      { members: 'secondaries', confirm: true },
    );
    const listed = await history(our.context());
    assert.deepEqual(
      listed.map(({ group, outcome }) => [group, outcome]),
      [
        [null, 'applied'],
        [change.id, 'applied'],
        [change.id, 'applied'],
      ],
    );
    const undone = await undo(our.context(), CONFIRM);
    assert.equal(undone.undoes, change.id);
    assert.deepEqual(await values('evictionTarget'), [80, 80, 80]);
    assert.equal((await undo(our.context())).undoes, older.id);
  });

  it('undoes a change of all where the primary had the value before', async () => {
    await apply(our.context(), { evictionTrigger: 93 }, CONFIRM);
    const change = await apply(
      our.context(),
      { evictionTrigger: 93 },
      { members: 'all', confirm: true },
    );
    assert.equal((await undo(our.context())).undoes, change.id);
  });

  it('reports what a killed shell left on the secondaries, and a mongos does, too', async () => {
    await dies('1', { evictionTarget: 76 }, 'secondaries');
    assert.equal((await notice()).length, 1);
    assert.equal((await history(our.context())).length, 1);
    const { port } = our.context();
    /** No mongos runs here; this is its hello. @param {any} command */
    const adminCommand = async (command) => {
      if (command.hello) return { msg: 'isdbgrid', ok: 1 };
      if (command.listShards)
        return { shards: [{ _id: 'a', host: `rs/${our.set.hosts.join(',')}` }], ok: 1 };
      return command.serverStatus
        ? { host: 'mongos1:27017', version: '6.0.5', pid: 1, localTime: new Date(), ok: 1 }
        : port.adminCommand(command);
    };
    assert.equal((await notice({ ...port, adminCommand })).length, 1);
    const undone = await undo(our.context(), CONFIRM);
    assert.deepEqual(await values('evictionTarget'), [80, 80, 80]);
    assert.equal(undone.verified, true);
  });

  it('names the last change of the former primary, and undoes no older one here', async () => {
    const first = await our.set.primary();
    const older = await apply(our.context(), { evictionThreadsMax: 8 }, CONFIRM);
    await our.set.electAnother();
    const last = await apply(our.context(), { evictionTarget: 75 }, CONFIRM);
    const elected = await our.set.primary();
    while ((await our.set.primary()) !== first) await our.set.electAnother();
    await assert.rejects(undo(our.context(), CONFIRM), (/** @type {any} */ error) => {
      assert.equal(error.code, 'TUNE-20010');
      assert.match(error.message, new RegExp(String(last.id)));
      return true;
    });
    assert.equal((await undo(await our.at(first), String(older.id))).undoes, older.id);
    const undone = await undo(await our.at(elected), String(last.id), CONFIRM);
    assert.equal(undone.undoes, last.id);
  });
});
