'use strict';

const { namesOf, partsOf, movedSentence, notYetSentence } = require('./split-names');
const { visible, literal, quoted } = require('../../base/pure/printable');
const { ONLINE } = require('./script-following');
const { COMMON } = require('./script-functions');

/**
 * @import { Move, SplitPlan } from './types'
 */

const WIDTH = 100;

/**
 * Prints the plan as commands of mongosh with comments, in the order in which no write is lost:
 * target first, changes followed from before the copy, the source cut off in one step, the rest
 * applied, and only then the new place opened.
 * @param {SplitPlan} plan a plan without blockers
 * @returns {string}
 */
function scriptOf(plan) {
  const { id, host, version, from, into, moves, mode, warnings, views } = plan;
  return [
    ...comment(
      `Split of ${from} into ${into.join(', ')}: plan ${id}, for ${host ?? 'this server'}, ` +
        `MongoDB ${version ?? '?'}.`,
    ),
    ...comment(
      'For mongosh on the primary, block by block, or as a whole (mongosh URI --file FILE): ' +
        'then it also switches to the new collection. An error stops it: do what it says, or ' +
        'roll back as the end of each collection shows. Once the target is active, the script has ' +
        'no way back. tune.split.run(plan) does more: it resumes after an interruption, and a ' +
        'step of it that is sent twice changes nothing the second time. Here, run each step ' +
        'once. A step names collections by UUID and fails where it finds another collection. ' +
        'An _id passes through JavaScript: do not use the script for an _id with numbers as ' +
        'field names, or with dates beyond the year 275760.',
    ),
    ...comment(
      `The user needs readWrite and dbAdmin on ${[from, ...into].join(', ')} and the cluster ` +
        'actions applyOps and useUUID (docs/privileges.md). Change a write concern or a ' +
        'readPreference of the connection before you begin: reads must come from the primary.',
    ),
    ...warnings.flatMap(({ say }) => comment(`! ${say}`)),
    COMMON,
    ...(mode === 'online' ? [ONLINE] : []),
    '',
    ...moves.flatMap((move, i) =>
      (mode === 'online' ? online : offline)(plan, move, `move${i + 1}`),
    ),
    ...views.flatMap(viewAgain),
    ...comment(
      'Then connect the application to the target namespaces, and grant its users ' +
        'the same roles there.',
    ),
    '',
  ].join('\n');
}

/** @param {SplitPlan} plan @param {Move} move @param {string} name */
function head({ id }, { ns, into, uuid, warnings }, name) {
  const names = namesOf({ ns, into, id });
  return [
    '',
    ...comment(`==== ${ns} to ${into}`),
    ...warnings.flatMap(({ say }) => comment(`! ${say}`)),
    `var ${name} = ` +
      `${literal({ ...names, uuid, notYet: notYetSentence(into, ns), moved: movedSentence(ns, into) })};`,
  ];
}

/** @param {SplitPlan} plan @param {Move} move @param {string} name @returns {string[]} */
function online(plan, move, name) {
  const copy =
    move.method === 'ranges'
      ? [`copyInRanges(${name});`]
      : [
          `at(${name}.database, ${name}.collection).aggregate([{ $out: { db: ` +
            `${name}.targetDatabase, coll: ${name}.stagingName } }], { bypassDocumentValidation: ` +
            'true });',
        ];
  return [
    ...head(plan, move, name),
    ...step(
      '1. The staging copy is created with the same options; the target namespace is blocked.',
    ),
    `prepare(${name});`,
    ...step('2. The change stream is opened before the copy.'),
    `follow(${name});`,
    ...step(`3. The server copies the documents (${move.why}).`),
    ...copy,
    ...step('4. The indexes are built, and new writes applied.'),
    `buildIndexesAndFollow(${name});`,
    ...step(
      '5. Every document is compared, and copied again if it differs. Leave this ' +
        'step out if reading all documents takes too long.',
    ),
    `verify(${name});`,
    `catchUp(${name}, ${name}.collection, false);`,
    `sameDefinitions(${name}, ${name}.collection);`,
    ...step('6. The source is blocked: the application gets errors from here to step 8.'),
    `blockSource(${name});`,
    ...step('7. Options and indexes are compared, and the last writes applied.'),
    `sameDefinitions(${name}, ${name}.renamedTo);`,
    `catchUp(${name}, ${name}.renamedTo, true);`,
    `applyPending(${name});`,
    `sameCount(${name}, ${name}.renamedTo);`,
    `verifyRest(${name});`,
    ...step('8. The target becomes active. The old data stays as the renamed source.'),
    `activateTarget(${name});`,
    `${name}.stream.close();`,
    ...endings(name),
    ...back(name, `if (${name}.stream) ${name}.stream.close();`),
  ];
}

/** @param {SplitPlan} plan @param {Move} move @param {string} name @returns {string[]} */
const offline = (plan, move, name) => [
  ...head(plan, move, name),
  ...step('1. The staging copy is created with the same options; the target namespace is blocked.'),
  `prepare(${name});`,
  ...step('2. The source is blocked: the application gets errors from here to step 5.'),
  `blockSource(${name});`,
  ...step('3. The server copies the documents and builds the indexes.'),
  `at(${name}.database, ${name}.renamedTo).aggregate([{ $out: { db: ${name}.targetDatabase, ` +
    `coll: ${name}.stagingName } }], { bypassDocumentValidation: true });`,
  `buildIndexes(${name}, ${name}.renamedTo);`,
  ...step('4. Options, indexes, the number of documents and every document are compared.'),
  `sameDefinitions(${name}, ${name}.renamedTo);`,
  `sameCount(${name}, ${name}.renamedTo);`,
  `if (differences(${name}, ${name}.renamedTo).length > 0) throw new ` +
    `Error(${name}.ns + " differs: roll back");`,
  ...step('5. The target becomes active. The old data stays as the renamed source.'),
  `activateTarget(${name});`,
  ...endings(name),
  ...back(name),
];

/** @param {string} name */
const endings = (name) => [
  ...step('Later, once the old data is no longer needed (there is no rollback after this):'),
  `// dropOldData(${name});`,
];

/** @param {string} name @param {string} [first] @returns {string[]} */
const back = (name, first) => [
  ...step('To roll back before the target is active:'),
  ...(first ? [`// ${first}`] : []),
  `// rollBack(${name});`,
];

/** @param {SplitPlan['views'][number]} view */
function viewAgain({ ns, into }) {
  const [database, name] = partsOf(ns);
  const [target] = partsOf(into);
  return [
    '',
    ...comment(`The view ${ns}, as it is, in ${target}.`),
    `db.getSiblingDB(${quoted(target)}).runCommand({ create: ${quoted(name)}, ` +
      `...infoOf(${quoted(database)}, ${quoted(name)}).options });`,
  ];
}

/** @param {string} text */
const step = (text) => ['', ...comment(text)];

/** Prints a comment that no name can end. @param {string} text @returns {string[]} */
function comment(text) {
  const lines = ['//'];
  for (const word of visible(text).split(' ')) {
    const line = lines[lines.length - 1];
    if (line !== '//' && line.length + 1 + word.length > WIDTH) lines.push(`// ${word}`);
    else lines[lines.length - 1] = `${line} ${word}`;
  }
  return lines;
}

module.exports = { scriptOf };
