'use strict';

const { TuneError } = require('../base/pure/errors');
const { callText } = require('../base/pure/printable');
const { many } = require('../base/pure/units');
const { endAt } = require('./cut-mark');
const { differing } = require('./digest');
const { nsOf } = require('./directions');
const { idOf, keyOf } = require('./ids');
const { BatchSize } = require('./pure/batch-size');
const { ownId } = require('./pure/split-names');
const { majorityAt, majorityTime, nameByUuid } = require('./server');
const { POSITION_FIELDS, watchSource } = require('./stream');
const { asPassing, overrun } = require('./stream-errors');
const { compare } = require('./verify');
const { waitsForPerson } = require('./where-it-stands');

/**
 * @import { Direction } from './directions'
 * @import { Id } from './ids'
 * @import { SplitJob } from './split-job'
 */

/**
 * What the source took after its last drain, where another session gave the copy its name: it may
 * have undone the cut before that, and done it again.
 */

/** Documents: with more of them everything is compared; heuristic. */
const MAX_LATE = 100_000;

/**
 * Before it counts as moved. Only reads: what is written to the copy now must not be overwritten.
 * @param {SplitJob} job
 * @param {Direction} direction
 * @param {{ comparesAll?: boolean }} [how] whether it compares everything where the stream does not say it
 * @throws {TuneError} TUNE-35004
 */
async function checkNothingLate(job, direction, { comparesAll = true } = {}) {
  const { port, split, again } = job;
  const { from, to } = direction;
  if (split.mode === 'offline') return;
  const name = await again(() => nameByUuid(port, from.db, from.uuid));
  // Without the source nothing can be applied any more.
  if (name === undefined) return;
  const both = {
    ...direction,
    from: { ...from, renamedTo: name },
    to: { ...to, stagingName: to.name },
  };
  const seen = await idsSinceCut(job, direction);
  if (seen.ids === null && !comparesAll) return;
  const late = await countDiffering(job, both, seen.ids);
  if (late === 0) return;
  if (seen.isLost) throw differsWithoutOplog(job, both, late);
  // The next drain would not show it either.
  if (seen.isUnseen) await job.save({ needsFullCompare: true });
  throw await waitsForPerson(job, direction, lateText(direction, late), seen);
}

/** @param {Direction} direction @param {number} late documents */
const lateText = ({ from, to }, late) =>
  `${many(late, 'document')} that another session wrote to ${nsOf(from)} after its cut ` +
  `${late === 1 ? 'is' : 'are'} not the same in ${nsOf(to)}.`;

/**
 * Applications may have written to the copy since, too: neither side is known to be right.
 * @param {SplitJob} job @param {Direction} direction @param {number} late documents
 */
function differsWithoutOplog({ split }, { from, to }, late) {
  const data = `${from.db}.${from.renamedTo}`;
  return new TuneError(
    'TUNE-35004',
    `The oplog no longer has what ${nsOf(from)} took since its cut. ${many(late, 'document')} of ` +
      `${data} ${late === 1 ? 'is' : 'are'} not the same in ${nsOf(to)}; which is newer is not known. ` +
      `Write the right one to both, then ${callText('split.resume', ownId(split), { confirm: true })}.`,
    { value: data, waitsForPerson: true },
  );
}

/** @param {SplitJob} job @param {Direction} direction @param {Id[] | null} ids null: of everything */
const countDiffering = async (job, direction, ids) =>
  ids ? (await differing(job, direction, ids)).length : differences(job, direction);

/** Of everything; what only the copy has was written there since. @param {SplitJob} job @param {Direction} direction */
async function differences(job, direction) {
  const found = await compare(job, direction, null, { repair: false });
  return found.differences.filter(({ where }) => where !== 'target').length;
}

/**
 * @param {SplitJob} job
 * @param {Direction} direction
 * @returns {Promise<{ ids: Id[] | null, isLost: boolean, isBack?: boolean, isUnseen?: boolean }>} null: the
 *   stream does not say it; `isLost`: the oplog has it no more; `isBack`: the cut was undone, and done
 *   again; `isUnseen`: the source had a name of which it shows nothing
 */
async function idsSinceCut(job, direction) {
  const { port, split } = job;
  const batches = new BatchSize();
  return job.again(async () => {
    const until = await majorityTime(port);
    const isOver = endAt((time) => majorityAt(port, time), until);
    const token = split[POSITION_FIELDS[direction.way].token];
    const stream = watchSource(port, split, direction, { token, batchSize: batches.size });
    try {
      const seen = newSeen(direction);
      const ids = await read(job, stream, direction, { isOver, until, seen });
      return {
        ids,
        isLost: false,
        isBack: seen.isBack,
        isUnseen: !isWatched(direction, seen.name),
      };
    } catch (error) {
      batches.failed();
      if (overrun(error, direction)) return { ids: null, isLost: true };
      throw asPassing(error);
    } finally {
      await stream.close().catch(() => undefined);
    }
  });
}

/**
 * @typedef {{ from: Direction['from'], name: string, ids: Map<string, Id>, isBack: boolean }} Seen `name`:
 *   of the source
 */

/** @param {Direction} direction @returns {Seen} */
const newSeen = ({ from }) => ({ from, name: from.name, ids: new Map(), isBack: false });

/** Under another name no event says what was written. @param {Direction} direction @param {string} name */
const isWatched = ({ from, undoneCuts }, name) =>
  [from.name, from.renamedTo, ...undoneCuts.map((cut) => cut.name)].includes(name);

/**
 * @param {SplitJob} job @param {any} stream @param {Direction} direction
 * @param {{ isOver: ReturnType<typeof endAt>, until: any, seen: Seen }} end of what is read, also where
 *   events never end
 * @returns {Promise<Id[] | null>}
 */
async function read(job, stream, direction, { isOver, until, seen }) {
  for (;;) {
    job.throwIfInterrupted();
    const event = await stream.tryNext();
    if (event && !until.greaterThanOrEqual(event.clusterTime)) return [...seen.ids.values()];
    if (event) take(seen, event);
    else if (await isOver(stream.resumeToken)) return [...seen.ids.values()];
    if (!isWatched(direction, seen.name) || seen.ids.size > MAX_LATE) return null;
  }
}

/**
 * While the source is cut off, its first name is that of another collection.
 * @param {Seen} seen
 * @param {any} event
 */
function take(seen, { isDocument, operationType, ns, to, rawKey }) {
  const { from, name, ids } = seen;
  if (isDocument && (ns?.coll !== from.name || name !== from.renamedTo)) {
    const id = idOf(rawKey[0]);
    ids.set(keyOf(id), id);
  } else if (operationType === 'rename' && ns?.coll === name) {
    seen.isBack ||= name === from.renamedTo && to.coll === from.name;
    seen.name = to.coll;
  }
}

module.exports = { checkNothingLate };
