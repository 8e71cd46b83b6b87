'use strict';

const path = require('node:path');

/**
 * Words that names in lib do not have, each with what to write in its place; the whole list, with
 * the words of texts, is docs/dev/glossary.md. A hyphen stands between the parts of a name:
 * `carryOut` and carry-out.js are both `carry-out`.
 */
const WORDS = Object.freeze({
  look: 'sample (of a server), check or inspect (a person)',
  looks: 'samples',
  looked: 'sampled, checked',
  told: 'reported',
  tell: 'report',
  tells: 'reports',
  grave: 'severe',
  gravest: 'bySeverity',
  standstill: 'stall',
  mine: 'own',
  theirs: 'external',
  somebody: 'another session, external',
  knob: 'setting',
  knobs: 'settings',
  rung: 'step',
  rungs: 'steps',
  ladder: 'sequence',
  climb: 'sequence',
  silence: 'suppression',
  silenced: 'suppressed',
  envelope: 'min/max series',
  course: 'time series',
  trail: 'series',
  trace: 'series',
  stretch: 'block',
  thinned: 'downsampled',
  parked: 'pending',
  stray: 'unexpected document',
  strays: 'unexpected documents',
  fate: 'dropped, differs',
  leg: 'direction',
  forth: 'forward',
  converge: 'reconcile',
  crew: 'workerPool, connections',
  hands: 'actions',
  eyes: 'readback',
  perform: 'run',
  'carry-out': 'applyPlan',
  'go-down': 'rampDown',
  'safe-point': 'throwIfInterrupted',
  'bring-back': 'restore',
  'take-back': 'revert',
  reckon: 'compute',
  dear: 'expensive',
  world: 'globalObject',
});

/** Names that have such a word all the same. */
const ALLOWED = new Set([
  // To look something up is another word.
  'lookUp',
  'lookUpText',
  'LOOKS_LIKE_YAML',
]);

const PARTS = /[^A-Za-z]+|(?<=[a-z0-9])(?=[A-Z])/;

/**
 * @param {string} name of a variable, a field or a file
 * @returns {string | null} what is wrong with it
 */
function whyNotName(name) {
  if (ALLOWED.has(name)) return null;
  const parts = `-${name.split(PARTS).filter(Boolean).join('-').toLowerCase()}-`;
  const [word, better] = Object.entries(WORDS).find(([one]) => parts.includes(`-${one}-`)) ?? [];
  return word === undefined
    ? null
    : `${name}: not "${word}" but "${better}" (docs/dev/glossary.md; exceptions are in ` +
        'scripts/lint/words.js).';
}

/** Names in lib have the words of the glossary. */
module.exports = {
  meta: { type: 'suggestion', schema: [] },
  /** @param {any} context */
  create(context) {
    /** @type {Set<string>} */
    const seen = new Set();
    /** @param {any} node @param {string} name */
    const check = (node, name) => {
      if (seen.has(name)) return;
      seen.add(name);
      const why = whyNotName(name);
      if (why !== null) context.report({ node, message: why });
    };
    return {
      /** @param {any} node */
      Program: (node) => check(node, path.basename(context.filename).replace(/\..*$/, '')),
      /** @param {any} node */
      Identifier: (node) => check(node, node.name),
    };
  },
};
