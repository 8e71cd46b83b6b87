'use strict';

/**
 * @import { Context } from '../../lib/base/types'
 */

/**
 * A context in which something else happens once, just before a call reaches the server: another
 * session, or a fault.
 * @template {Context} C
 * @param {C} ctx
 * @param {(command: any) => boolean} isMoment
 * @param {() => Promise<unknown>} act
 * @param {() => void} [then] after the answer, such as to lose it
 * @returns {C}
 */
function beforeCall(ctx, isMoment, act, then = () => {}) {
  let isDone = false;
  const adminCommand = async (/** @type {any} */ command) => {
    if (isDone || !isMoment(command)) return ctx.port.adminCommand(command);
    isDone = true;
    await act();
    const answer = await ctx.port.adminCommand(command);
    then();
    return answer;
  };
  return { ...ctx, port: { ...ctx.port, adminCommand } };
}

module.exports = { beforeCall };
