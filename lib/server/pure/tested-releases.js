'use strict';

const { compareVersions, seriesOf } = require('../../base/pure/version');

/**
 * The release series with which tune was tested. A new series is one line here, and one in the
 * table of docs/compatibility.md.
 * @typedef {'live' | 'recordings' | 'names'} Tested `live`: its tests ran on such a server;
 *   `recordings`: diagnostic data and server statuses of real servers were read; `names`: the
 *   counters were compared with published sources
 */
const SERIES = Object.freeze(
  /** @type {Record<string, { tested: Tested, releases: readonly string[] }>} */ ({
    4.4: { tested: 'live', releases: ['4.4.2'] },
    '5.0': { tested: 'live', releases: ['5.0.4'] },
    '6.0': { tested: 'live', releases: ['6.0.5', '6.0.24', '6.0.27'] },
    '7.0': { tested: 'recordings', releases: [] },
    '8.0': { tested: 'recordings', releases: [] },
    8.2: { tested: 'recordings', releases: [] },
    '9.0': { tested: 'names', releases: [] },
  }),
);

const HOW = Object.freeze({
  recordings: 'never tested live; counters verified from recordings',
  names: 'never tested live; counters verified from published names',
});

/**
 * Finds how far the server's release was tested.
 * @param {string | null} version null: not known
 * @returns {{ series: string, tested: Tested | 'newer' | 'no' } | null} `newer` than every tested
 *   series; null where the version is not known
 */
function testedAs(version) {
  if (version === null || !/^\d+\.\d+/.test(version)) return null;
  const series = seriesOf(version);
  if (Object.hasOwn(SERIES, series)) return { series, tested: SERIES[series].tested };
  const isNewer = Object.keys(SERIES).every((known) => compareVersions(series, known) > 0);
  return { series, tested: isNewer ? 'newer' : 'no' };
}

/**
 * Notes what the reader of an answer about this server has to know.
 * @param {string | null} version
 * @returns {string[]} one note; none where the series was tested live
 */
function releaseNotes(version) {
  const found = testedAs(version);
  if (found === null || found.tested === 'live') return [];
  const { series, tested } = found;
  if (tested === 'newer')
    return [
      `MongoDB ${series}: not tested; it is newer than every release that tune was tested with. ` +
        'A counter with a new name is unknown.',
    ];
  if (tested === 'no') return [`MongoDB ${series}: not tested, neither live nor from recordings.`];
  return [`MongoDB ${series}: ${HOW[tested]}.`];
}

module.exports = { SERIES, testedAs, releaseNotes };
