'use strict';

const { callText } = require('../../base/pure/printable');
const { BLOCKS } = require('./schedule');

/**
 * @import { Shown } from './types'
 */

/**
 * Makes the call that repeats a complete but undecided trial with more blocks.
 * @param {Shown} data
 * @returns {string | null}
 */
function longerTrial({
  verdict,
  ended,
  b,
  order,
  moreBlocks,
  blockSeconds,
  metric,
  keep,
  guardrail,
}) {
  if (verdict !== 'inconclusive' || ended !== 'complete') return null;
  const blocks = order.length + (moreBlocks ?? order.length);
  if (blocks > BLOCKS.max) return null;
  return callText('trial', b, {
    blocks: blocks + (blocks % 2),
    blockSeconds,
    ...(metric === 'opsPerSec' ? {} : { metric }),
    ...(keep === 'never' ? { keep } : {}),
    ...(Object.keys(guardrail.given).length > 0 ? { guardrail: guardrail.given } : {}),
    confirm: true,
  });
}

module.exports = { longerTrial };
