'use strict';
// Commands that do at Ctrl-C what real ones do only for moments. Loaded into a mongosh by the tests
// of interrupts.

const fs = require('node:fs');
const { TuneError } = require('../../../lib/base/pure/errors');
const { sleep } = require('../../../lib/base/context');
const { install } = require('../../../lib/shell/install');
const { listed } = require('../../support/listed');

/** @param {string} line into the file that the test reads */
const log = (line) => fs.appendFileSync(process.env.TUNE_TEST_LOG, `${line}\n`);
const pause = (ms) =>
  new Promise((resolve) => {
    setTimeout(resolve, ms);
  });
const untilAborted = (signal) => {
  log('at work');
  return sleep(60_000, signal).catch(() => {});
};
const entry = (run, more = {}) => listed(run, { takes: ['options'], ...more });

const TABLE = {
  /** Hands over what it saw, as advise does. */
  sample: entry(async ({ signal }) => {
    await untilAborted(signal);
    return { seen: 'so far' };
  }),
  /** As watch: Ctrl-C is its end. */
  follow: entry(
    async ({ signal }) => {
      await untilAborted(signal);
      return { seen: 'all' };
    },
    { endsByInterrupt: true },
  ),
  /**
   * In the middle of a change when Ctrl-C comes: it needs the connection and some time to write
   * down what became of it.
   */
  change: entry(
    async ({ port, signal }) => {
      await untilAborted(signal);
      log('change: interrupted');
      await pause(1500);
      const { ok } = await port.adminCommand({ ping: 1 });
      log(`change: outcome written, server answered ok ${ok}`);
      throw new TuneError('TUNE-30005', 'The change was taken back.');
    },
    { changes: 'settings' },
  ),
  /** A change whose answer never comes. */
  stuck: entry(
    async ({ signal }) => {
      await untilAborted(signal);
      await pause(60_000);
    },
    { changes: 'settings' },
  ),
  /** A defect: goes on whatever happens. */
  deaf: entry(async ({ port }) => {
    log('at work');
    for (;;) {
      await pause(50);
      await port.adminCommand({ ping: 1 }).then(
        () => log('deaf: ping'),
        (error) => log(`deaf: ${error.code}`),
      );
    }
  }),
  progress: entry(async ({ progress, signal }) => {
    progress('waiting for the test');
    await untilAborted(signal);
  }),
  note: entry(async () => log('note: ran')),
};

module.exports = (shell) => install(shell, TABLE);
