'use strict';

const assert = require('node:assert/strict');
const { useThreeMembers } = require('../../support/one-set');
const { run: apply } = require('../../../lib/commands/apply');
const { run: undo } = require('../../../lib/commands/undo');
const { run: trial } = require('../../../lib/commands/trial');

/** @param {ReturnType<typeof import('../../support/context').contextOf>} ctx */
const lastStringOf = async ({ port }) =>
  String(
    (await port.adminCommand({ getParameter: 1, wiredTigerEngineRuntimeConfig: 1 }))
      .wiredTigerEngineRuntimeConfig,
  );

const ALL = Object.freeze({ members: /** @type {const} */ ('all'), confirm: true });

describe('two changes that go from member to member', function () {
  this.timeout(120_000);
  const place = useThreeMembers();
  const { context } = place;

  it('begun at the same moment: one of them is refused', async () => {
    const done = await Promise.allSettled([
      apply(context(), { evictionThreadsMax: 6 }, ALL),
      apply(context(), { evictionTarget: 75 }, ALL),
    ]);
    assert.equal(
      done.filter(({ status }) => status === 'fulfilled').length,
      1,
      done.map((one) => one.reason?.message ?? 'done').join('\n'),
    );
  });

  it('between two members nothing else is begun on one of them without force', async () => {
    const { set } = place;
    const [first] = set.hosts.filter((one) => one !== set.client.options.hosts[0].toString());
    const other = await place.at(first);
    const DO = { confirm: true };
    const { id } = await apply(other, { evictionDirtyTarget: 4 }, DO);
    /** @type {Record<string, () => Promise<any>>} */
    const begun = {
      apply: () => apply(other, { evictionDirtyTrigger: 21 }, DO),
      undo: () => undo(other, id, DO),
      trial: () => trial(other, { evictionTarget: 74 }, { ...DO, blocks: 4, blockSeconds: 1 }),
    };
    /** @type {Record<string, string>} */
    const became = {};
    const ctx = context();
    let calls = 0;
    const own = {
      ...ctx,
      connect: async (/** @type {string} */ host) => {
        const connected = await ctx.connect(host);
        const adminCommand = async (/** @type {any} */ command) => {
          if (command.setParameter && (calls += 1) === 2)
            for (const [what, begin] of Object.entries(begun))
              became[what] = await begin().then(
                () => 'done',
                ({ code }) => code,
              );
          return connected.port.adminCommand(command);
        };
        return { ...connected, port: { ...connected.port, adminCommand } };
      },
    };
    const { id: group } = await apply(own, { evictionThreadsMax: 7 }, ALL);
    const refused = 'TUNE-30010';
    assert.deepEqual(became, { apply: refused, undo: refused, trial: refused });
    await apply(other, { evictionDirtyTrigger: 23 }, DO);
    await undo(context(), group, DO);
    assert.doesNotMatch(await lastStringOf(other), /threads_max=7/);
  });
});
