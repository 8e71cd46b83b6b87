'use strict';

const { SAMPLE_STATUS, END_STATUS } = require('../server/pure/commands');
const { collectServer } = require('../server/facts');
const { takeSample, diagnosticsReader, downsampleInPlace } = require('../server/sampler');
const { readLastString } = require('../server/engine-history');
const { diagnose } = require('../diagnose/diagnose');
const { loadRules } = require('../rules/registry');
const { TuneError } = require('../base/pure/errors');
const { secondsBetween } = require('../server/pure/growth');
const { makeWindow } = require('../server/pure/window');
const { METRICS, metricsOf } = require('../server/pure/metrics');
const { RollingSeries } = require('../series/time-series');
const { statusOf } = require('../server/pure/status');
const { changesBetween } = require('../config/effective-config');
const { pointOf } = require('../report/pure/screen/charts');
const { mapServerError } = require('../base/server-errors');
const { collectSettings } = require('../observe/settings');
const { MS_PER_SECOND } = require('../base/pure/units');

/**
 * @import { Point } from '../report/pure/screen/charts'
 * @import { Config } from '../config/types'
 * @import { Metric } from '../server/pure/metrics'
 * @import { Sample } from '../server/pure/sample'
 * @import { Status } from '../server/pure/status'
 * @import { Context } from '../base/types'
 * @import { Facts } from '../server/pure/types'
 */

/**
 * @typedef {{ every: number, notify(text: string): void }} Watching `every`: seconds between two
 *   samples; `notify`: adds an event to the screen
 * @typedef {{ lastString: string | null | undefined, config: Config | null, notes: string[] }}
 *   Effective the settings in effect; `lastString`: the last configuration string of run time;
 *   undefined: the settings have not been read yet
 */

/**
 * The bottleneck is computed over this time, which contains a checkpoint (one every 60 s by
 * default).
 */
const JUDGED_SECONDS = 60;
/** A shorter window has no verdict (heuristic). */
const MIN_SECONDS = 10;
/** A verdict needs at least this many samples, also where they are far apart (heuristic). */
const MIN_SAMPLES = 5;
/** A verdict costs more than all else here, so it may be this old. */
const JUDGE_EVERY_MS = 8 * MS_PER_SECOND;
/** getDiagnosticData is larger than serverStatus: every tenth sample reads it. */
const MACHINE_EVERY = 10;
/** The screen draws this many points: ten minutes on the widest one. */
const MAX_POINTS = 600;
/** A longer pause than this many intervals between two samples is a gap (heuristic). */
const GAP_BEATS = 3;
/** The metrics that are drawn; the bottleneck is computed from all. */
const DRAWN = /** @type {Metric[]} */ (
  Object.keys(METRICS).filter((name) =>
    /^(cache|eviction|clients|ops|checkpoint|config)\./.test(name),
  )
);

/** Computes the bottleneck of the last minute, by the same rules as tune.advise(). */
class LastMinute {
  /** @param {number} every seconds between two samples */
  constructor(every) {
    this.ms = Math.max(JUDGED_SECONDS, MIN_SAMPLES * every) * MS_PER_SECOND;
    /** @type {Sample[]} */
    this.samples = [];
    /** @type {{ bottleneck: string, because: string } | null} */
    this.verdict = null;
    /** Time of the last sample in the verdict. */
    this.judgedAtMs = 0;
  }

  /** @param {Sample} sample */
  add(sample) {
    const sinceMs = sample.atMs - this.ms;
    this.samples = [...this.samples.filter(({ atMs }) => atMs >= sinceMs), sample];
  }

  /** Makes a new verdict when the last one is too old. @param {Facts} facts */
  judge(facts) {
    const atMs = this.samples.at(-1)?.atMs ?? 0;
    if (this.samples.length < 2 || atMs - this.judgedAtMs < JUDGE_EVERY_MS) return;
    const window = makeWindow(this.samples);
    if (window.seconds < MIN_SECONDS) return;
    this.judgedAtMs = atMs;
    const { bottleneck, because } = diagnose({ window, facts }, { engine: loadRules() });
    this.verdict = { bottleneck, because };
  }
}

/**
 * One server on the live screen: this class takes its samples, judges them and reads its settings.
 * Only it changes its fields; others read them.
 */
class WatchedServer {
  /**
   * @param {Context} ctx with the port to this server
   * @param {Awaited<ReturnType<typeof collectServer>>} server
   * @param {Watching} watching
   */
  constructor(ctx, { facts, run }, { every, notify }) {
    this.ctx = ctx;
    this.every = every;
    this.notify = notify;
    this.facts = facts;
    this.run = run;
    this.readDiagnostics = diagnosticsReader(ctx.port);
    this.lastMinute = new LastMinute(every);
    /** All samples, downsampled: the window of the answer. @type {Sample[]} */
    this.samples = [];
    this.rolling = new RollingSeries(every);
    /** @type {Point[]} */
    this.points = [];
    /** @type {Status | null} */
    this.status = null;
    /** @type {{ sinceMs: number, error: TuneError } | null} null while the server answers */
    this.lost = null;
    /** @type {number | null} when the sample was requested that has not come yet */
    this.askedAtMs = null;
    /** @type {Effective} */
    this.settings = { lastString: undefined, config: null, notes: [] };
    this.isNewRun = false;
    this.sampleCount = 0;
  }

  /**
   * @param {Context} ctx
   * @param {Watching} watching
   * @returns {Promise<WatchedServer>}
   * @throws {TuneError} TUNE-2xxxx
   */
  static async open(ctx, watching) {
    try {
      return new WatchedServer(ctx, await collectServer(ctx.port), watching);
    } catch (error) {
      throw mapServerError(error, 'serverStatus', ctx.signal);
    }
  }

  /** Takes one sample; a failure is kept, and the next sample tries again. */
  async takeSample() {
    this.askedAtMs = Date.now();
    try {
      const readDiagnostics =
        this.sampleCount % MACHINE_EVERY === 0 ? this.readDiagnostics : undefined;
      const sample = await takeSample(
        this.ctx.port,
        this.sampleCount === 0 ? END_STATUS : SAMPLE_STATUS,
        readDiagnostics,
      );
      this.sampleCount++;
      this.add(sample);
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
    if (this.lost === null) this.notify(`no sample: ${error.message}`);
    this.lost ??= { sinceMs: Date.now(), error };
  }

  /** @param {Sample} sample */
  add(sample) {
    const before = this.samples.at(-1);
    const pair = makeWindow(before ? [before, sample] : [sample]);
    if (this.lost !== null) this.notify('the server answers again');
    if (pair.restarts > 0) this.restarted();
    if (before && (pair.restarts > 0 || secondsBetween(before, sample) > GAP_BEATS * this.every))
      this.points.push({ atMs: sample.atMs, values: {} });
    this.lost = null;
    const metrics = metricsOf(pair, this.facts, DRAWN);
    this.points.push(pointOf(sample.atMs, metrics, sample.counters));
    this.points.splice(0, this.points.length - MAX_POINTS);
    this.status = statusOf(pair, this.facts, metrics);
    this.samples.push(sample);
    downsampleInPlace(this.samples);
    this.rolling.add(sample);
    this.lastMinute.add(sample);
  }

  restarted() {
    this.notify('the server restarted');
    this.lastMinute = new LastMinute(this.every);
    this.settings.lastString = undefined;
    this.isNewRun = true;
  }

  /** Judges the last minute. */
  judge() {
    this.lastMinute.judge(this.facts);
  }

  /** @param {'primary' | 'secondary'} role as the members report it */
  setRole(role) {
    this.facts = { ...this.facts, role };
  }

  /**
   * Reads the settings again when a setting was changed at run time, and reports what changed.
   * @returns {Promise<void>} rejects when the server cannot be asked
   */
  async readSettings() {
    const lastString = await readLastString(this.ctx.port);
    if (lastString === this.settings.lastString) return;
    if (this.isNewRun) {
      const { facts, run } = await collectServer(this.ctx.port);
      this.facts = facts;
      this.run = run;
    }
    const { config, history, notes } = await collectSettings(this.ctx, {
      ...this.facts,
      run: this.run,
    });
    for (const say of changesBetween(this.settings.config, config)) this.notify(`settings: ${say}`);
    this.facts = { ...this.facts, config, journalCommitMs: history.journalCommitMs };
    this.settings = { lastString, config, notes };
    this.isNewRun = false;
  }
}

module.exports = { WatchedServer };
