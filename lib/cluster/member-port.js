'use strict';

const { HELLO } = require('../server/pure/commands');
const { TuneError } = require('../base/pure/errors');
const { processIdOf } = require('../server/identity');
const { readIdentity } = require('./replica-set');
const { proveShard } = require('./shards');
const { notTheMember } = require('../server/pure/replica-set');
const { heldPort } = require('../change/own-connection');

/**
 * @import { Connected, Port } from '../base/context'
 * @import { Identity } from '../server/pure/replica-set'
 * @import { Place, SetPlace } from '../server/pure/types'
 */

/**
 * Reaches one member of a set, and no other server, whatever answers at its address.
 * @typedef {{
 *   place: Place, set: SetPlace
 * }} Meant
 */

/**
 * @param {Identity} is
 * @param {Meant} meant
 * @throws {TuneError} TUNE-20010
 */
function refuseOther(is, { place, set }) {
  const why = notTheMember(place, set, is);
  if (why === null) return;
  const words = `The server at ${place.host} is not the expected member: it ${why}.`;
  throw new TuneError('TUNE-20010', words, { value: place.host, allowed: set.name });
}

/** @param {Port} port @param {Meant} meant @throws {TuneError} TUNE-20005, TUNE-20010 */
async function proveMember(port, meant) {
  refuseOther(await readIdentity(port), meant);
  await proveShard(port, meant);
}

/**
 * @param {() => Promise<Connected>} open @param {Meant} meant
 * @returns {Promise<Port>} a port over a connection that is held
 * @throws {TuneError} TUNE-20010, and the driver's errors
 */
const memberPort = (open, meant) =>
  heldPort(open, { host: meant.place.host, prove: (port) => proveMember(port, meant) });

/**
 * Uses the shell's own connection, for a member that cannot be reached otherwise. Its driver may
 * switch to another member at any time, so the member is proven before each change, and after each
 * read.
 * @param {Port} port @param {Meant} meant
 * @returns {Promise<Port>}
 * @throws {TuneError} TUNE-20010
 */
async function sharedPort(port, meant) {
  await proveMember(port, meant);
  const first = await processOf(port);
  const { host } = meant.place;
  const isStill = async () => (await processOf(port)) === first;
  const run = async (
    /** @type {string} */ database,
    /** @type {Record<string, unknown>} */ spec,
  ) => {
    if (spec.setParameter !== undefined) {
      await proveMember(port, meant);
      if (!(await isStill()))
        throw new TuneError(
          'TUNE-20010',
          `Another process now answers at ${host}: nothing was sent.`,
          { value: host },
        );
      return asked(port, database, spec);
    }
    const answer = await asked(port, database, spec);
    // A restarted member counts as the same member.
    if (!(await isStill())) await proveMember(port, meant);
    return answer;
  };
  return { command: run, adminCommand: (spec) => run('admin', spec) };
}

/** @param {Port} port @param {string} database @param {Record<string, unknown>} spec */
const asked = (port, database, spec) =>
  database === 'admin' ? port.adminCommand(spec) : port.command(database, spec);

/** @param {Port} port @returns {Promise<string | null>} null: not reported (before 4.4) */
async function processOf(port) {
  return processIdOf(await port.adminCommand(HELLO));
}

module.exports = { memberPort, sharedPort, refuseOther };
