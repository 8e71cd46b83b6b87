'use strict';

const {
  flatten,
  textOf,
  differences,
  sharedOptions,
  sharedParameters,
  SECRET,
} = require('./member-differences');

/**
 * Finds where the running configuration differs: from mongod.conf, from the start, from the other
 * members.
 *
 * @typedef {'file' | 'command-line' | 'runtime' | 'members'} DriftKind `file`: mongod.conf has
 *   another value than the server was started with; `command-line`: given there, not in the file;
 *   `runtime`: set since the start; `members`: other members have another value
 * @typedef {{ kind: DriftKind, name: string, running: string, other: string, hosts: string[] }}
 *   Drift `running`: here; `other`: what the
 *   file, the start or the others say; `hosts`: those members
 */

/** mongod reports these options under another name than in the file, or not at all. */
const RENAMED = Object.freeze(
  /** @type {[RegExp, string][]} */ ([
    [/^net\.ssl\./, 'net.tls.'],
    [/^net\.bindIpAll$/, 'net.bindIp'],
    [/^storage\.journal\.enabled$/, ''],
  ]),
);
/** mongod itself adds these options. */
const NOT_IN_FILE = new Set(['config']);

/**
 * @param {Record<string, unknown>} file mongod.conf
 * @param {{ options: Record<string, unknown> | null, argv: readonly string[] }} here the start-up
 *   options that the server reports, and its command line
 * @returns {Drift[]}
 */
function fileDrift(file, { options, argv }) {
  if (options === null) return [];
  const [written, started] = [renamed(flatten(file)), flatten(options)];
  const names = [...new Set([...Object.keys(written), ...Object.keys(started)])].sort();
  return names.flatMap((name) => {
    const [there, here] = [written[name], started[name]];
    if (
      NOT_IN_FILE.has(name) ||
      SECRET.test(name) ||
      isExpanded(name) ||
      textOf(there) === textOf(here)
    )
      return [];
    const kind = isOnCommandLine(name, argv) ? 'command-line' : 'file';
    return [{ kind, name, running: textOf(here), other: textOf(there), hosts: [] }];
  });
}

/** @param {Record<string, unknown>} written @returns {Record<string, unknown>} */
const renamed = (written) =>
  Object.fromEntries(
    Object.entries(written).flatMap(([name, value]) => {
      const found = RENAMED.find(([old]) => old.test(name));
      if (found === undefined) return [[name, value]];
      return found[1] === ''
        ? []
        : [[name.replace(...found), found[0].test('net.bindIpAll') ? '*' : value]];
    }),
  );

/**
 * Whether the value is fetched at the start, by __rest or __exec, and so is not in the file.
 * @param {string} name
 */
const isExpanded = (name) => /\.__(rest|exec)\b/.test(name);

/**
 * Whether the command line has the option. There it has another name, most often the last part of
 * the name in the file (`--dbpath`, `--wiredTigerCacheSizeGB`).
 * @param {string} name
 * @param {readonly string[]} argv
 */
function isOnCommandLine(name, argv) {
  const last = name.slice(name.lastIndexOf('.') + 1).toLowerCase();
  const [words, parameters] = [
    argv.slice(1).map((word) => word.toLowerCase()),
    name.startsWith('setParameter.'),
  ];
  if (parameters)
    return words.some((word) => word.replace(/^--setparameter=/, '').startsWith(`${last}=`));
  return words
    .filter((word) => word.startsWith('-'))
    .map((word) => word.replace(/^-+|=.*$/g, ''))
    .some((word) => word.endsWith(last) || ALIASES[word] === name);
}

/** The options whose name on the command line is not that last part (mongod --help). */
const ALIASES = Object.freeze(
  /** @type {Record<string, string>} */ ({
    replset: 'replication.replSetName',
    oplogsize: 'replication.oplogSizeMB',
    syncdelay: 'storage.syncPeriodSecs',
    journalcommitinterval: 'storage.journal.commitIntervalMs',
    logpath: 'systemLog.path',
    logappend: 'systemLog.logAppend',
    bind_ip: 'net.bindIp',
    bind_ip_all: 'net.bindIp',
    shardsvr: 'sharding.clusterRole',
    configsvr: 'sharding.clusterRole',
    nounixsocket: 'net.unixDomainSocket.enabled',
    auth: 'security.authorization',
    noauth: 'security.authorization',
    slowms: 'operationProfiling.slowOpThresholdMs',
    profile: 'operationProfiling.mode',
    v: 'systemLog.verbosity',
    syslog: 'systemLog.destination',
    transitiontoauth: 'security.transitionToAuth',
    keyfile: 'security.keyFile',
  }),
);

/** A parameter of another name shows the present value of these options. */
const NOW_SAID_BY = Object.freeze({
  'storage.syncPeriodSecs': 'syncdelay',
  'storage.journal.commitIntervalMs': 'journalCommitInterval',
  'systemLog.verbosity': 'logLevel',
  'systemLog.quiet': 'quiet',
});

/**
 * Finds parameters that were set at the start and have another value now.
 * @param {{ options: Record<string, unknown> | null, parameters: Record<string, unknown> | null }}
 *   here `parameters`: their present values
 * @returns {Drift[]}
 */
function runtimeDrift({ options, parameters }) {
  if (options === null || parameters === null) return [];
  const started = flatten(options);
  const pairs = Object.keys(started).flatMap((name) => {
    const parameter = name.startsWith('setParameter.')
      ? name.slice('setParameter.'.length)
      : NOW_SAID_BY[/** @type {keyof typeof NOW_SAID_BY} */ (name)];
    return parameter === undefined || parameters[parameter] === undefined
      ? []
      : [{ name, parameter }];
  });
  return pairs
    .filter(({ name, parameter }) => !isSame(started[name], parameters[parameter]))
    .map(({ name, parameter }) => ({
      kind: 'runtime',
      name: parameter,
      running: textOf(parameters[parameter]),
      other: textOf(started[name]),
      hosts: [],
    }));
}

/**
 * Compares values as texts: start-up options have parameters as "true", "1", "0.50".
 * @param {unknown} a
 * @param {unknown} b
 */
const isSame = (a, b) => textOf(a) === textOf(b) || ordinary(a) === ordinary(b);

/** @param {unknown} value */
function ordinary(value) {
  const text = textOf(value).toLowerCase();
  if (text.trim() !== '' && Number.isFinite(Number(text))) return Number(text);
  if (text === 'true') return 1;
  return text === 'false' ? 0 : text;
}

/**
 * @typedef {{
 *   host: string, options: Record<string, unknown> | null,
 *   parameters: Record<string, unknown> | null, version: string | null
 * }} ReportedOptions
 */

/**
 * @param {ReportedOptions} here
 * @param {readonly ReportedOptions[]} others the members that answered
 * @returns {Drift[]} parameters are only compared among members of the same release
 */
function memberDrift(here, others) {
  const options = compared(
    here,
    others,
    ({ options: all }) => (all === null ? null : sharedOptions(all)),
    false,
  );
  const alike = others.filter(({ version }) => version === here.version);
  const said = new Set(options.map(({ name }) => name.replace(/^setParameter\./, '')));
  return [
    ...options,
    ...compared(
      here,
      alike,
      ({ parameters }) => (parameters === null ? null : flatten(sharedParameters(parameters))),
      true,
    ).filter(({ name }) => !said.has(name)),
  ];
}

/**
 * @param {ReportedOptions} here
 * @param {readonly ReportedOptions[]} others
 * @param {(member: ReportedOptions) => Record<string, unknown> | null} valuesOf
 * @param {boolean} common
 * @returns {Drift[]}
 */
function compared(here, others, valuesOf, common) {
  const own = valuesOf(here);
  if (own === null) return [];
  const reported = [
    { host: here.host, values: own },
    ...others.flatMap((member) => {
      const values = valuesOf(member);
      return values === null ? [] : [{ host: member.host, values }];
    }),
  ];
  return differences(reported, { common }).flatMap(({ name, values }) =>
    values
      .filter(({ hosts }) => !hosts.includes(here.host))
      .map(({ text, hosts }) => ({
        kind: /** @type {const} */ ('members'),
        name,
        running: textOf(own[name]),
        other: text,
        hosts,
      })),
  );
}

/**
 * @typedef {{
 *   host: string, settings: Readonly<Record<string, { text: string, sinceRestart: boolean }>>
 * }} Set the known settings of the engine, as they are shown
 */

/**
 * Compares settings of the engine that were set since the start, here or there. Values at start are
 * compared with the options.
 * @param {Set} here
 * @param {readonly Set[]} others
 * @returns {Drift[]}
 */
function compareSettings(here, others) {
  const all = [here, ...others];
  return Object.keys(here.settings)
    .filter((name) => all.some(({ settings }) => settings[name]?.sinceRestart))
    .flatMap((name) => {
      const reported = all.flatMap(({ host, settings }) =>
        settings[name] === undefined ? [] : [{ host, values: { [name]: settings[name].text } }],
      );
      return differences(reported).flatMap(({ values }) =>
        values
          .filter(({ hosts }) => !hosts.includes(here.host))
          .map(({ text, hosts }) => ({
            kind: /** @type {const} */ ('members'),
            name,
            running: here.settings[name].text,
            other: text,
            hosts,
          })),
      );
    });
}

module.exports = { fileDrift, runtimeDrift, memberDrift, compareSettings };
