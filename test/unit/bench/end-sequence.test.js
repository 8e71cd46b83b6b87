'use strict';

const assert = require('node:assert/strict');
const { ChangeRun } = require('../../../lib/change/change-run');
const { endAt } = require('../../../lib/bench/end-sequence');
const { temporaryFolder } = require('../../support/cleanup');

/** RECONFIGURING of the server's log. */
const LOG_ID = 22376;
const logLine = (config, atMs) =>
  JSON.stringify({ t: new Date(atMs).toISOString(), id: LOG_ID, ctx: 'c', attr: { config } });
const THEIRS = 'eviction_dirty_target=3';
const OWN = 'eviction_dirty_target=4';

describe('bench/end-sequence', () => {
  const folder = temporaryFolder('end-sequence');
  after(() => folder.remove());

  it('what another session set, lost to a call of ours, and set again is not overwritten', async () => {
    let shown = 'start';
    const log = [logLine(THEIRS, 1500), logLine(OWN, 2000), logLine(THEIRS, 3000)];
    const port = {
      adminCommand: async (command) => {
        if (command.getParameter) return { wiredTigerEngineRuntimeConfig: shown, ok: 1 };
        return command.getLog ? { log, totalLinesWritten: log.length } : { ok: 1 };
      },
    };
    const ctx = { port, home: folder.path, signal: new AbortController().signal, progress() {} };
    const changeRun = new ChangeRun({
      ctx,
      plan: { change: { evictionDirtyTarget: 4 }, before: { evictionDirtyTarget: 5 } },
      settings: {
        history: { lastString: 'start', sets: [] },
        run: { host: null, pid: null, processId: null, startedAtMs: null, clockMs: 0 },
        config: {},
      },
      id: 'x',
      atMs: 1000,
    });
    const step = { kind: 'set', change: { evictionDirtyTarget: 4 }, config: OWN };
    changeRun.sending(step, 2000);
    changeRun.accepted(step, { atMs: 2000, was: THEIRS });
    shown = THEIRS;
    const sent = [];
    await endAt(changeRun, {
      before: { evictionDirtyTarget: 5 },
      keep: null,
      go: async (wanted) => sent.push(wanted),
    });
    assert.deepEqual(sent, [{}]);
  });
});
