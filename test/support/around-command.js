'use strict';

/**
 * @import { Context } from '../../lib/base/types'
 */

/**
 * Something happens once, just before or after a command, over whichever connection it is sent.
 * @template {Context} C
 * @param {C} ctx
 * @param {(command: any) => boolean} when
 * @param {{ before?(): Promise<unknown>, after?(): Promise<unknown> }} moment
 * @returns {C}
 */
function aroundCommand(ctx, when, { before = async () => {}, after = async () => {} }) {
  let isDone = false;
  const wrapped = (/** @type {any} */ port) => ({
    ...port,
    adminCommand: async (/** @type {any} */ command) => {
      if (isDone || !when(command)) return port.adminCommand(command);
      isDone = true;
      await before();
      const answer = await port.adminCommand(command);
      await after();
      return answer;
    },
  });
  const { connect } = ctx;
  return {
    ...ctx,
    port: wrapped(ctx.port),
    connect: async (host) => {
      const connected = await connect(host);
      return { ...connected, port: wrapped(connected.port) };
    },
  };
}

/**
 * The same around the call that changes a setting.
 * @template {Context} C
 * @param {C} ctx
 * @param {{ before?(): Promise<unknown>, after?(): Promise<unknown> }} moment
 * @returns {C}
 */
const aroundCall = (ctx, moment) =>
  aroundCommand(ctx, ({ setParameter }) => Boolean(setParameter), moment);

/**
 * Every command of the context's own connection, which is answered by what `around` makes of it.
 * @template {Context} C
 * @param {C} ctx changed
 * @param {(command: any, next: () => Promise<any>) => Promise<any>} around
 * @returns {C}
 */
function aroundAll(ctx, around) {
  const { adminCommand } = ctx.port;
  ctx.port.adminCommand = (/** @type {any} */ command) =>
    around(command, () => adminCommand(command));
  return ctx;
}

module.exports = { aroundCommand, aroundCall, aroundAll };
