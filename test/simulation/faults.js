'use strict';

/**
 * @import { Patch } from './load'
 */

/**
 * Faults that are put into the real code, one at a time, to see that the simulation finds them: a
 * change of a module's text, or of what it gives out.
 * @typedef {{ what: string, patches: Patch[], coveredBy?: string[] }} Fault
 *   `coveredBy`: others, without which this one does hardly any harm; all are put into the code,
 *   and what the others do without this one is not counted
 */

/**
 * @param {string} file
 * @param {string | RegExp} from
 * @param {string} to
 * @returns {Patch}
 */
const replaced = (file, from, to) => ({
  file,
  text(name, source) {
    if (name !== file) return source;
    const made = source.replace(from, to);
    if (made === source)
      throw new Error(`${file} has no ${from} any more: the fault is to be put in another way`);
    return made;
  },
});

/**
 * @param {string} file
 * @param {Record<string, any>} functions in the place of those that it gives out
 * @returns {Patch}
 */
const instead = (file, functions) => ({
  file,
  exports(name, given) {
    if (name !== file) return given;
    for (const key in functions)
      if (!(key in given))
        throw new Error(
          `${file} gives out no ${key} any more: the fault is to be put in another way`,
        );
    return { ...given, ...functions };
  },
});

const nothing = async () => undefined;
/** An operation that always passes. */
const passes = () => ({ op: 'n', ns: '', o: {} });

/** `run` tries each step beforehand, and would find some of these. */
const untried = instead('split/rehearsal.js', { rehearse: nothing });

/** What was read before the transaction held the source is all. */
const noLastCheck = replaced('split/replace-view.js', 'await closed?.step?.held?.();', ';');

/** @type {Readonly<Record<string, Fault>>} */
const FAULTS = Object.freeze({
  'no-permit': {
    what: 'a step does not use a permit up: it happens as often as it arrives',
    patches: [untried, instead('split/permit.js', { usePermit: () => [] })],
  },
  'no-withdrawal': {
    what: 'a permit is good from its beginning to its end',
    patches: [
      untried,
      instead('split/permit.js', {
        preparePermit: nothing,
        withdrawPermit: nothing,
        grantPermit: nothing,
      }),
    ],
  },
  'no-withdrawal-after': {
    what: 'who comes next does not withdraw the last permit',
    patches: [
      untried,
      replaced(
        'split/atomic-step.js',
        /async function withdrawLast\(job\) \{/,
        'async function withdrawLast(job) {\n  return;',
      ),
    ],
    // A step that is granted late proves that what it keeps, and each view, is as it was seen.
    coveredBy: ['no-proof-of-uuid', 'no-proof-of-view'],
  },
  'no-proof-of-uuid': {
    what: 'a step does not prove that what it keeps is there',
    patches: [untried, instead('split/operations.js', { isThere: passes })],
  },
  'no-proof-of-view': {
    what: 'a step does not prove that a name is no collection',
    patches: [untried, instead('split/operations.js', { isNoCollection: passes })],
  },
  'no-sample-at-builds': {
    what: 'a step does not ask whether an index is being built',
    patches: [
      untried,
      replaced(
        'split/index-builds.js',
        'async function checkNoBuild(port, place) {',
        'async function checkNoBuild(port, place) {\n  return;',
      ),
      replaced('split/server-lock.js', 'if (builds.length > 0) return', 'if (false) return'),
    ],
  },
  'no-second-sample-at-builds': {
    what: 'a step asks for builds before it is sent, and not once it waits for its lock',
    patches: [
      untried,
      replaced('split/server-lock.js', 'if (builds.length > 0) return', 'if (false) return'),
    ],
  },
  'no-new-name': {
    what: 'who takes over goes on with the staging copy under its name',
    patches: [
      untried,
      replaced(
        'split/rename-staging.js',
        'async function renew(job) {',
        'async function renew(job) {\n  return;',
      ),
    ],
  },
  'no-recovery': {
    what: 'who takes over does not ask what was under way',
    patches: [
      untried,
      replaced(
        'split/split-job.js',
        'this.doubt = lease.tookOver ? TAKEN_OVER : null',
        'this.doubt = null',
      ),
    ],
  },
  'no-recovery-again': {
    what: 'a takeover that came to a halt halfway is not begun anew by whoever is next',
    patches: [
      untried,
      replaced(
        'split/with-lease.js',
        'if (job.doubt) await recover(job);',
        'if (job.doubt) await recover(job).finally(() => { job.doubt = null; });',
      ),
      // It reads the copy's indexes, and fails where that is not there.
      replaced('split/cutover-steps.js', 'await stopExpiryOfCopy(job, direction());', ''),
    ],
    // Each look at the copy, and each step, proves by its UUID that it is where it is written down.
    coveredBy: ['no-sample-at-copy', 'no-proof-of-uuid'],
  },
  'no-sample-at-copy': {
    what: 'nobody looks whether the copy is where it is written down',
    patches: [
      untried,
      replaced('split/target.js', '(expected && !sameUuid(info.info.uuid, expected))', 'false'),
      instead('split/target.js', { checkStaging: nothing, isStaging: async () => true }),
      replaced(
        'split/replace-view.js',
        'if (!data || !sameUuid(data.info.uuid, to.uuid))',
        'if (!data)',
      ),
    ],
    coveredBy: ['no-proof-of-uuid'],
  },
  'no-lease-at-save': {
    what: 'who writes the state down need not have the lease',
    patches: [
      untried,
      replaced(
        'split/state.js',
        "'lease.owner': owner, revision: split.revision }",
        'revision: split.revision }',
      ),
    ],
    // Whoever takes over writes down something, and the revision is another one.
    coveredBy: ['no-revision-at-save'],
  },
  'no-revision-at-save': {
    what: 'an old state that arrives late is written over a newer one of the same shell',
    patches: [untried, replaced('split/state.js', 'revision: split.revision }', '}')],
    // The last permit is forgotten: then it is not withdrawn, which is covered in the same way.
    coveredBy: ['no-proof-of-uuid', 'no-proof-of-view'],
  },
  'no-sample-at-finish': {
    what: 'finish does not look whether the new place is there',
    patches: [
      untried,
      replaced(
        'split/finish.js',
        'const isThere = await job.again(() => isInPlace(port, keeps));',
        'const isThere = true;',
      ),
    ],
    coveredBy: ['no-proof-of-uuid'],
  },
  'no-sample-at-abort': {
    what: 'abort does not look whether the source is there',
    patches: [
      untried,
      replaced('split/abort.js', 'if (!isBack && !keep)', 'if (false)'),
      replaced(
        'split/abort.js',
        'const keeps = isBack ? source : copies[0];',
        'const keeps = source;',
      ),
    ],
    coveredBy: ['no-proof-of-uuid'],
  },
  'no-catching-up': {
    what: 'a cut that was left is done at once, however far behind',
    patches: [
      untried,
      replaced(
        'split/cutover-steps.js',
        'async function prepare(job, way) {',
        "async function prepare(job, way) {\n  if (way === 'forward') return;",
      ),
    ],
  },
  'no-catching-up-reverse': {
    what: 'the same on the way back',
    patches: [
      untried,
      replaced(
        'split/cutover-steps.js',
        'async function prepare(job, way) {',
        "async function prepare(job, way) {\n  if (way === 'reverse') return;",
      ),
    ],
  },
  'expires-aside': {
    what: 'the old data goes on expiring after the cut',
    patches: [
      untried,
      replaced(
        'split/cutover.js',
        /\.\.\.split\.ttl\[direction\.way\]\.map\([^\n]*\n[^\n]*\n[^\n]*\n/,
        '\n',
      ),
      replaced(
        'split/where-it-stands.js',
        'return expiresNever(port, { db: from.db, name: from.renamedTo }, split.ttl[way]);',
        'return true;',
      ),
      // Found in time, it is compared in full.
      replaced('split/cutover-steps.js', 'await stopExpiryOfCopy(job, direction());', ''),
    ],
  },
  'time-not-held': {
    what: 'nobody keeps the times of expiry as they were seen until the cut',
    patches: [
      replaced(
        'split/atomic-step.js',
        'await pinCollections(port, transaction, (await step.pinned?.()) ?? []);',
        '',
      ),
    ],
  },
  'drop-by-name': {
    what: 'a copy is dropped by its name',
    patches: [
      untried,
      replaced('split/drop.js', 'command(db, { drop: name }, uuid)', 'command(db, { drop: name })'),
    ],
  },
  'lease-of-the-living': {
    what: 'a process of another namespace with the same number is taken for dead',
    patches: [
      untried,
      replaced(
        'split/lease.js',
        'if (!started || `${boot} ${namespace}` !== spaceOf()) return false;',
        'if (!started) return false;',
      ),
    ],
    // It only lets another shell take over early, and whoever takes over does so safely at any
    // time.
    coveredBy: ['no-recovery'],
  },
  'same-mark-again': {
    what: 'a cut that was undone leaves its mark in the stream for the next one',
    patches: [
      untried,
      replaced('split/undo-cut.js', 'if (!wasCut) return {};', 'return {};'),
      replaced(
        'split/cut-name.js',
        'const renamed = before + 1;',
        'const renamed = before + 1;\n  return {};',
      ),
      replaced('split/cut-mark.js', 'if (cutBy && operationType', 'if (operationType'),
      replaced('split/stream.js', 'if (!seen.cut) return;', 'return;'),
    ],
  },
  'mark-undone-by-hand': {
    what: 'a cut that somebody undid by hand leaves its mark in the stream for the next one',
    patches: [
      untried,
      replaced('split/undo-cut.js', '...nextCutName(', '...(wasCut ? nextCutName : null)?.('),
      replaced('split/cut-name.js', 'if (job.unusedName === renamedTo) return;', 'return;'),
      replaced('split/cutover.js', 'if (!state.mayBeDone || ', 'if (true || '),
      replaced('split/cut-mark.js', 'if (cutBy && operationType', 'if (operationType'),
      replaced('split/stream.js', 'if (!seen.cut) return;', 'return;'),
    ],
  },
  'mark-left-behind': {
    what: 'what is written down goes past the mark of the cut',
    patches: [
      untried,
      replaced('split/stream.js', 'if (!seen.cut) token = pulled.token;', 'token = pulled.token;'),
    ],
  },
  'stream-too-late': {
    what: 'following begins where the copy ended',
    patches: [
      untried,
      replaced(
        'split/advance.js',
        "await job.save({ phase: 'indexing',",
        "await job.save({ phase: 'indexing', startAt: await job.again(() => " +
          "require('./server').majorityTime(job.port)),",
      ),
      replaced('split/read-ahead.js', 'job.readAhead({', 'void ({'),
    ],
  },
  'no-rest': {
    what: 'the new name answers before what was written last is there',
    patches: [
      untried,
      replaced(
        'split/cutover-steps.js',
        'await drain(job, directionOf(job.split, way));',
        "if (way === 'reverse') await drain(job, directionOf(job.split, way));",
      ),
      noLastCheck,
    ],
  },
  'no-last-check': {
    what: 'a switch relies on what was read before its transaction held the source',
    patches: [untried, noLastCheck],
  },
  'no-name-of-the-cut': {
    what: 'the source has a name that is not watched, is written to, and has that of its cut again',
    patches: [
      untried,
      replaced('split/stream.js', "{ 'to.coll': from.renamedTo },", ''),
      noLastCheck,
    ],
  },
  'no-deletes': {
    what: 'what was deleted meanwhile stays in the copy',
    patches: [
      untried,
      replaced(
        'split/stream.js',
        "if (event.operationType === 'delete') seen.gone.set(key, id);",
        '',
      ),
    ],
  },
});

/**
 * @param {string | null} fault
 * @param {boolean} [isAlone] what covers it stays
 * @returns {{ faulty: Patch[], sound: Patch[] }} `sound`: what
 *   goes wrong with these too says nothing of the fault
 */
function patchesOf(fault, isAlone = false) {
  if (fault === null) return { faulty: [], sound: [] };
  const { patches, coveredBy } = FAULTS[fault];
  const sound = isAlone ? [] : (coveredBy ?? []).flatMap((other) => FAULTS[other].patches);
  return { faulty: [...patches, ...sound], sound };
}

module.exports = { FAULTS, patchesOf };
