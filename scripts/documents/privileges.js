'use strict';

/**
 * What a user must be allowed, by command; docs/privileges.md has the roles in full. What stands
 * for a command holds for those below it, too.
 */
const LOOK = '`clusterMonitor`, or the smaller role `tuneRead`';
const NONE = 'none: it asks no server';
const BENCH =
  `${LOOK}; with \`{ confirm: true }\` also \`readWrite\` and \`dbAdmin\` on ` +
  `its database (\`tune_bench\`)`;

/** @type {Readonly<Record<string, string>>} */
const PRIVILEGES = Object.freeze({
  rules: NONE,
  symptom: NONE,
  demo: NONE,
  policy: NONE,
  explain: NONE,
  replay: NONE,
  ftdc: NONE,
  incident: 'none for files and bundles; for its own files '.concat(LOOK),
  'incident.bundle': 'none for files; for its own files '.concat(LOOK),
  fleet: `${LOOK}, on each server`,
  lint: 'none; without `version` it asks the connected server which release it is',
  history: `${LOOK}; with \`{ all: true }\` none`,
  host:
    `${LOOK}; nothing of what it reads on this machine needs root, and what only root may see ` +
    `is \`unknown\``,
  'host.collect': 'none in MongoDB; its script needs no root either',
  members: `${LOOK}, on each member`,
  ttl: `${LOOK}; \`readAnyDatabase\` besides, for the hours at which documents are due`,
  'report.compare': NONE,
  bench: BENCH,
  'bench.steps': `${BENCH}, and \`setParameter\` for steps that are settings`,
  'bench.clean': '`dbAdmin` on the database of the benchmark',
  split: 'those of the role `tuneSplit`',
  'split.script': NONE,
  'split.plan':
    `${LOOK}; \`readAnyDatabase\` and \`userAdminAnyDatabase\` besides, for options, indexes, ` +
    'views and who loses access',
});

/** What stands for a command alone. @type {Readonly<Record<string, string>>} */
const ALONE = Object.freeze({ split: NONE });

/**
 * @param {string} name of a command, `host.collect` @param {boolean} changes
 * @returns {string}
 */
function privilegesOf(name, changes) {
  if (Object.hasOwn(ALONE, name)) return ALONE[name];
  return belowOf(name, changes);
}

/** @param {string} name @param {boolean} changes @returns {string} */
function belowOf(name, changes) {
  if (Object.hasOwn(PRIVILEGES, name)) return PRIVILEGES[name];
  const above = name.slice(0, Math.max(0, name.lastIndexOf('.')));
  if (above !== '') return belowOf(above, changes);
  return changes
    ? `${LOOK}; with \`{ confirm: true }\` also the action \`setParameter\` (role \`tuneChange\`)`
    : LOOK;
}

module.exports = { privilegesOf, PRIVILEGES };
