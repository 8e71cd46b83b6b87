'use strict';

const { sleep, interrupted } = require('../base/context');
const { TuneError } = require('../base/pure/errors');
const { makeWindow } = require('../server/pure/window');
const { draw } = require('../report/pure/screen/layout');
const { keysIn, press } = require('../report/pure/screen/keys');
const { mapServerError, withoutSecrets } = require('../base/server-errors');
const { howItEnded } = require('../observe/observe');
const { MemberSwitcher } = require('./member-switcher');
const { WatchedServer } = require('./watched-server');
const { every: repeatedly } = require('../base/timing');
const { MS_PER_SECOND } = require('../base/pure/units');

/**
 * @import { Screen } from '../base/context'
 * @import { Ui } from '../report/pure/screen/keys'
 * @import { Seen } from './lines'
 * @import { Context } from '../base/types'
 * @import { View } from '../report/pure/screen/types'
 */

/** @typedef {{ every: number, seconds: number }} Pace */

const CLOCK_MS = 1000;
/** Settings and members change rarely, and cost more than a sample: they are read this often. */
const SLOW_MS = 8000;
/** A verdict is tried this often, so that the first one comes early. */
const JUDGE_MS = 2500;
/** Without an answer for this long NO ANSWER is shown. */
const SILENT_MS = 3000;
/** The last sample may take this long. */
const LAST_SAMPLE_MS = 400;
const MAX_EVENTS = 20;

/** Runs the live screen: it samples at a fixed rate, draws, and handles keys. */
class Live {
  /** @param {Context} ctx */
  constructor(ctx) {
    this.ctx = ctx;
    /** @type {Ui} */
    this.ui = { area: 0, isPaused: false, isHelp: false };
    /** @type {{ atMs: number, text: string }[]} */
    this.events = [];
    /** @type {View | null} what is shown while paused */
    this.pausedView = null;
    /** @type {Screen | null} */
    this.screen = null;
    this.drawnAt = 0;
    /** @type {(how: 'complete' | 'interrupted') => void} */
    this.end = () => {};
    /** @type {(error: unknown) => void} */
    this.fail = () => {};
    /** @type {Promise<'complete' | 'interrupted'>} */
    this.over = new Promise((resolve, reject) => {
      Object.assign(this, { end: resolve, fail: reject });
    });
  }

  /** @param {Pace} pace @returns {Promise<Seen>} */
  async run({ every, seconds }) {
    const { ctx } = this;
    const watching = { every, notify: (/** @type {string} */ text) => this.notify(text) };
    this.switcher = new MemberSwitcher(ctx, await WatchedServer.open(ctx, watching), watching);
    const interrupt = () => this.end('interrupted');
    ctx.signal.addEventListener('abort', interrupt, { once: true });
    /** @type {(() => void)[]} */
    let stops = [];
    try {
      this.screen = this.open();
      stops = this.start({ every, seconds });
      return await this.handOver(await this.over);
    } finally {
      ctx.signal.removeEventListener('abort', interrupt);
      stops.forEach((stop) => stop());
      this.screen?.close();
      this.switcher.close();
    }
  }

  open() {
    const openScreen = /** @type {NonNullable<Context['terminal']['openScreen']>} */ (
      this.ctx.terminal.openScreen
    );
    return openScreen({ onKeys: (text) => this.press(text), onResize: () => this.draw() });
  }

  /** @param {Pace} pace @returns {(() => void)[]} */
  start({ every, seconds }) {
    const end = setTimeout(() => this.end('complete'), seconds * MS_PER_SECOND);
    return [
      () => clearTimeout(end),
      repeatedly(every * MS_PER_SECOND, () => this.takeSample(), this.fail),
      repeatedly(SLOW_MS, () => this.readSlow(), this.fail),
      repeatedly(JUDGE_MS, async () => this.shown.judge(), this.fail),
      repeatedly(CLOCK_MS, async () => this.drawClock(), this.fail),
    ];
  }

  /** @returns {MemberSwitcher} */
  get members() {
    return /** @type {MemberSwitcher} */ (this.switcher);
  }

  get shown() {
    return this.members.shown;
  }

  async takeSample() {
    await this.shown.takeSample();
    this.draw();
  }

  /** Reads settings and members; errors are ignored, since samples report a lost server. */
  async readSlow() {
    try {
      await this.shown.readSettings();
      await this.members.ask();
    } catch (cause) {
      const error = mapServerError(cause, 'serverStatus', this.ctx.signal);
      if (!(error instanceof TuneError)) throw error;
    }
  }

  /** @param {string} text */
  notify(text) {
    this.events.push({ atMs: Date.now(), text: withoutSecrets(text) });
    this.events.splice(0, this.events.length - MAX_EVENTS);
  }

  /** @param {string} text typed */
  press(text) {
    for (const key of keysIn(text)) {
      const { ui, act } = press(this.ui, key);
      if (ui.isPaused !== this.ui.isPaused) this.hold(ui.isPaused);
      this.ui = ui;
      if (act === 'quit') return this.end('complete');
      if (act === 'member') this.nextMember().catch(this.fail);
    }
    this.draw();
  }

  async nextMember() {
    const before = this.shown;
    const going = this.members.next();
    this.draw();
    await going;
    if (before !== this.shown) {
      this.hold(false);
      this.ui = { ...this.ui, isPaused: false };
      this.readSlow().catch(this.fail);
      await this.takeSample();
    }
    this.draw();
  }

  /** @param {boolean} isPaused */
  hold(isPaused) {
    const view = this.view();
    this.pausedView = isPaused
      ? { ...view, points: [...view.points], state: { kind: 'paused', sinceMs: view.nowMs } }
      : null;
  }

  /** Redraws the clock, unless a sample has just done it. */
  drawClock() {
    if (performance.now() - this.drawnAt > CLOCK_MS / 2) this.draw();
  }

  draw() {
    if (this.screen === null) return;
    this.drawnAt = performance.now();
    const view = this.pausedView === null ? this.view() : { ...this.pausedView, ui: this.ui };
    this.screen.draw(draw(view, this.screen, this.screen.ink));
  }

  /** @returns {View} */
  view() {
    const { facts, status, points, lastMinute, lost, askedAtMs } = this.shown;
    const { shownHost, members, connectingTo } = this.members;
    const nowMs = Date.now();
    return {
      host: shownHost ?? facts.host,
      version: facts.version,
      role: facts.role,
      nowMs,
      ui: this.ui,
      status,
      verdict: lastMinute.verdict,
      points,
      members,
      shownHost,
      events: this.events,
      state: stateOf(lost, askedAtMs, nowMs),
      message: messageOf(connectingTo, lost),
    };
  }

  /**
   * @param {'complete' | 'interrupted'} over
   * @returns {Promise<Seen>} the samples of the server that was shown last
   */
  async handOver(over) {
    if (over === 'complete')
      await Promise.race([
        this.shown.takeSample(),
        sleep(LAST_SAMPLE_MS, this.ctx.signal).catch(() => {}),
      ]);
    const watched = this.members.all.find(({ samples }) => samples.length > 0);
    if (watched === undefined)
      throw (
        this.shown.lost?.error ??
        (over === 'interrupted'
          ? interrupted()
          : new TuneError('TUNE-20006', 'The server did not answer before the watch ended.'))
      );
    const window = makeWindow(watched.samples);
    const ended = over === 'complete' && watched.lost !== null ? 'lost' : over;
    return {
      facts: watched.facts,
      window,
      ended,
      rolling: watched.rolling,
      notes: [
        ...howItEnded({ ended, error: watched.lost?.error ?? null }, window),
        ...watched.settings.notes,
      ],
    };
  }
}

/**
 * Whether the server answers, for the title.
 * @param {WatchedServer['lost']} lost
 * @param {number | null} askedAtMs when the sample was requested
 * @param {number} nowMs
 * @returns {View['state']}
 */
function stateOf(lost, askedAtMs, nowMs) {
  if (lost !== null) return { kind: 'lost', sinceMs: lost.sinceMs };
  if (askedAtMs !== null && nowMs - askedAtMs >= SILENT_MS)
    return { kind: 'silent', sinceMs: askedAtMs };
  return { kind: 'live' };
}

/**
 * Chooses the message that replaces the verdict while there is no connection.
 * @param {string | null} connectingTo
 * @param {WatchedServer['lost']} lost
 */
function messageOf(connectingTo, lost) {
  if (connectingTo !== null) return `Connecting to ${connectingTo} …`;
  return lost === null ? null : `${withoutSecrets(lost.error.message)} Trying again …`;
}

/**
 * @param {Context} ctx with a terminal to draw on
 * @param {Pace} pace
 * @returns {Promise<Seen>}
 */
const watchLive = (ctx, pace) => new Live(ctx).run(pace);

module.exports = { watchLive };
