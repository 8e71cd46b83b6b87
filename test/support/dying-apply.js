'use strict';

/**
 * A shell that dies in the middle of tune.apply, or of tune.undo where CHANGE is "undo":
 * `node dying-apply.js URI HOME MOMENT CHANGE`. MOMENT is `begun` (the journal knows only what is
 * planned), `asked-N` (before the Nth call reaches the server) or `answered-N` (before its answer
 * is written down). To it the disk is a slow one, so that a cache shrinks by many sizes.
 */
const fs = require('node:fs');
const { MongoClient } = require('mongodb');
const { journalPath } = require('../../lib/change/journal');
const { run: apply } = require('../../lib/commands/apply');
const { run: undo } = require('../../lib/commands/undo');
const { contextOf } = require('./context');
const { onSlowDisk } = require('./engine');

const [uri, home, moment, change] = process.argv.slice(2);
const die = () => process.kill(process.pid, 'SIGKILL');

/** @param {MongoClient} client */
async function run(client) {
  const ctx = onSlowDisk(contextOf(client, { home }));
  const { adminCommand } = ctx.port;
  let calls = 0;
  ctx.port.adminCommand = async (command) => {
    if (moment === 'begun' && fs.existsSync(journalPath(home))) die();
    if (!command.setParameter) return adminCommand(command);
    calls += 1;
    if (moment === `asked-${calls}`) die();
    const answer = await adminCommand(command);
    if (moment === `answered-${calls}`) die();
    return answer;
  };
  await (change === 'undo'
    ? undo(ctx, { confirm: true })
    : apply(ctx, JSON.parse(change), { confirm: true }));
  await client.close();
}

void new MongoClient(uri).connect().then(run);
