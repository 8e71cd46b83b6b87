'use strict';

const { roll } = require('./random');
const { STREAMS } = require('./streams');

/** Milliseconds of an ordinary way to the server and back. */
const WAY_MS = 0.3;

const broken = () =>
  Object.assign(new Error('connection 1 to model:27017 closed'), { name: 'MongoNetworkError' });

/**
 * What is between a shell and the server. A message has a fate (fates.js): most arrive at once;
 * some are late, later than the moment their sender was told that the connection is broken.
 * @param {any} sim
 */
function makeLink(sim) {
  const { loop } = sim;

  /** @param {any} shell @param {any} request @returns {Promise<any>} */
  function send(shell, request) {
    const n = shell.sent++;
    sim.onMessage?.(shell, n, request);
    if (!shell.isAlive) return new Promise(() => {});
    const fate = sim.fates.of(shell, n, request);
    return new Promise((resolve, reject) => {
      const one = {
        over: false,
        settle: (/** @type {any} */ error, /** @type {any} */ answer) => {
          if (one.over) return;
          one.over = true;
          shell.deliver(() => (!error && answer?.ok === 1 ? resolve(answer) : reject(error)));
        },
      };
      if (fate?.kind === 'stopped')
        stop(shell, fate, () => go(shell, n, request, { fate: null, one }));
      else go(shell, n, request, { fate, one });
    });
  }

  /**
   * Its process stalls after its decision and before its message.
   * @param {any} shell
   * @param {any} fate
   * @param {() => void} then
   */
  function stop(shell, { ms, asleep }, then) {
    shell.pause();
    shell.backlog.push(then);
    loop.after(ms, () => shell.goOn(asleep ? ms : 0));
  }

  /**
   * @param {any} shell
   * @param {number} n
   * @param {any} request
   * @param {{ fate: any, one: any }} how
   */
  function go(shell, n, request, { fate, one }) {
    const way = WAY_MS * (0.3 + roll(sim.seed, STREAMS.links + shell.number, n));
    const back = (/** @type {any} */ error, /** @type {any} */ answer) =>
      loop.after(way + (fate?.backMs ?? 0), () => one.settle(error, answer));
    if (fate?.breaksMs !== undefined) loop.after(fate.breaksMs, () => one.settle(broken()));
    if (fate?.kind === 'killed') shell.kill();
    if (fate?.isLost) return;
    const arrive = (/** @type {boolean} */ isHeard) => {
      // The driver looks for a primary as long as there is none.
      if (loop.now < sim.server.electedAt && fate === null)
        return void loop.after(sim.server.electedAt - loop.now + 5, () => arrive(isHeard));
      sim.trace?.(shell.number, request, fate, loop.now);
      sim.server.receive(request, (/** @type {any} */ error, /** @type {any} */ answer) => {
        if (isHeard) back(error, answer);
      });
    };
    const isHeard = !fate?.isDeaf;
    loop.after(way + (fate?.thereMs ?? 0), () => arrive(isHeard && !fate?.isFirstLost));
    if (fate?.kind === 'twice') loop.after(way + fate.againMs, () => arrive(isHeard));
    if (fate?.kind === 'pausedAfter') {
      shell.pause();
      loop.after(fate.ms, () => shell.goOn(fate.asleep ? fate.ms : 0));
    }
  }

  return { send };
}

module.exports = { makeLink };
