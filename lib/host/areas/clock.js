'use strict';

const { latest } = require('../snapshot');

/**
 * @import { Area } from '../snapshot'
 */

const FOLDER = '/sys/devices/system/clocksource/clocksource0';

/** What the kernel reads the time from. @type {Area} */
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
