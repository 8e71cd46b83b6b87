'use strict';

const assert = require('node:assert/strict');
const { setTimeout: sleep } = require('node:timers/promises');
const { usePatient, warns } = require('../../support/patient');
const { runMongosh } = require('../../support/mongosh');
const { run: advise } = require('../../../lib/commands/advise');
const { recommendationFor } = require('../../../lib/diagnose/recommendation');

/**
 * @import { Finding } from '../../../lib/base/pure/finding'
 */

// From 30 s on a snapshot counts as old, computed in writes; a transaction that is open for 10 s is
// found by the commands.
const OLD_MS = 30_000;
const OPEN_MS = 10_500;
const ATTEMPTS = 6;

describe('a snapshot that an idle transaction holds open under updates', () => {
  const patient = usePatient({ members: [{}] });
  const holdOpen = async () => {
    const session = patient.server.client.startSession();
    session.startTransaction({ readConcern: { level: 'snapshot' } });
    const read = () => patient.server.db('load').collection('steady').findOne({}, { session });
    await read();
    return { read, end: () => session.endSession() };
  };
  /** @param {boolean} wanted whether rule pinned-ids is to warn */
  const until = async (wanted) => {
    for (let attempts = 1; ; attempts += 1) {
      const advice = await advise(patient.ctx, { seconds: 4, includeHost: false });
      if (warns(advice, 'pinned-ids') === wanted) return advice;
      assert.ok(attempts < ATTEMPTS, `${advice}`);
    }
  };
  const mongosh = async (/** @type {string} */ line) => {
    const { code, stdout, stderr } = await runMongosh([
      patient.server.uri,
      '--quiet',
      '--eval',
      line,
    ]);
    assert.equal(code, 0, stdout + stderr);
  };

  it('is warned of, with no setting to change; carried out as it stands in mongosh the advice ends it', async () => {
    await patient.load('steady');
    const transaction = await holdOpen();
    await sleep(OLD_MS);
    const advice = await until(true);
    assert.deepEqual([advice.change, advice.conf], [null, null], `${advice}`);
    const { message, advice: todo } = /** @type {Finding} */ (
      advice.findings.find(({ rule }) => rule === 'pinned-ids')
    );
    assert.match(
      message,
      /^The oldest snapshot pins [\d,]+ transaction ids \(about .* of writes\)\.$/,
    );
    const [find, end] = [/db\.currentOp\(.*? \} \}\)/, /db\.adminCommand\(.*\)$/].map(
      (command) => command.exec(String(todo))?.[0],
    );
    assert.ok(find && end, String(todo));
    await mongosh(`const [{ lsid }] = ${find}.inprog; ${end}`);
    await assert.rejects(transaction.read(), /aborted|NoSuchTransaction/);
    await until(false);
    await transaction.end();
  });

  it('all that are found at once: the other command, which a verdict brings', async () => {
    const transaction = await holdOpen();
    await sleep(OPEN_MS);
    const line = String(
      /To end all of them, which rolls back their work: (.*)$/m.exec(
        recommendationFor('history', {}).explain.join('\n'),
      )?.[1],
    );
    await mongosh(line);
    await assert.rejects(transaction.read(), /aborted|NoSuchTransaction/);
    await mongosh(line);
    await patient.server.db('load').collection('steady').findOne({});
    await transaction.end();
  });
});
