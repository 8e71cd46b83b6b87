'use strict';

/**
 * Another session drops the database tune while a collection is cut over or rolled back: no command
 * can go on, so the message says where the documents are, and what it names by hand opens them.
 */
const assert = require('node:assert/strict');
const { ALONE, BEFORE, beginSplit, takesWrites } = require('../../support/begun-split');
const { contextOf } = require('../../support/context');
const { saysPhase, useSet } = require('../../support/split');
const { run: splitCutover } = require('../../../lib/commands/split-cutover');
const { run: splitRollback } = require('../../../lib/commands/split-rollback');

const VERBS = { cutover: splitCutover, rollback: splitRollback };

describe('the record of a split, dropped by another session', function () {
  this.timeout(180_000);
  let client;
  let ctx;
  useSet((set) => {
    ({ client, ctx } = set);
  });

  /** A shell of which the record is dropped as soon as it says that phase. */
  function robbedAt(phase) {
    const own = contextOf(client);
    let dropped;
    own.progress = (text) => {
      if (saysPhase(text, phase)) dropped ??= client.db('tune').dropDatabase();
    };
    const { command } = own.port;
    own.port.command = async (db, spec) => {
      await dropped;
      return command(db, spec);
    };
    own.port.adminCommand = (spec) => own.port.command('admin', spec);
    return own;
  }

  const MOMENTS = [
    ['cutover', 'following', 'app'],
    ['cutover', 'cutting', 'app'],
    ['cutover', 'draining', 'app'],
    ['cutover', 'switching', 'app'],
    ['rollback', 'switched', 'app2'],
    ['rollback', 'cutting-back', 'app2'],
    ['rollback', 'draining-back', 'app2'],
    ['rollback', 'switching-back', 'app2'],
  ];
  for (const [verb, phase, db] of MOMENTS)
    it(`in a ${verb} at ${phase}: the message leads to all documents`, async () => {
      const { id, name } = await beginSplit(client, ctx, { switched: verb === 'rollback' });
      const error = await VERBS[verb](robbedAt(phase), id, ALONE).then(
        () => null,
        (one) => one,
      );
      assert.equal(error?.code, 'TUNE-35012', error?.message);
      assert.doesNotMatch(error.message, /Another shell|tune\.split\.(?!status)/);
      const view = /Drop the view (\S+?),.*renameCollection: "([^"]+)", to: "([^"]+)"/s.exec(
        error.message,
      );
      if (view) {
        const [, ns, renamed, to] = view;
        const [viewDb, viewName] = [ns.slice(0, ns.indexOf('.')), ns.slice(ns.indexOf('.') + 1)];
        await client.db(viewDb).collection(viewName).drop();
        await client.db('admin').command({ renameCollection: renamed, to });
      } else
        assert.match(error.message, new RegExp(`${db}\\.${name} has all documents and is active`));
      assert.deepEqual(await takesWrites(client, name), [db]);
      assert.equal(await client.db(db).collection(name).countDocuments(), BEFORE);
    });
});
