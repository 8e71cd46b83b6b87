'use strict';

const { EJSON } = require('bson');

/**
 * What a server answered, command by command, so that commands that only read can be asked again
 * without it.
 * @typedef {{ database: string, spec: any, answer?: any, error?: { code: number, message: string } }}
 *   Exchange
 * @typedef {{ db(name: string): { command(spec: any, options?: object): Promise<any> } }} Client
 *   as much of the driver's MongoClient as a port uses
 */

/** Moments, ids and sessions differ from run to run; they do not decide which answer is meant. */
const PASSING = /"\$(date|numberLong|oid|binary|timestamp)":("[^"]*"|\{[^}]*\})/g;

/**
 * @param {any} client the driver's
 * @param {Exchange[]} heard gets every command with its answer
 * @returns {Client}
 */
function recordingClient(client, heard) {
  return {
    db: (database) => ({
      command: async (spec, options) => {
        try {
          const answer = await client.db(database).command(spec, options);
          heard.push({ database, spec, answer });
          return answer;
        } catch (error) {
          const { code, message } = /** @type {any} */ (error);
          heard.push({ database, spec, error: { code, message } });
          throw error;
        }
      },
    }),
  };
}

/**
 * A server that answers as it did: the same command in the same order as then, and each last answer
 * again and again. A command that is spelled differently today, such as a serverStatus with other
 * sections, gets all that was answered to its name.
 * @param {readonly Exchange[]} heard
 * @returns {Client}
 */
function answeringClient(heard) {
  /** @type {Map<string, Exchange[]>} */
  const answers = new Map();
  for (const exchange of heard)
    for (const key of keysOf(exchange)) answers.set(key, [...(answers.get(key) ?? []), exchange]);
  return {
    db: (database) => ({
      command: async (spec) => {
        const [exact, like] = keysOf({ database, spec });
        const queue = answers.get(exact) ?? together(answers.get(like) ?? []);
        if (queue.length === 0)
          throw Object.assign(new Error(`no answer was recorded to ${EJSON.stringify(spec)}`), {
            code: 59,
          });
        const { answer, error } = queue.length > 1 ? /** @type {any} */ (queue.shift()) : queue[0];
        if (error) throw Object.assign(new Error(error.message), error);
        return answer;
      },
    }),
  };
}

/** @param {readonly Exchange[]} all to one name @returns {Exchange[]} one, or none */
function together(all) {
  const good = all.filter(({ error }) => !error);
  return good.length === 0
    ? all.slice(0, 1)
    : [{ ...good[0], answer: Object.assign({}, ...good.map(({ answer }) => answer)) }];
}

/** @param {Pick<Exchange, 'database' | 'spec'>} exchange @returns {string[]} as it is, and by name */
function keysOf({ database, spec: { comment: _ofTheCall, ...spec } }) {
  const [name] = Object.keys(spec);
  const exact = EJSON.stringify(spec, { relaxed: false }).replace(PASSING, '"$$$1"');
  const of = typeof spec[name] === 'string' ? ` ${database} ${spec[name]}` : '';
  return [`${database} ${exact}`, `${name}${of}`];
}

module.exports = { answeringClient, recordingClient };
