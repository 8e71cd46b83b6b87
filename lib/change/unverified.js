'use strict';

const { TuneError } = require('../base/pure/errors');

/**
 * @import { Done } from './apply-plan'
 */

/**
 * A change of several members ends at the first one that does not show what was sent.
 * @param {Pick<Done, 'verified' | 'mismatches' | 'replaced'>} done
 * @param {string} host
 * @throws {TuneError} TUNE-30006 where another session set over it; TUNE-30004
 */
function refuseUnverified({ verified, mismatches, replaced }, host) {
  if (verified) return;
  if (replaced.length > 0)
    throw new TuneError(
      'TUNE-30006',
      `Another session set ${replaced.join(', ')} on ${host} after this change had set it.`,
      { value: replaced },
    );
  throw new TuneError('TUNE-30004', `Not as sent: ${mismatches.join('; ')}.`, { value: host });
}

module.exports = { refuseUnverified };
