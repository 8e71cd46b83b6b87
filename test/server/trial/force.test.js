'use strict';

const assert = require('node:assert/strict');
const { useTrialServer } = require('../../support/trial');
const { writeLine } = require('../../../lib/change/journal');
const { readServerRun } = require('../../../lib/server/identity');
const { run: apply } = require('../../../lib/commands/apply');

describe('a trial after a shell of another computer that has ended without a word', () => {
  const place = useTrialServer('paced');

  it('begins with the { force: true } that the refusal tells to pass, as tune.apply() does', async () => {
    const { home, port } = place.context();
    const { version, ...run } = await readServerRun(port);
    writeLine(home, {
      kind: 'intent',
      id: '20260101000000-abcdef',
      at: new Date().toISOString(),
      atMs: Date.now(),
      action: 'apply',
      undoes: null,
      host: run.host,
      version,
      run,
      change: { evictionThreadsMax: 6 },
      before: { evictionThreadsMax: 4 },
      commands: ['eviction=(threads_max=6)'],
      was: '',
      writerPid: 1,
      writer: {
        host: 'another-computer',
        bootId: 'another',
        bootedAtMs: 0,
        pidNamespace: null,
        startedTicks: null,
      },
    });
    await assert.rejects(
      place.run({ evictionTarget: 75 }, { blocks: 4, blockSeconds: 1 }),
      (error) => error.code === 'TUNE-30010' && /pass \{ force: true \}/.test(error.message),
    );
    const changed = await apply(
      place.context(),
      { evictionTarget: 79 },
      { confirm: true, force: true },
    );
    assert.equal(changed.verified, true);
    const done = await place
      .run({ evictionTarget: 75 }, { blocks: 4, blockSeconds: 1, force: true })
      .catch((error) => error);
    assert.equal(done.code, undefined, done.message);
  });
});
