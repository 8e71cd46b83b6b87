'use strict';

/**
 * The whole public surface. Nothing is loaded before it is called.
 *
 * @typedef {{ name: string, description: string, flag?: true }} OptionHelp `flag`: yes or no
 * @typedef {{
 *   load(): (ctx: import('../lib/context').Context, ...args: any[]) => unknown,
 *   takes: readonly ('text' | 'change' | 'options')[],
 *   usage: string, help: string, more?: string, options: readonly OptionHelp[], examples: readonly string[],
 *   changes: boolean, endsByInterrupt?: true, words?: () => readonly string[]
 * }} Entry `takes`: its parameters in order; `changes`: it can change the server; `endsByInterrupt`: Ctrl-C is its ordinary end;
 *   `words`: what TAB offers behind its name
 */

const CONFIRM = Object.freeze({ name: 'confirm', flag: /** @type {const} */ (true), description: 'true does it; without it only what would be sent is shown (false)' });
const FORCE = Object.freeze({ name: 'force', flag: /** @type {const} */ (true), description: 'go on although it looks unsafe, or others changed it (false)' });

/** @type {Readonly<Record<string, Entry>>} */
const COMMANDS = Object.freeze({
  status: {
    load: () => require('../lib/commands/status').status,
    takes: ['options'],
    usage: 'tune.status({ seconds })',
    help: 'How cache, eviction, checkpoint and tickets are now',
    options: [{ name: 'seconds', description: 'how long to look (1)' }],
    examples: ['tune.status()', 'tune.status({ seconds: 5 }).cache.usedRatio', 'tune status --seconds 5'],
    changes: false,
  },
  watch: {
    load: () => require('../lib/commands/watch').watch,
    takes: ['options'],
    usage: 'tune.watch({ every, seconds })',
    help: 'The same as one line a second, until Ctrl-C',
    options: [{ name: 'every', description: 'seconds from line to line (1)' }, { name: 'seconds', description: 'how long (until Ctrl-C)' }],
    examples: ['tune.watch({ seconds: 60 })', 'const seen = tune.watch({ every: 0.5, seconds: 60 })', 'tune watch --seconds 60'],
    changes: false,
    endsByInterrupt: true,
  },
  advise: {
    load: () => require('../lib/commands/advise').advise,
    takes: ['options'],
    usage: 'tune.advise({ seconds, host })',
    help: 'What holds the server back, and the change that helps',
    more: 'It only looks. On a healthy server it says that nothing should change',
    options: [
      { name: 'seconds', description: 'how long to look (30)' },
      { name: 'host', flag: true, description: 'look at the machine too, where it is the server\'s (true)' },
    ],
    examples: ['tune.advise({ seconds: 30 })', 'const advice = tune.advise({ seconds: 30 })', 'tune advise --seconds 30'],
    changes: false,
  },
  collections: {
    load: () => require('../lib/commands/collections').collections,
    takes: ['options'],
    usage: 'tune.collections({ by, limit, seconds })',
    help: 'Which collections and indexes fill the cache, read and write',
    options: [
      { name: 'by', description: '"cache", "dirty", "reads" or "writes" ("cache")' },
      { name: 'limit', description: 'how many rows (20)' },
      { name: 'seconds', description: 'from the first look to the second (5)' },
    ],
    examples: ['tune.collections({ seconds: 1 })', 'tune.collections({ by: "dirty", limit: 5 }).rows[0]', 'tune collections --by reads'],
    changes: false,
  },
  checkpoints: {
    load: () => require('../lib/commands/checkpoints').checkpoints,
    takes: ['options'],
    usage: 'tune.checkpoints({ seconds })',
    help: 'Each checkpoint, and what operations did meanwhile',
    options: [{ name: 'seconds', description: 'how long to watch (130, which shows two)' }],
    examples: ['tune.checkpoints({ seconds: 130 })', 'tune checkpoints --seconds 130'],
    changes: false,
  },
  ttl: {
    load: () => require('../lib/commands/ttl').ttl,
    takes: ['options'],
    usage: 'tune.ttl({ hour, hours })',
    help: 'What TTL indexes delete, at which hours, and how to move it',
    options: [{ name: 'hour', description: 'first quiet hour of the day, UTC (1)' }, { name: 'hours', description: 'how many (4)' }],
    examples: ['tune.ttl()', 'tune.ttl({ hour: 22, hours: 6 }).designs', 'tune ttl --hour 2'],
    changes: false,
  },
  rules: {
    load: () => require('../lib/commands/rules').rules,
    takes: [],
    usage: 'tune.rules()',
    help: 'The rules by which it judges',
    options: [],
    examples: ['tune.rules()', 'tune rules'],
    changes: false,
  },
  explain: {
    load: () => require('../lib/commands/explain').explain,
    takes: ['text'],
    usage: 'tune.explain(rule)',
    help: 'Why a rule is there, its threshold, and when not to follow it',
    options: [],
    examples: ['tune.explain("dirty-ratio")', 'tune explain dirty-ratio'],
    changes: false,
    words: () => require('../lib/load-rules').loadRules().map(({ id }) => id),
  },
  config: {
    load: () => require('../lib/commands/config').config,
    takes: [],
    usage: 'tune.config()',
    help: 'The settings in force, and where each comes from',
    options: [],
    examples: ['tune.config()', 'tune config'],
    changes: false,
  },
  lint: {
    load: () => require('../lib/commands/lint').lint,
    takes: ['text', 'options'],
    usage: 'tune.lint(text, { version, at })',
    help: 'Checks a configuration string or a mongod.conf file',
    options: [
      { name: 'version', description: 'release to check for (that of the connected server)' },
      { name: 'at', description: '"runtime" for setParameter, "start" for configString ("runtime")' },
    ],
    examples: [
      'tune.lint("eviction=(threads_min=4,threads_max=8)")',
      'tune.lint("cache_size=2G", { version: "8.0.10", at: "start" })',
      'tune lint eviction_dirty_target=5,eviction_dirty_trigger=20 --version 7.0.1',
    ],
    changes: false,
  },
  apply: {
    load: () => require('../lib/commands/apply').apply,
    takes: ['change', 'options'],
    usage: 'tune.apply(change, { confirm, force })',
    help: 'Changes settings; without confirm it only shows them',
    more: 'change: what tune.advise() answered, or settings such as { cacheSizeGB: 2, evictionThreadsMax: 8 }',
    options: [CONFIRM, FORCE],
    examples: ['tune.apply({ evictionThreadsMax: 6 })', 'tune.apply({ evictionThreadsMax: 6 }, { confirm: true })', 'tune apply --evictionDirtyTarget 6 --confirm'],
    changes: true,
  },
  undo: {
    load: () => require('../lib/commands/undo').undo,
    takes: ['text', 'options'],
    usage: 'tune.undo(id, { confirm, force })',
    help: 'Returns to the settings before a change (the last one)',
    options: [CONFIRM, FORCE],
    examples: ['tune.undo()', 'tune undo --confirm'],
    changes: true,
  },
  history: {
    load: () => require('../lib/commands/history').history,
    takes: ['options'],
    usage: 'tune.history({ all })',
    help: 'The changes made with tune, and what became of them',
    options: [{ name: 'all', flag: true, description: 'of every server in the journal; needs no connection (false)' }],
    examples: ['tune.history()', 'tune history --all'],
    changes: false,
  },
  conf: {
    load: () => require('../lib/commands/conf').conf,
    takes: ['change'],
    usage: 'tune.conf(change)',
    help: 'The mongod.conf lines that keep settings over a restart',
    options: [],
    examples: ['tune.conf()', 'tune.conf({ cacheSizeGB: 0.5 })', 'tune conf --cacheSizeGB 0.5'],
    changes: false,
  },
  record: {
    load: () => require('../lib/commands/record').record,
    takes: ['text', 'options'],
    usage: 'tune.record(file, { seconds, every })',
    help: 'Writes what the server tells of itself into a file',
    options: [{ name: 'seconds', description: 'how long (60)' }, { name: 'every', description: 'seconds from line to line (1)' }],
    examples: ['tune.record("monday.ndjson.gz", { seconds: 60 })', 'tune record tuesday.ndjson --seconds 60'],
    changes: false,
  },
  replay: {
    load: () => require('../lib/commands/replay').replay,
    takes: ['text', 'options'],
    usage: 'tune.replay(file, { facts })',
    help: 'The advice of such a file, or of lines of db.serverStatus()',
    options: [{ name: 'facts', description: 'what the file does not tell, such as { memoryMB: 64000, cores: 16 }' }],
    examples: ['tune.replay("monday.ndjson.gz")', 'tune replay tuesday.ndjson --facts {cores: 16}'],
    changes: false,
  },
  ftdc: {
    load: () => require('../lib/commands/ftdc').ftdc,
    takes: ['text', 'options'],
    usage: 'tune.ftdc(path, { from, to })',
    help: 'The advice of a diagnostic.data folder, which mongod writes',
    options: [{ name: 'from', description: 'a Date, or text such as 2024-05-01T08:00:00Z' }, { name: 'to', description: 'the same' }],
    examples: ['tune.ftdc("/var/lib/mongodb/diagnostic.data")', 'tune ftdc /var/lib/mongodb --from 2024-05-01T08:00:00Z'],
    changes: false,
  },
});

module.exports = { COMMANDS };
