'use strict';

/**
 * A shell of its own whose trial ends while something fails, and that stays open:
 * `node trial-elsewhere.js HOW URI HOME`, forked. HOW is `journal` (from the first switch on the
 * journal cannot be written, until "mend" is sent) or `server` (the server takes no call back).
 * It sends what became of the trial.
 */
const fs = require('node:fs');
const { MongoClient } = require('mongodb');
const { journalPath } = require('../../lib/change/journal');
const { run: trial } = require('../../lib/commands/trial');
const { contextOf } = require('./context');

const [how, uri, home] = process.argv.slice(2);
const file = journalPath(home);
const AFTER_MS = 500;

/** @param {MongoClient} client */
async function run(client) {
  const stop = new AbortController();
  const ctx = contextOf(client, { home, signal: stop.signal });
  const { adminCommand } = ctx.port;
  let calls = 0;
  ctx.port.adminCommand = async (command) => {
    if (command.setParameter && (calls += 1) > 1 && how === 'server') throw new Error('not today');
    const answer = await adminCommand(command);
    if (command.setParameter && calls === 1) {
      setTimeout(() => {
        if (how === 'journal') breakJournal();
        stop.abort();
      }, AFTER_MS);
    }
    return answer;
  };
  const done = await trial(
    ctx,
    { evictionTarget: 75 },
    { confirm: true, blocks: 4, blockSeconds: 2 },
  ).catch((error) => error);
  process.send?.({
    code: done.code ?? null,
    effective: done.effective ?? null,
    said: String(done),
  });
  setInterval(() => {}, AFTER_MS);
}

function breakJournal() {
  fs.renameSync(file, `${file}.kept`);
  fs.mkdirSync(file);
}

process.on('message', () => {
  fs.rmdirSync(file);
  fs.renameSync(`${file}.kept`, file);
});
void new MongoClient(uri).connect().then(run);
