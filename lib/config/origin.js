'use strict';

/**
 * @import { Startup } from './mongod-conf'
 */

/**
 * What a Config was made from, for a caller that has only the Config.
 * @typedef {{ startup: Startup | null, runTime: string[] }} Origin
 * @type {WeakMap<object, Origin>}
 */
const ORIGINS = new WeakMap();

/** @param {object | null} config @returns {Origin} */
const startOf = (config) => ORIGINS.get(config ?? {}) ?? { startup: null, runTime: [] };

/** @param {object} config @param {Origin} origin */
const rememberOrigin = (config, origin) => void ORIGINS.set(config, origin);

module.exports = { rememberOrigin, startOf };
