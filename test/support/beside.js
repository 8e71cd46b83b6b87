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

/**
 * A context in which each command passes through the hands of a test, those of the database admin, too.
 * @template {Context} C
 * @param {C} ctx
 * @param {(send: () => Promise<any>, spec: any, database: string) => Promise<any>} between
 * @returns {C} the same one
 */
function throughHands(ctx, between) {
  const { command: send } = ctx.port;
  ctx.port.command = (
    /** @type {string} */ database,
    /** @type {any} */ spec,
    /** @type {any[]} */ ...more
  ) => between(() => /** @type {any} */ (send)(database, spec, ...more), spec, database);
  ctx.port.adminCommand = (/** @type {any} */ spec) => ctx.port.command('admin', spec);
  return ctx;
}

module.exports = { beforeCall, throughHands };
