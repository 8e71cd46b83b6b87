'use strict';

/** The commands that an applyOps holds, those within it too. @param {any} command @returns {any[]} */
const stepsOf = ({ applyOps = [] }) => applyOps.flatMap((/** @type {any} */ { o }) => (o.applyOps ? stepsOf(o) : [o]));

module.exports = { stepsOf };
