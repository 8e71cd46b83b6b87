'use strict';

/**
 * The commands that an applyOps holds, those within it too.
 * @param {any} command
 * @returns {any[]}
 */
const stepsOf = ({ applyOps = [] }) =>
  applyOps.flatMap((/** @type {any} */ { o }) => (o.applyOps ? stepsOf(o) : [o]));

/**
 * The step that gives the source another name and makes a view in its place.
 * @param {readonly any[]} steps
 */
const isCut = (steps) =>
  steps.some(({ renameCollection }) => renameCollection) && steps.some(({ create }) => create);
/** The step that puts a collection in the place of a view. @param {readonly any[]} steps */
const isPut = (steps) =>
  steps.some(({ renameCollection }) => renameCollection) && steps.some(({ drop }) => drop);

module.exports = { stepsOf, isCut, isPut };
