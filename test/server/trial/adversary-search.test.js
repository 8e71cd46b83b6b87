'use strict';

const assert = require('node:assert/strict');
const { startReplicaSet } = require('../../support/server');
const { startWorkload } = require('../../support/workload');
const { contextOf } = require('../../support/context');
const { temporaryFolder } = require('../../support/cleanup');
const { readLines } = require('../../../lib/change/journal');
const { entriesOf } = require('../../../lib/change/pure/journal');
const { examine } = require('../../../lib/observe/settings');
const { searchOne } = require('../../../lib/trial/search');

describe('a search whose set elects another primary between two trials', function () {
  this.timeout(240_000);
  /** @type {Awaited<ReturnType<typeof startReplicaSet>>} */ let set;
  /** @type {Awaited<ReturnType<typeof startWorkload>> | undefined} */ let load;
  /** @type {{ path: string, remove(): void }} */ let home;
  before(async () => {
    set = await startReplicaSet({ members: 3 });
    home = temporaryFolder('home');
    load = await startWorkload(set.uri, 'paced');
  });
  after(async () => {
    await load?.stop();
    await set?.stop();
    home?.remove();
  });

  it('does not go on with the settings of a member that nobody meant', async () => {
    const old = await set.primary();
    const there = (await set.connect(set.uriOf(old))).db('admin');
    const ctx = contextOf(set.client, { home: home.path });
    const { adminCommand } = ctx.port;
    let isMoved = false;
    ctx.port.adminCommand = async (command) => {
      if (
        !isMoved &&
        entriesOf(readLines(home.path).lines).some(({ outcome }) => outcome === 'undone')
      ) {
        isMoved = true;
        await there.command({ replSetStepDown: 60, secondaryCatchUpPeriodSecs: 10 });
        for (const end = Date.now() + 30_000; Date.now() < end;) {
          const now = await set.primary().catch(() => undefined);
          if (now !== undefined && now !== old) break;
        }
      }
      return adminCommand(command);
    };
    const { facts } = await examine(ctx);
    /** @type {any} */
    const search = {
      facts,
      metric: 'opsPerSec',
      guard: {},
      endsAtMs: performance.now() + 90_000,
      path: [],
      ended: null,
      endedBecause: null,
    };
    /** @type {any} */
    const dimension = { changes: [{ evictionThreadsMax: 6 }, { evictionThreadsMax: 8 }] };
    await searchOne(ctx, search, dimension).catch((error) => {
      search.endedBecause = error.message;
    });
    const hosts = entriesOf(readLines(home.path).lines).map(
      ({ host, sent }) => `${host}: ${sent.map(({ command }) => command).join(' ')}`,
    );
    assert.equal(
      new Set(entriesOf(readLines(home.path).lines).map(({ host }) => host)).size,
      1,
      `${hosts.join('\n')}\n${search.ended} ${search.endedBecause}`,
    );
  });
});
