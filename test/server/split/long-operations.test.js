'use strict';

/**
 * An ordinary operation of an application on the source that takes a while: the guide says that a
 * read or a write under way at the cutover may end with error 175.
 */
const assert = require('node:assert/strict');
const { contextOf } = require('../../support/context');
const { ALONE, beginSplit } = require('../../support/begun-split');
const { isCut, stepsOf } = require('../../support/split-steps');
const { useSet } = require('../../support/split');
const { sleep } = require('../../../lib/base/context');
const { run: splitCutover } = require('../../../lib/commands/split-cutover');

const never = new AbortController().signal;

/** @type {Record<string, (source: any) => Promise<unknown>>} */
const OPERATIONS = {
  'a query that reads the whole collection': (source) =>
    source.find({ $where: 'sleep(4) || false' }).toArray(),
  'an updateMany of the whole collection': (source) =>
    source.updateMany({ $where: 'sleep(4) || true' }, { $inc: { n: 1 } }),
};

describe('a cutover while an operation on the source is under way', function () {
  this.timeout(300_000);
  let client;
  useSet((set) => {
    ({ client } = set);
  });

  for (const [what, operate] of Object.entries(OPERATIONS))
    it(`${what}: it is cut over`, async () => {
      const split = await beginSplit(client, contextOf(client), {
        documents: Array.from({ length: 30_000 }, (_, i) => ({ _id: i })),
      });
      const counted = contextOf(client);
      const { command } = counted.port;
      const codes = [];
      counted.port.command = async (database, spec) => {
        const isSent = spec.applyOps && spec.comment && isCut(stepsOf(spec));
        return command(database, spec).then(
          (answer) => {
            if (isSent) codes.push('done');
            return answer;
          },
          (error) => {
            if (isSent) codes.push(error.code);
            throw error;
          },
        );
      };
      counted.port.adminCommand = (spec) => counted.port.command('admin', spec);
      const began = performance.now();
      let endedMs = null;
      const operation = operate(split.from)
        .then(
          () => 'to its end',
          (error) => error.code,
        )
        .then((how) => {
          endedMs = performance.now() - began;
          return how;
        });
      await sleep(500, never);
      const error = await splitCutover(counted, split.id, ALONE).then(
        () => null,
        (one) => one,
      );
      const isOver = endedMs !== null;
      if (!isOver) {
        const { inprog } = await client
          .db('admin')
          .command({ currentOp: 1, ns: { $in: [`app.${split.name}`] } });
        for (const { opid } of inprog) await client.db('admin').command({ killOp: 1, op: opid });
      }
      await operation;
      assert.equal(error, null);
      assert.ok(codes.length < 10, `${codes.length} tries`);
    });
});
