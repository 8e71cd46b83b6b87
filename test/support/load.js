'use strict';

/**
 * Runs `work` again and again in several loops until it is stopped.
 * @param {(loop: number) => Promise<void>} work
 * @param {{ loops?: number }} [options]
 * @returns {{ done(): number, stop(): Promise<void> }} `done`: how often it has ended so far
 */
function startLoad(work, { loops = 4 } = {}) {
  let stopped = false;
  let done = 0;
  const running = Promise.all(
    Array.from({ length: loops }, async (_, loop) => {
      while (!stopped) {
        await work(loop);
        done += 1;
      }
    }),
  );
  return {
    done: () => done,
    stop: async () => {
      stopped = true;
      await running;
    },
  };
}

module.exports = { startLoad };
