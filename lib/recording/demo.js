'use strict';

const { observationOf } = require('./pure/kept-observation');

/**
 * @import { Judgeable } from '../observe/types'
 */

/**
 * The bundled recording: ten seconds of a real MongoDB 6.0.5 with a cache of 256 MB under writes, which
 * was made for it. Its host is a name that no server has, so an advice on it can be applied to none.
 * @returns {Judgeable}
 */
const demoObservation = () => observationOf(/** @type {any} */ (require('./demo-recording.json')));

module.exports = { demoObservation };
