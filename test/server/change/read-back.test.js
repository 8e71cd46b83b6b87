'use strict';

const assert = require('node:assert/strict');
const { useServer } = require('../../support/one-server');
const { readLines } = require('../../../lib/change/journal');
const { run: apply } = require('../../../lib/commands/apply');
const { entriesOf } = require('../../../lib/change/pure/journal');

describe('a connection that is lost while a change is read back', function () {
  this.timeout(60_000);
  const place = useServer();

  it('the error says what is in effect and how to undo it, and the entry is closed', async () => {
    const ctx = place.context();
    const { adminCommand } = ctx.port;
    let [isSet, isRead] = [false, false];
    ctx.port.adminCommand = async (command) => {
      if (isRead && command.getParameter)
        throw Object.assign(new Error('connection 7 closed'), { name: 'MongoNetworkError' });
      const answer = await adminCommand(command);
      isRead ||= isSet && Boolean(command.getLog);
      isSet ||= Boolean(command.setParameter);
      return answer;
    };
    const error = await apply(ctx, { evictionTarget: 75 }, { confirm: true }).catch((one) => one);
    const [entry] = entriesOf(readLines(place.home.path).lines);
    assert.match(error.message, /Active of this change: \{ evictionTarget: 75 \}/);
    assert.equal(error.undo, `tune.undo("${entry.id}", { confirm: true })`);
    assert.ok(
      entry.outcome !== 'unknown' || entry.reason !== null,
      'nobody may say that it is over',
    );
  });

  it('also where it is lost while what is in effect now is looked at for the answer', async () => {
    const ctx = place.context();
    const { adminCommand } = ctx.port;
    const isOver = () => entriesOf(readLines(place.home.path).lines).at(-1)?.outcome === 'applied';
    let isSet = false;
    ctx.port.adminCommand = async (command) => {
      if (isSet && isOver())
        throw Object.assign(new Error('connection 7 closed'), { name: 'MongoNetworkError' });
      isSet ||= Boolean(command.setParameter);
      return adminCommand(command);
    };
    const done = await apply(ctx, { evictionThreadsMax: 6 }, { confirm: true }).catch((one) => one);
    const entry = entriesOf(readLines(place.home.path).lines).at(-1);
    assert.deepEqual([entry?.outcome, entry?.change], ['applied', { evictionThreadsMax: 6 }]);
    assert.equal(done.undo, `tune.undo("${entry?.id}", { confirm: true })`, done.message);
  });
});
