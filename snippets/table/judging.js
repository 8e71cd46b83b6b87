'use strict';

/**
 * @import { Entry } from './entry'
 */

/**
 * What explains how it judges, and checks settings.
 * @type {Readonly<Record<string, Entry>>}
 */
const TABLE = Object.freeze({
  rules: {
    load: () => require('../../lib/commands/rules').rules,
    takes: [],
    usage: 'tune.rules()',
    help: 'The rules by which it judges',
    options: [],
    examples: ['tune.rules()', 'tune rules'],
    changes: false,
  },
  explain: {
    load: () => require('../../lib/commands/explain').explain,
    takes: ['text'],
    usage: 'tune.explain(rule)',
    help: 'Why a rule is there, its threshold, and when not to follow it',
    options: [],
    examples: ['tune.explain("dirty-ratio")', 'tune explain dirty-ratio'],
    changes: false,
    words: () =>
      require('../../lib/rules/registry')
        .loadAllRules()
        .map(({ id }) => id),
  },
  config: {
    load: () => require('../../lib/commands/config').config,
    takes: [],
    usage: 'tune.config()',
    help: 'The settings in force, and where each comes from',
    options: [],
    examples: ['tune.config()', 'tune config'],
    changes: false,
  },
  drift: {
    load: () => require('../../lib/commands/drift').drift,
    takes: ['options'],
    usage: 'tune.drift({ file, members })',
    help: 'What runs against mongod.conf, its start and the other members',
    options: [
      {
        name: 'file',
        description:
          "a mongod.conf to compare with (the server's own, where it runs on this machine)",
      },
      {
        name: 'members',
        flag: true,
        description: 'compare with the other members of the set too (true)',
      },
    ],
    examples: ['tune.drift()', 'tune.drift({ members: false }).drift', 'tune drift --no-members'],
    changes: false,
  },
  lint: {
    load: () => require('../../lib/commands/lint').lint,
    takes: ['text', 'options'],
    usage: 'tune.lint(text, { version, at })',
    help: 'Checks a configuration string or a mongod.conf file',
    options: [
      { name: 'version', description: 'release to check for (that of the connected server)' },
      {
        name: 'at',
        description: '"runtime" for setParameter, "start" for configString ("runtime")',
      },
    ],
    examples: [
      'tune.lint("eviction=(threads_min=4,threads_max=8)")',
      'tune.lint("cache_size=2G", { version: "8.0.10", at: "start" })',
      'tune lint eviction_dirty_target=5,eviction_dirty_trigger=20 --version 7.0.1',
    ],
    changes: false,
  },
});

module.exports = TABLE;
