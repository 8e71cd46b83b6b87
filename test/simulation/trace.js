'use strict';

const { EPOCH_MS } = require('./loop');

/** A line for each message that reaches the server. @param {(line: string) => void} say */
const trace =
  (say) =>
  (
    /** @type {any} */ who,
    /** @type {any} */ what,
    /** @type {any} */ fate,
    /** @type {number} */ at = 0,
  ) => {
    const moment = `${((at - EPOCH_MS) / 1000).toFixed(4).padStart(10)}`;
    if (who === 'action')
      return say(`${moment}   * ${what.name} ${what.kind} ${what.verb ?? what.which ?? ''}`);
    const { command } = what;
    const shown = JSON.stringify(command, (key, value) =>
      SKIPPED.has(key) ? undefined : value,
    ).slice(0, 230);
    return say(`${moment} ${who} ${fate ? `(${fate.kind}) ` : ''}${what.db}: ${shown}`);
  };
const SKIPPED = new Set([
  'maxTimeMS',
  'writeConcern',
  'comment',
  'readConcern',
  'bypassDocumentValidation',
  'hint',
  'cursor',
]);

module.exports = { trace };
