'use strict';

const { TuneError } = require('../base/pure/errors');

/**
 * A driver connects anew by itself, and at the same address another server may answer then. What
 * must reach one process and no other goes over a connection that is held: once that is lost,
 * nothing is sent any more.
 * @typedef {Record<string, unknown>} Fields
 * @typedef {(database: string, command: Fields, options?: Fields) => Promise<any>} Send
 */

/**
 * @param {Send} send commands, one after the other
 * @param {any} client of the driver, whose pool `send` uses; an old shell does not show it
 * @returns {{ send: Send, hold(): Promise<void>, isLost(): boolean }}
 */
function holdable(send, client) {
  let [isHeld, isLost] = [false, false];
  const renewed = new AbortController();
  const lose = () => {
    isLost ||= isHeld;
  };
  return {
    isLost: () => isLost,
    async hold() {
      if (typeof client?.on !== 'function') return;
      client.on('connectionClosed', lose);
      client.on('connectionPoolCleared', lose);
      client.on('connectionCreated', () => {
        lose();
        // A command that waits for the new connection has not been sent yet.
        if (isHeld) renewed.abort();
      });
      await send('admin', { ping: 1 });
      isHeld = true;
    },
    async send(database, command) {
      if (isLost) throw ended();
      if (!isHeld) return send(database, command);
      try {
        return await send(database, command, { signal: renewed.signal });
      } catch (error) {
        throw renewed.signal.aborted ? ended(error) : error;
      }
    },
  };
}

/** @param {unknown} [cause] */
const ended = (cause) => new TuneError('TUNE-20010', ENDED, { cause });
const ENDED =
  'The connection to this member ended, and another server may answer at its address now: ' +
  'nothing was sent there.';

module.exports = { holdable };
