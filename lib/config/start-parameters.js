'use strict';

const { GiB, MiB } = require('../base/pure/units');
const { toNumber } = require('../base/pure/numbers');

/**
 * @import { Change } from '../base/types'
 */

/**
 * Parameters of mongod that set the engine at its start: sizes in GB, that stand before configString
 * in the string WiredTiger is opened with (src/mongo/db/storage/wiredtiger: wiredtiger_options.idl).
 */
const THRESHOLD_PARAMETERS = Object.freeze(
  /** @type {const} */ ({
    evictionDirtyTarget: 'wiredTigerEvictionDirtyTargetGB',
    evictionDirtyTrigger: 'wiredTigerEvictionDirtyMaxGB',
    evictionUpdatesTarget: 'wiredTigerEvictionUpdatesTargetGB',
    evictionUpdatesTrigger: 'wiredTigerEvictionUpdatesMaxGB',
  }),
);
const SESSION_MAX = 'wiredTigerSessionMax';

/** An option of the command line comes as text. @param {unknown} value */
const numberOf = (value) =>
  typeof value === 'string' && value.trim() !== ''
    ? toNumber(Number(value))
    : toNumber(/** @type {any} */ (value));

/**
 * @param {any} parameters the section setParameter of the start-up options
 * @returns {Change} bytes, as WiredTiger takes them
 */
const thresholdsIn = (parameters) =>
  Object.fromEntries(
    Object.entries(THRESHOLD_PARAMETERS).flatMap(([setting, name]) => {
      const gb = numberOf(parameters?.[name]);
      return gb === undefined || gb <= 0 ? [] : [[setting, Math.floor((gb * GiB) / MiB) * MiB]];
    }),
  );

/** @param {any} parameters @returns {number | null} null: not set */
const sessionMaxIn = (parameters) => numberOf(parameters?.[SESSION_MAX]) ?? null;

module.exports = { thresholdsIn, sessionMaxIn, numberOf };
