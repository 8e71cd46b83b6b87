'use strict';

const { TuneError } = require('../base/pure/errors');

/**
 * Why a trial ends before its time. `guard`: B broke a limit; `interrupted`: Ctrl-C; `load`: there
 * is none, or none any more; `disturbed`: somebody set something, or the member changed its role;
 * `gone`: the server of before is no more. `lost`: the connection, for a while; `level`: the load
 * held a level above a trigger to come for too long.
 * @typedef {'guard' | 'interrupted' | 'load' | 'disturbed' | 'gone' | 'lost' | 'level'} EndKind
 */

class EarlyEnd extends Error {
  /**
   * @param {EndKind} kind
   * @param {string} say
   * @param {{ stays?: boolean }} [more] `stays`: what is in force is somebody else's, and left
   *   alone
   */
  constructor(kind, say, { stays = false } = {}) {
    super(say);
    this.kind = kind;
    this.stays = stays;
  }
}

/** @param {Error} error @returns {EarlyEnd | null} null: an error that the user must see as such */
function earlyEndOf(error) {
  if (error instanceof EarlyEnd) return error;
  if (!(error instanceof TuneError)) return null;
  if (error.code === 'TUNE-20006') return new EarlyEnd('lost', error.message);
  if (error.code === 'TUNE-30009') return new EarlyEnd('interrupted', 'Ctrl-C ended the trial.');
  if (error.code !== 'TUNE-20010') return null;
  return new EarlyEnd(
    'gone',
    /restarted since/.test(error.message)
      ? 'The server was restarted meanwhile, which took the settings of the trial back.'
      : error.message,
  );
}

module.exports = { EarlyEnd, earlyEndOf };
