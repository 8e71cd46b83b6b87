'use strict';

const { randomFillSync } = require('node:crypto');
const { encode, inspect, Lane } = require('./lane');

/**
 * @import { Operation, Source } from '../workloads/operations'
 * @import { Recorder } from './recorder'
 * @import { Schedule } from './measure'
 * @import { Socket } from 'node:net'
 */

/**
 * @typedef {{ operation: Operation, step: number, fromMs: number }} Work
 * @typedef {{
 *   database: string, next: () => Operation, schedule: Schedule,
 *   recorder: Recorder, endMs: number,
 *   takeSocket(): Promise<Socket>, writeConcern: Record<string, unknown> | null,
 * }} Plan `endMs`: moment of performance.now() after which no operation begins
 */

/**
 * Operations in flight at the end get this long; one that still hangs then has at least this
 * latency.
 */
const GRACE_MS = 10_000;
/** A server that restarts or holds an election is back within this time; after it the run ends. */
const LOST_MS = 10_000;
const RETRY_MS = 250;
const WRITES = new Set(['insert', 'update', 'delete']);

/**
 * Sends operations on its lanes until the end. It uses callbacks, not promises, to spend as little
 * CPU time as possible on an operation.
 */
class Runner {
  /** @param {Plan} plan */
  constructor(plan) {
    this.plan = plan;
    /** @type {Map<Lane, Work | null>} */ this.lanes = new Map();
    /** @type {Lane[]} */ this.waiting = [];
    /** @type {NodeJS.Timeout | null} */ this.timer = null;
    this.requestId = 0;
    this.stopped = false;
    /** @type {{ resolve(): void, reject(error: Error): void }} */ this.end = {
      resolve() {},
      reject() {},
    };
  }

  /**
   * @param {Socket[]} sockets
   * @returns {Promise<void>} rejects when the server is lost
   */
  async run(sockets) {
    const ended = new Promise((resolve, reject) => {
      this.end = { resolve: () => resolve(undefined), reject };
    });
    for (const socket of sockets) this.lanes.set(new Lane(socket, this), null);
    const grace = setTimeout(
      () => this.giveUp(),
      Math.max(0, this.plan.endMs - performance.now()) + GRACE_MS,
    );
    for (const lane of [...this.lanes.keys()]) this.begin(lane, false);
    await ended.finally(() => {
      this.stopped = true;
      clearTimeout(grace);
      if (this.timer) clearTimeout(this.timer);
      for (const lane of this.lanes.keys()) lane.close();
    });
    this.countOverdue();
  }

  stop() {
    this.stopped = true;
    for (const lane of this.waiting.splice(0)) this.retire(lane);
  }

  /** @param {Lane} lane @param {boolean} waited whether the lane had waited for the moment */
  begin(lane, waited) {
    const { schedule, endMs, next } = this.plan;
    const now = performance.now();
    if (this.stopped || now >= endMs) return this.retire(lane);
    const moment = schedule.next(now);
    if (moment > now) return this.park(lane, Math.min(moment, endMs) - now);
    schedule.taken();
    const work = { operation: next(), step: 0, fromMs: schedule.fromMs(now, waited) };
    this.lanes.set(lane, work);
    this.send(lane, work);
  }

  /** @param {Lane} lane @param {Work} work */
  send(lane, { operation, step }) {
    const command = operation.commands[step];
    command.$db = this.plan.database;
    if (this.plan.writeConcern !== null && WRITES.has(Object.keys(command)[0]))
      command.writeConcern = this.plan.writeConcern;
    this.requestId = (this.requestId + 1) | 0;
    lane.send(encode(command, this.requestId));
  }

  /** @param {Lane} lane @param {Buffer} message */
  replied(lane, message) {
    const work = /** @type {Work} */ (this.lanes.get(lane));
    const reply = inspect(message);
    const { recorder } = this.plan;
    if (!reply.ok) recorder.failed(reply.code, reply.message, performance.now());
    else if (++work.step < work.operation.commands.length) return this.send(lane, work);
    else {
      if (reply.found === false) recorder.missed += 1;
      recorder.done(work.operation.kind, work.fromMs, performance.now());
    }
    this.begin(lane, false);
  }

  /**
   * Lets a lane wait. One timer serves all, because they wait for the same moment.
   * @param {Lane} lane
   * @param {number} ms
   */
  park(lane, ms) {
    this.waiting.push(lane);
    this.lanes.set(lane, null);
    this.timer ??= setTimeout(() => this.wake(), ms);
  }

  wake() {
    this.timer = null;
    // Wake no more lanes than operations are due: the others would only wait again.
    while (this.waiting.length > 0 && !this.timer)
      this.begin(/** @type {Lane} */ (this.waiting.pop()), true);
  }

  /** @param {Lane} lane */
  retire(lane) {
    this.lanes.delete(lane);
    lane.close();
    if (this.lanes.size === 0) this.end.resolve();
  }

  /** @param {Lane} lane @param {Error | null} error */
  async lost(lane, error) {
    this.plan.recorder.failed(
      'connection',
      error?.message ?? 'connection closed by the server',
      performance.now(),
    );
    this.waiting = this.waiting.filter((other) => other !== lane);
    const until = performance.now() + LOST_MS;
    for (
      let left = true;
      left;
      left = performance.now() < Math.min(until, this.plan.endMs) && !this.stopped
    ) {
      const socket = await this.plan.takeSocket().catch(() => null);
      if (socket) return this.replace(lane, socket);
      await new Promise((resolve) => {
        setTimeout(resolve, RETRY_MS);
      });
    }
    this.end.reject(
      new Error(`the server does not respond: ${error?.message ?? 'it closed the connection'}`),
    );
  }

  /** @param {Lane} lane @param {Socket} socket */
  replace(lane, socket) {
    const again = new Lane(socket, this);
    this.lanes.delete(lane);
    this.lanes.set(again, null);
    this.begin(again, false);
  }

  /** Records what still hangs at the end with the time it has taken so far. */
  giveUp() {
    const now = performance.now();
    for (const work of this.lanes.values())
      if (work) this.plan.recorder.done(work.operation.kind, work.fromMs, now);
    this.end.resolve();
  }

  countOverdue() {
    const { schedule, endMs, recorder, next } = this.plan;
    const until = Math.min(endMs, performance.now());
    for (const { moment, count } of schedule.overdue(until))
      recorder.waited(next().kind, until - moment, count);
  }
}

/**
 * In a pool of this size repetitions within one compressed page (32 KiB) are rare: the documents
 * stay incompressible.
 */
const POOL_BYTES = 8 * 2 ** 20;

/**
 * Makes the randomness of workloads: cheap, and different in every process.
 * @returns {Source}
 */
function makeSource() {
  const pool = randomFillSync(Buffer.allocUnsafe(POOL_BYTES));
  const random = Math.random;
  return {
    random,
    bytes(count) {
      const at = Math.floor(random() * (POOL_BYTES - count));
      return pool.subarray(at, at + count);
    },
  };
}

module.exports = { Runner, makeSource };
