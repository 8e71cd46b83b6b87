'use strict';

/**
 * Without { confirm: true } in that very call no command of a split writes anything, whatever phase
 * it is in.
 */
const assert = require('node:assert/strict');
const { contextOf } = require('../../support/context');
const { planOf, useSet } = require('../../support/split');

const DO = Object.freeze({ confirm: true });
const WRITING = Object.freeze(
  new Set([
    'applyOps',
    'collMod',
    'create',
    'createIndexes',
    'delete',
    'drop',
    'dropIndexes',
    'findAndModify',
    'insert',
    'killOp',
    'killSessions',
    'renameCollection',
    'setParameter',
    'update',
  ]),
);
const VERBS = Object.freeze(['run', 'resume', 'verify', 'cutover', 'abort', 'rollback', 'finish']);
const command = (/** @type {string} */ verb) => require(`../../../lib/commands/split-${verb}`).run;
const OPTIONS = Object.freeze({
  resume: [{}, { restart: true }, { follow: true }],
  verify: [{}, { repair: true }],
  rollback: [{}, { lost: true }],
  abort: [{}, { keepCopy: true }],
  cutover: [{}, { reads: 'view' }, { guardian: false }],
  finish: [{}, { open: true }],
  run: [{}],
});

describe('a split without confirm', function () {
  this.timeout(120_000);
  let client;
  useSet((set) => {
    ({ client } = set);
  });

  /**
   * @param {{ lets?: boolean }} [options] `lets`: what writes may pass
   * @returns {{ ctx: any, written: string[] }}
   */
  function recorded({ lets = false } = {}) {
    const ctx = contextOf(client);
    /** @type {string[]} */ const written = [];
    const send = ctx.port.command;
    ctx.port.command = async (database, spec) => {
      const [name] = Object.keys(spec);
      if (WRITING.has(name) || JSON.stringify(spec.pipeline ?? []).match(/"\$(merge|out)"/))
        written.push(name);
      return send(database, spec);
    };
    ctx.port.adminCommand = (spec) => ctx.port.command('admin', spec);
    if (!lets)
      ctx.port.transaction = () => {
        written.push('transaction');
        throw new Error('no transaction is needed');
      };
    return { ctx, written };
  }

  it('writes nothing, in any phase and with any option', async () => {
    await client
      .db('app')
      .collection('c')
      .insertMany(Array.from({ length: 50 }, (_, i) => ({ _id: i })));
    const plan = await planOf(client, { moves: [{ ns: 'app.c', into: 'app2.c' }] });
    const reach = ['run', 'cutover', 'rollback', 'finish'];
    let calls = 0;
    for (let phase = 0; ; phase += 1) {
      for (const verb of VERBS) {
        for (const options of OPTIONS[/** @type {keyof typeof OPTIONS} */ (verb)]) {
          const { ctx, written } = recorded();
          const [split] = await client.db('tune').collection('splits').find().toArray();
          const of = verb === 'run' ? [plan] : [split && plan.id].filter(Boolean);
          await command(verb)(ctx, ...of, options).catch((/** @type {any} */ error) =>
            assert.match(error.code, /^TUNE-35/),
          );
          assert.deepEqual(written, [], `${verb} ${JSON.stringify(options)} in ${split?.phase}`);
          const [after] = await client.db('tune').collection('splits').find().toArray();
          assert.deepEqual(after, split);
          calls += 1;
        }
      }
      if (phase === reach.length) break;
      const { ctx, written } = recorded({ lets: true });
      await command(reach[phase])(ctx, phase === 0 ? plan : plan.id, DO);
      assert.ok(written.includes('findAndModify'), 'with confirm it is seen');
    }
    assert.equal(calls, 5 * Object.values(OPTIONS).flat().length);
  });
});
