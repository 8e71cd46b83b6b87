'use strict';

const { TuneError } = require('../base/pure/errors');

/**
 * Says why a trial ends before its time. `guardrail`: B broke a limit of the guardrail;
 * `interrupted`: Ctrl-C; `load`: there is no load, or none any more; `disturbed`: another session
 * set something, or the member changed its role; `gone`: another server answers; `lost`: the
 * connection was lost for a while; `level`: the load held a level above a coming trigger for too
 * long.
 * @typedef {'guardrail' | 'interrupted' | 'load' | 'disturbed' | 'gone' | 'lost' | 'level'} EndKind
 */

class EarlyEnd extends Error {
  /**
   * @param {EndKind} kind
   * @param {string} say
   * @param {{ leavesExternal?: boolean, restarted?: boolean }} [more] `leavesExternal`: another
   *   session set what is in effect, and it is left unchanged; `restarted`: the same server was
   *   restarted, which reverted the settings
   */
  constructor(kind, say, { leavesExternal = false, restarted = false } = {}) {
    super(say);
    this.kind = kind;
    this.leavesExternal = leavesExternal;
    this.restarted = restarted;
  }
}

/** @param {Error} error @returns {EarlyEnd | null} null: an error that the user must see as such */
function earlyEndOf(error) {
  if (error instanceof EarlyEnd) return error;
  if (!(error instanceof TuneError)) return null;
  if (error.code === 'TUNE-20006') return new EarlyEnd('lost', error.message);
  if (error.code === 'TUNE-30009') return new EarlyEnd('interrupted', 'Ctrl-C ended the trial.');
  if (error.code !== 'TUNE-20010') return null;
  const { restarted = false } = /** @type {TuneError & { restarted?: boolean }} */ (error);
  return new EarlyEnd('gone', restarted ? RESTARTED : error.message, { restarted });
}

const RESTARTED = 'The server restarted, which reverted the settings of the trial.';

module.exports = { EarlyEnd, earlyEndOf };
