'use strict';

/** An error that comes after the server has set what was asked, such as from a proxy. */
const assert = require('node:assert/strict');
const { MongoServerError } = require('mongodb');
const { entriesOf } = require('../../../lib/change/pure/journal');
const { readLines } = require('../../../lib/change/journal');
const { run: apply } = require('../../../lib/commands/apply');
const { run: undo } = require('../../../lib/commands/undo');
const { aroundAll, aroundCall } = require('../../support/around-command');
const { useServer } = require('../../support/one-server');

const DO = Object.freeze({ confirm: true });

describe('an error of the server after a call has set what was asked', function () {
  this.timeout(60_000);
  const place = useServer({
    config: 'eviction_target=80,eviction=(threads_max=4),cache_size=300M',
  });

  for (const change of [
    { evictionTarget: 75 },
    { cacheSizeGB: 0.5 },
    { evictionTarget: 75, evictionThreadsMax: 6 },
  ])
    it(`is no refusal, and the change can be undone: ${Object.keys(change)}`, async () => {
      const after = async () => {
        throw new MongoServerError({ ok: 0, code: 8, errmsg: 'after the call' });
      };
      const done = await apply(aroundCall(place.context(), { after }), change, DO);
      assert.deepEqual([done.verified, done.after], [true, change]);
      const [{ outcome, sent }] = entriesOf(readLines(place.home.path).lines);
      assert.deepEqual([outcome, sent.length], ['applied', Object.keys(change).length]);
      const back = await undo(place.context(), DO);
      assert.deepEqual([back.verified, back.undoes], [true, done.id]);
    });

  // HostUnreachable, HostNotFound, NetworkTimeout, SocketException.
  for (const code of [6, 7, 89, 9001])
    for (const isDown of [false, true])
      it(`error ${code} of a proxy while the server is still at work is no refusal either${isDown ? ', also to the next two' : ''}`, async () => {
        /** @type {Promise<unknown> | null} */ let late = null;
        let failed = 0;
        const noAnswer = () => new MongoServerError({ ok: 0, code, errmsg: 'no answer' });
        const ctx = aroundAll(place.context(), async (command, next) => {
          if (late !== null && isDown && (failed += 1) <= 2) throw noAnswer();
          if (!command.setParameter || late !== null) return next();
          late = new Promise((resolve) => {
            setTimeout(resolve, 500);
          }).then(next);
          throw noAnswer();
        });
        await assert.rejects(apply(ctx, { evictionTarget: 75 }, DO), {
          code: 'TUNE-20006',
          message: /The call "eviction_target=75" .*no answer/,
        });
        const entries = () => entriesOf(readLines(place.home.path).lines);
        assert.deepEqual(entries()[0].outcome, 'unknown');
        await late;
        const back = await undo(place.context(), DO);
        assert.deepEqual([back.verified, back.change], [true, { evictionTarget: 80 }]);
        assert.equal(entries()[0].outcome, 'undone');
      });
});
