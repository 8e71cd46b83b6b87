'use strict';

const { SAMPLE_STATUS, OPENING_STATUS } = require('../server/pure/commands');
const { collectServer } = require('../server/facts');
const { takeSample } = require('../server/sampler');
const { machineOf } = require('../server/diagnostic-data');
const { readLastString } = require('../server/engine-history');
const { diagnose } = require('../diagnose/diagnose');
const { loadRules } = require('../observe/load-rules');
const { TuneError } = require('../base/pure/errors');
const { secondsBetween } = require('../server/pure/growth');
const { makeWindow } = require('../server/pure/window');
const { METRICS, metricsOf } = require('../server/pure/metrics');
const { RollingSeries } = require('../series/rolling-series');
const { statusOf } = require('../server/pure/status');
const { changesBetween } = require('../config/changed-settings');
const { pointOf } = require('../report/pure/screen/charts');
const { mapServerError } = require('../base/server-errors');
const { collectSettings } = require('../observe/settings');
const { downsampleInPlace } = require('../observe/downsample');

/**
 * @import { Context } from '../base/context'
 * @import { Point } from '../report/pure/screen/charts'
 * @import { Config } from '../server/pure/facts'
 * @import { Metric } from '../server/pure/metrics'
 * @import { Sample } from '../server/pure/sample'
 * @import { Status } from '../server/pure/status'
 */

/**
 * One server on the live screen: what is known of it, sample after sample.
 */

/**
 * The bottleneck is that of the last minute, which has a checkpoint in it; of fewer seconds than
 * this nothing is said.
 */
const JUDGED_SECONDS = 60;
const MIN_SECONDS = 10;
/** Where looks are far apart, so many of them. */
const MIN_SAMPLES = 5;
/** What the server tells of its machine is larger than a status, and its counters last. */
const MACHINE_EVERY = 10;
/** A minute is drawn on 80 columns, ten minutes on the widest screen. */
const MAX_POINTS = 600;
/** Longer between two samples than so many beats is a gap. */
const GAP_BEATS = 3;
const MS_PER_SECOND = 1000;
/**
 * A verdict costs more than all else that is reckoned here: once it is there, it may be a few
 * seconds old.
 */
const JUDGE_EVERY_MS = 8 * MS_PER_SECOND;
/** What is drawn of each sample; the bottleneck is worked out of all. */
const DRAWN = /** @type {Metric[]} */ (
  Object.keys(METRICS).filter((name) =>
    /^(cache|eviction|clients|ops|checkpoint|config)\./.test(name),
  )
);

class Subject {
  /**
   * @param {Context} ctx with the port to this server
   * @param {Awaited<ReturnType<typeof collectServer>>} server
   * @param {{ every: number, notify(text: string): void }} how
   */
  constructor(ctx, { facts, run }, { every, notify }) {
    this.ctx = ctx;
    this.every = every;
    this.notify = notify;
    this.facts = facts;
    this.run = run;
    this.machine = machineOf(ctx.port);
    /** @type {Sample[]} what is handed over at the end */
    this.samples = [];
    this.rolling = new RollingSeries(every);
    /** @type {Sample[]} what is judged */
    this.recent = [];
    /** @type {Point[]} */
    this.points = [];
    /** @type {Status | null} */
    this.status = null;
    /** @type {{ bottleneck: string, because: string } | null} */
    this.verdict = null;
    /** The last sample of the verdict. */
    this.judgedAtMs = 0;
    /** @type {{ sinceMs: number, error: TuneError } | null} */
    this.lost = null;
    /** @type {number | null} when the look was asked for that has not come yet */
    this.askedAtMs = null;
    /** @type {string[]} */
    this.notes = [];
    /**
     * @type {string | null | undefined} what was set last at run time; undefined: the settings are
     *   to be read
     */
    this.lastString = undefined;
    /** @type {Config | null} */
    this.config = null;
    this.isNewRun = false;
    this.sampleCount = 0;
  }

  /**
   * @param {Context} ctx
   * @param {{ every: number, notify(text: string): void }} how
   * @returns {Promise<Subject>}
   * @throws {TuneError} TUNE-2xxxx
   */
  static async open(ctx, how) {
    try {
      return new Subject(ctx, await collectServer(ctx.port), how);
    } catch (error) {
      throw mapServerError(error, 'serverStatus', ctx.signal);
    }
  }

  /** One look; what goes wrong is kept, and the next one tries again. */
  async takeSample() {
    this.askedAtMs = Date.now();
    try {
      const machine = this.sampleCount % MACHINE_EVERY === 0 ? this.machine : undefined;
      const sample = await takeSample(
        this.ctx.port,
        this.sampleCount === 0 ? OPENING_STATUS : SAMPLE_STATUS,
        machine,
      );
      this.sampleCount++;
      this.take(sample);
    } catch (cause) {
      this.fail(cause);
    } finally {
      this.askedAtMs = null;
    }
  }

  /** @param {unknown} cause */
  fail(cause) {
    const error = mapServerError(cause, 'serverStatus', this.ctx.signal);
    if (!(error instanceof TuneError)) throw error;
    if (this.lost === null) this.notify(`no look: ${error.message}`);
    this.lost ??= { sinceMs: Date.now(), error };
  }

  /** @param {Sample} sample */
  take(sample) {
    const before = this.samples.at(-1);
    const pair = makeWindow(before ? [before, sample] : [sample]);
    if (this.lost !== null) this.notify('the server answers again');
    if (pair.restarts > 0) this.restarted();
    if (before && (pair.restarts > 0 || secondsBetween(before, sample) > GAP_BEATS * this.every))
      this.points.push({ atMs: sample.atMs, values: {} });
    this.lost = null;
    const metrics = metricsOf(pair, this.facts, DRAWN);
    this.points.push(pointOf(sample.atMs, metrics, sample.counters));
    this.status = statusOf(pair, this.facts, metrics);
    this.samples.push(sample);
    downsampleInPlace(this.samples);
    this.rolling.add(sample);
    const sinceMs =
      sample.atMs - Math.max(JUDGED_SECONDS, MIN_SAMPLES * this.every) * MS_PER_SECOND;
    this.recent = [...this.recent.filter(({ atMs }) => atMs >= sinceMs), sample];
    this.points.splice(0, this.points.length - MAX_POINTS);
  }

  restarted() {
    this.notify('the server restarted');
    this.recent = [];
    this.verdict = null;
    this.judgedAtMs = 0;
    this.lastString = undefined;
    this.isNewRun = true;
  }

  /** The bottleneck of the last minute, by the same rules as tune.advise(). */
  judge() {
    const atMs = this.recent.at(-1)?.atMs ?? 0;
    if (this.recent.length < 2 || atMs - this.judgedAtMs < JUDGE_EVERY_MS) return;
    const window = makeWindow(this.recent);
    if (window.seconds < MIN_SECONDS) return;
    this.judgedAtMs = atMs;
    const { bottleneck, because } = diagnose(
      { window, facts: this.facts },
      { engine: loadRules() },
    );
    this.verdict = { bottleneck, because };
  }

  /**
   * What somebody set meanwhile.
   * @returns {Promise<void>} rejects when the server can not be asked
   */
  async readSettings() {
    const lastString = await readLastString(this.ctx.port);
    if (lastString === this.lastString) return;
    if (this.isNewRun) Object.assign(this, await collectServer(this.ctx.port));
    const { config, history, notes } = await collectSettings(this.ctx, {
      ...this.facts,
      run: this.run,
    });
    for (const say of changesBetween(this.config, config)) this.notify(`settings: ${say}`);
    this.facts = { ...this.facts, config, journalCommitMs: history.journalCommitMs };
    Object.assign(this, { config, notes, lastString, isNewRun: false });
  }
}

module.exports = { Subject };
