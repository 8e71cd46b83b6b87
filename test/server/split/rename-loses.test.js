'use strict';

const assert = require('node:assert/strict');
const { startRegister, until, useSet } = require('../../support/split');

const MAJORITY = Object.freeze({ w: 'majority' });
/** It does not lose something every time. */
const MAX_ROUNDS = 20;
const WRITERS = 16;

describe('what a split is for: renameCollection to another database, under load', function () {
  this.timeout(300_000);
  let client;
  useSet(
    (set) => {
      ({ client } = set);
    },
    { members: 3 },
  );

  /**
   * @returns {Promise<{ acknowledged: number, lost: number, unexpected: number }>} `lost`: in neither
   *   place; `unexpected`: in a new collection of the old name
   */
  async function renamed(round) {
    const name = `c${round}`;
    const from = client.db('app').collection(name);
    await from.insertMany(
      Array.from({ length: 5000 }, (_, i) => ({ _id: i, pad: 'y'.repeat(100) })),
      { writeConcern: MAJORITY },
    );
    const register = startRegister(client, {
      db: 'app',
      name,
      writers: WRITERS,
      writeConcern: MAJORITY,
    });
    await until(() => register.counts.acknowledged > 100);
    await client
      .db('admin')
      .command({ renameCollection: `app.${name}`, to: `app2.${name}`, writeConcern: MAJORITY });
    const { acknowledged } = register.counts;
    await register.stop();
    const unexpected = new Map((await from.find().toArray()).map(({ _id, v }) => [_id, v]));
    // A delete that met an empty collection said so; an insert or an update that is nowhere was
    // acknowledged like any other.
    const missing = (await register.differences('app2', name)).filter(
      ({ expected }) => typeof expected === 'number',
    );
    const lost = missing.filter(({ _id, expected }) => unexpected.get(_id) !== expected);
    return { acknowledged, lost: lost.length, unexpected: missing.length - lost.length };
  }

  it('loses writes that were acknowledged by a majority, and the register finds them', async () => {
    let all = { rounds: 0, acknowledged: 0, lost: 0, unexpected: 0 };
    while (all.lost === 0 && all.rounds < MAX_ROUNDS) {
      const { acknowledged, lost, unexpected } = await renamed(all.rounds);
      all = {
        rounds: all.rounds + 1,
        acknowledged: all.acknowledged + acknowledged,
        lost: all.lost + lost,
        unexpected: all.unexpected + unexpected,
      };
    }
    process.stdout.write(`\n      ${JSON.stringify(all)}\n`);
    assert.ok(all.lost > 0, `nothing was lost in ${all.rounds} rounds`);
  });
});
