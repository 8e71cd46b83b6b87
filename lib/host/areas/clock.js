'use strict';

const { latest } = require('../snapshot');

/**
 * @import { Area } from '../snapshot'
 */

const FOLDER = '/sys/devices/system/clocksource/clocksource0';

/** The source of the kernel's clock. @type {Area} */
const AREA = {
  values(snapshots) {
    const words = async (/** @type {string} */ name) =>
      (await latest(snapshots).text(`${FOLDER}/${name}`))
        .split(/\s+/)
        .filter((word) => word !== '');
    return {
      'clock.source': async () => (await words('current_clocksource'))[0],
      'clock.available': () => words('available_clocksource'),
    };
  },
};

module.exports = AREA;
