'use strict';

const fs = require('node:fs');
const path = require('node:path');
const Mocha = require('mocha');

const { EVENT_RUN_END, EVENT_TEST_FAIL, EVENT_TEST_PASS, EVENT_TEST_PENDING, EVENT_TEST_RETRY } =
  Mocha.Runner.constants;
const SLOWEST = 3;

/**
 * @typedef {{
 *   passed: number, failed: number, skipped: number, again: number, finished: boolean,
 *   slowest: { title: string, ms: number }[]
 * }} Counts
 */

/**
 * Says nothing of what passed, everything of what failed, and keeps the counts in a file: also for
 * a run that is cut off.
 */
class CountingReporter extends Mocha.reporters.Base {
  /** @param {Mocha.Runner} runner @param {Mocha.MochaOptions} options */
  constructor(runner, options) {
    super(runner, options);
    const file = options.reporterOptions.counts;
    /** @type {Counts} */
    const counts = { passed: 0, failed: 0, skipped: 0, again: 0, finished: false, slowest: [] };
    const keep = () => fs.writeFileSync(file, JSON.stringify(counts));
    runner.on(EVENT_TEST_PASS, (test) => {
      counts.passed += 1;
      counts.slowest = [...counts.slowest, { title: test.fullTitle(), ms: test.duration ?? 0 }]
        .sort((a, b) => b.ms - a.ms)
        .slice(0, SLOWEST);
      keep();
    });
    runner.on(EVENT_TEST_FAIL, (test) => {
      counts.failed += 1;
      keep();
      // At once: a suite that is cut off later tells of it, too.
      Mocha.reporters.Base.list([test]);
      console.log(`  alone: ${commandFor(test)}\n`);
    });
    runner.on(EVENT_TEST_RETRY, (test, error) => {
      counts.again += 1;
      keep();
      console.log(`tried again: ${test.fullTitle()}: ${String(error.message).split('\n')[0]}`);
    });
    runner.on(EVENT_TEST_PENDING, () => {
      counts.skipped += 1;
      keep();
    });
    runner.on(EVENT_RUN_END, () => {
      counts.finished = true;
      keep();
    });
  }
}

/** Runs this test and no other. @param {Mocha.Runnable} test a hook has no title of its own */
function commandFor(test) {
  const file = path.relative(process.cwd(), test.file ?? '');
  const title =
    /** @type {any} */ (test).type === 'hook' ? test.parent?.fullTitle() : test.fullTitle();
  return `npx mocha ${file} -f '${String(title).replaceAll("'", String.raw`'\''`)}'`;
}

module.exports = CountingReporter;
