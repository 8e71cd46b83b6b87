'use strict';

/**
 * @import { Entry } from './entry'
 */

/** What looks at the connected server. @type {Readonly<Record<string, Entry>>} */
const TABLE = Object.freeze({
  status: {
    load: () => require('../../lib/commands/status').status,
    takes: ['options'],
    usage: 'tune.status({ seconds })',
    help: 'How cache, eviction, checkpoint and tickets are now',
    options: [{ name: 'seconds', description: 'how long to look (1)' }],
    examples: [
      'tune.status()',
      'tune.status({ seconds: 5 }).cache.usedRatio',
      'tune status --seconds 5',
    ],
    changes: false,
  },
  watch: {
    load: () => require('../../lib/commands/watch').watch,
    takes: ['options'],
    usage: 'tune.watch({ every, seconds, json, … })',
    help: 'The same as a live screen, or as one line a second',
    more:
      'On the screen: q quits, space holds the picture, tab goes to the next area, m to the ' +
      'next member of the replica set, ? helps. Ctrl-C ends all kinds; what was seen is the value',
    options: [
      { name: 'every', description: 'seconds from look to look (1)' },
      { name: 'seconds', description: 'how long (until q or Ctrl-C)' },
      {
        name: 'json',
        flag: true,
        description: 'one JSON object a line instead, the summary last (false)',
      },
      {
        name: 'screen',
        flag: true,
        description: 'the live screen, where there is a terminal of 60 × 12 or more (true)',
      },
    ],
    examples: [
      'tune.watch({ seconds: 60 })',
      'const seen = tune.watch({ every: 0.5, seconds: 60 })',
      'tune watch --seconds 60 --json',
    ],
    changes: false,
    endsByInterrupt: true,
  },
  advise: {
    load: () => require('../../lib/commands/advise').advise,
    takes: ['options'],
    usage: 'tune.advise({ seconds, host, members })',
    help: 'What holds the server back, and the change that helps',
    more: 'It only looks. On a healthy server it says that nothing should change',
    options: [
      { name: 'seconds', description: 'how long to look (30)' },
      {
        name: 'host',
        flag: true,
        description: "look at the machine too, where it is the server's (true)",
      },
      {
        name: 'members',
        flag: true,
        description: 'at the other members too: which one holds the majority back (false)',
      },
    ],
    examples: [
      'tune.advise({ seconds: 30 })',
      'const advice = tune.advise({ seconds: 30 })',
      'tune advise --seconds 30',
    ],
    changes: false,
  },
  check: {
    load: () => require('../../lib/commands/check').check,
    takes: ['options'],
    usage: 'tune.check({ seconds, fail, ignore, … })',
    help: 'One word for a monitor: ok, warning, critical or unknown',
    more:
      'In scripts: mongosh "$URI" --quiet --file …/snippets/check.js ends with 0, 1, 2 or 3; ' +
      'docs/runbook.md',
    options: [
      { name: 'seconds', description: 'how long to look (1)' },
      { name: 'fail', description: '"critical": a warning is still ok ("warning")' },
      {
        name: 'ignore',
        description:
          'findings to be silent about: a list of { key, reason, until }, or a YAML or JSON ' +
          'file with it',
      },
      {
        name: 'thresholds',
        description:
          'of your own, as { "checkpoint-duration": { longMs: 30000 } }, or a YAML or JSON ' +
          'file with it',
      },
      {
        name: 'baseline',
        description: 'a file of saveBaseline: only what is worse than there counts',
      },
      { name: 'saveBaseline', description: 'file into which what is found now goes' },
    ],
    examples: [
      'tune.check({ seconds: 1 })',
      'tune.check({ fail: "critical", ignore: [{ key: "tickets", reason: "import", until: ' +
        '"2099-12-31" }] }).exitCode',
      'tune check --seconds 1 --fail critical',
    ],
    changes: false,
  },
  members: {
    load: () => require('../../lib/commands/members').members,
    takes: ['options'],
    usage: 'tune.members({ seconds, advise })',
    help: 'Every member of the replica set, of every shard, and how they differ',
    more: "With this connection's user and TLS, all at the same time; docs/members.md",
    options: [
      { name: 'seconds', description: 'how long to look (1; with advise 30)' },
      {
        name: 'advise',
        flag: true,
        description: 'name the bottleneck of each, as tune.advise() does (false)',
      },
    ],
    examples: [
      'tune.members()',
      'tune.members({ seconds: 5 }).sets[0].findings',
      'tune members --advise --seconds 30',
    ],
    changes: false,
  },
  collections: {
    load: () => require('../../lib/commands/collections').collections,
    takes: ['options'],
    usage: 'tune.collections({ by, limit, seconds })',
    help: 'Which collections and indexes fill the cache, read and write',
    options: [
      { name: 'by', description: '"cache", "dirty", "reads" or "writes" ("cache")' },
      { name: 'limit', description: 'how many rows (20)' },
      { name: 'seconds', description: 'from the first sample to the second (5)' },
    ],
    examples: [
      'tune.collections({ seconds: 1 })',
      'tune.collections({ by: "dirty", limit: 5 }).rows[0]',
      'tune collections --by reads',
    ],
    changes: false,
  },
  checkpoints: {
    load: () => require('../../lib/commands/checkpoints').checkpoints,
    takes: ['options'],
    usage: 'tune.checkpoints({ seconds })',
    help: 'Each checkpoint, and what operations did meanwhile',
    options: [{ name: 'seconds', description: 'how long to watch (130, which shows two)' }],
    examples: ['tune.checkpoints({ seconds: 130 })', 'tune checkpoints --seconds 130'],
    changes: false,
  },
  ttl: {
    load: () => require('../../lib/commands/ttl').ttl,
    takes: ['options'],
    usage: 'tune.ttl({ hour, hours })',
    help: 'What TTL indexes delete, at which hours, and how to move it',
    options: [
      { name: 'hour', description: 'first quiet hour of the day, UTC (1)' },
      { name: 'hours', description: 'how many (4)' },
    ],
    examples: ['tune.ttl()', 'tune.ttl({ hour: 22, hours: 6 }).designs', 'tune ttl --hour 2'],
    changes: false,
  },
  host: {
    load: () => require('../../lib/commands/host').host,
    takes: ['options'],
    usage: 'tune.host({ seconds, interface, from })',
    help: 'The machine under the server, and what to change there',
    more: 'tune.host().script() is one shell script of all that is advised; it is shown, never run',
    options: [
      { name: 'seconds', description: 'how long to look (5)' },
      {
        name: 'interface',
        description: "the network interface of MongoDB's traffic (found by itself)",
      },
      { name: 'from', description: 'a file that the script of tune.host.collect() wrote' },
    ],
    examples: [
      'tune.host()',
      'tune.host({ seconds: 30, interface: "eth0" }).facts.disk',
      'tune host --from host.json',
    ],
    changes: false,
    commands: {
      collect: {
        load: () => require('../../lib/commands/host-collect').hostCollect,
        takes: [],
        usage: 'tune.host.collect()',
        help: 'A script that looks where mongosh is not',
        options: [],
        examples: ['tune.host.collect()', 'tune host collect'],
        changes: false,
      },
    },
  },
});

module.exports = TABLE;
