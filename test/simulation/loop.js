'use strict';

/** Virtual time begins here. */
const EPOCH_MS = Date.UTC(2026, 0, 1);
/** What runs longer than this many events has no end. */
const MAX_EVENTS = 60_000;

/**
 * Virtual time: events in the order of their moment. After each that woke real code all its
 * promises are settled before the next comes.
 */
class Loop {
  constructor() {
    this.now = EPOCH_MS;
    this.events = 0;
    /** Whether real code was woken by the last event. */
    this.woke = false;
    this.order = 0;
    /** What is still to come, apart from what goes on for ever. */
    this.left = 0;
    /** @type {any[]} */ this.heap = [];
  }

  /**
   * @param {number} ms
   * @param {() => void} go
   * @param {boolean} [background] what goes on for ever by itself
   */
  after(ms, go, background = false) {
    const event = { at: this.now + (ms > 0 ? ms : 0), order: this.order++, go, background };
    if (!background) this.left += 1;
    this.push(event);
    return event;
  }

  /** @param {any} event */
  cancel(event) {
    if (!event?.go) return;
    event.go = null;
    if (!event.background) this.left -= 1;
  }

  push(event) {
    const { heap } = this;
    let i = heap.length;
    heap.push(event);
    while (i > 0) {
      const up = (i - 1) >> 1;
      if (!before(event, heap[up])) break;
      heap[i] = heap[up];
      i = up;
    }
    heap[i] = event;
  }

  pop() {
    const { heap } = this;
    const first = heap[0];
    const last = heap.pop();
    if (heap.length === 0) return first;
    let i = 0;
    for (let down = 1; down < heap.length; down = 2 * i + 1) {
      if (down + 1 < heap.length && before(heap[down + 1], heap[down])) down += 1;
      if (!before(heap[down], last)) break;
      heap[i] = heap[down];
      i = down;
    }
    heap[i] = last;
    return first;
  }

  /**
   * @param {() => boolean} isOver @param {() => boolean} [isBroken] ends it at once
   * @returns {Promise<'over' | 'empty' | 'broken' | 'endless'>}
   */
  async run(isOver, isBroken = () => false) {
    await settled();
    for (;;) {
      if (isBroken()) return 'broken';
      if (isOver()) return 'over';
      const event = this.next();
      if (!event) return 'empty';
      if (this.events++ > MAX_EVENTS) return 'endless';
      this.now = event.at;
      this.woke = false;
      if (!event.background) this.left -= 1;
      const { go } = event;
      event.go = null;
      go();
      if (this.woke) await settled();
    }
  }

  next() {
    while (this.heap.length > 0) {
      const event = this.pop();
      if (event.go) return event;
    }
    return null;
  }
}

/** @param {any} one @param {any} other */
const before = (one, other) =>
  one.at < other.at || (one.at === other.at && one.order < other.order);

/** All promises that can go on have gone on. */
const settled = () =>
  new Promise((resolve) => {
    setImmediate(resolve);
  });

module.exports = { Loop, EPOCH_MS };
