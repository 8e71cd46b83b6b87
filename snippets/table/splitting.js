'use strict';

/** What plans the split of a database, and moves collections to another one. @type {Readonly<Record<string, import('./entry').Entry>>} */
const TABLE = Object.freeze({
  split: {
    load: () => require('../../lib/commands/split').split,
    takes: [],
    usage: 'tune.split()',
    help: 'Moves collections to another database, step by step',
    options: [],
    examples: ['tune.split()', 'tune split'],
    changes: false,
    commands: {
    },
  },
});

module.exports = TABLE;
