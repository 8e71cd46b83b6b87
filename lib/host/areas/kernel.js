'use strict';

const { HostFileError, latest } = require('../snapshot');

/**
 * @import { Area, Gathered } from '../snapshot'
 */

const RELEASE = '/proc/sys/kernel/osrelease';
// The first is for Linux 5.13 and later, the second for older kernels.
const FEATURES = ['/sys/kernel/debug/sched/features', '/sys/kernel/debug/sched_features'];
// EEVDF replaced CFS in Linux 6.6; a distribution may have put it into an older kernel, which its
// features then show.
const FIRST_EEVDF = 6006;
const FEATURE_OF_EEVDF = /\b(NO_)?PLACE_LAG\b/;

/** @type {Area} */
const AREA = {
  values(snapshots) {
    const snapshot = latest(snapshots);
    const line = async (/** @type {string} */ file) => (await snapshot.text(file)).trim();
    return {
      'os.name': () => osName(snapshot),
      // Linux has /proc/sys/kernel/arch since 6.1.
      'os.architecture': () =>
        line('/proc/sys/kernel/arch').catch(async () => (await snapshot.command('uname')).trim()),
      'os.hostname': () => line('/proc/sys/kernel/hostname'),
      'kernel.release': () => line(RELEASE),
      'kernel.number': async () => numberOf(await line(RELEASE)),
      'kernel.isEevdf': async () =>
        numberOf(await line(RELEASE)) >= FIRST_EEVDF ||
        FEATURE_OF_EEVDF.test(await features(snapshot).catch(() => '')),
      'kernel.wakeupPreemption': async () => isOn('WAKEUP_PREEMPTION', await features(snapshot)),
      'kernel.features': () => accessTo(snapshot),
    };
  },
};

/** @param {Gathered} snapshot */
async function osName(snapshot) {
  const found = /^PRETTY_NAME="?(.*?)"?$/m.exec(await snapshot.text('/etc/os-release'));
  if (found === null) throw new HostFileError('/etc/os-release has no system name');
  return found[1];
}

/** @param {string} release `6.12.0-55.el10.s390x` @returns {number} 6012 */
function numberOf(release) {
  const found = /^(\d+)\.(\d+)/.exec(release);
  if (found === null)
    throw new HostFileError(
      `${RELEASE} contains no version: ${JSON.stringify(release.slice(0, 40))}`,
    );
  return Number(found[1]) * 1000 + Number(found[2]);
}

/**
 * @param {Gathered} snapshot
 * @returns {Promise<string>} words; NO_ stands before each feature that is off
 */
async function features(snapshot) {
  const [now, before] = await Promise.allSettled(FEATURES.map((file) => snapshot.text(file)));
  if (now.status === 'fulfilled') return now.value;
  if (before.status === 'fulfilled') return before.value;
  throw now.reason;
}

/** @param {string} feature @param {string} words */
function isOn(feature, words) {
  const found = new RegExp(`\\b(NO_)?${feature}\\b`).exec(words);
  if (found === null) throw new HostFileError(`${FEATURES[0]} does not list ${feature}`);
  return found[1] === undefined;
}

/**
 * Only root may read debugfs; on a locked-down kernel not even root.
 * @param {Gathered} snapshot
 */
async function accessTo(snapshot) {
  try {
    await features(snapshot);
    return 'readable';
  } catch (error) {
    return /not readable/.test(/** @type {Error} */ (error).message)
      ? 'not permitted'
      : 'not mounted';
  }
}

module.exports = AREA;
