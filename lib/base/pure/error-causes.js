'use strict';

/**
 * @import { Code } from './errors'
 */

/**
 * What each error means, and its usual cause; what to do is in error-codes.js. Both are shown by
 * tune.explain(code) and in docs/errors.md.
 * @satisfies {Readonly<Record<Code, { meaning: string, cause: string }>>}
 */
const CAUSES = Object.freeze({
  'TUNE-10001': {
    meaning: 'The command, script or environment variable has no option of this name.',
    cause: 'A misspelt option, or an option of another command.',
  },
  'TUNE-10002': {
    meaning: 'An argument or option has the wrong type, or there are too many arguments.',
    cause:
      'A number was given as text, a fraction where a whole number is needed, or an option outside the braces { }.',
  },
  'TUNE-10003': {
    meaning: 'There is no rule, setting, error code or member of this name.',
    cause: 'A misspelt name, or a name from another release of tune.',
  },
  'TUNE-10004': {
    meaning: 'The command needs an argument, and none was given.',
    cause: 'The id, plan, file or rule name was left out; or several plans could be meant.',
  },
  'TUNE-10005': {
    meaning: 'There is no command of this name.',
    cause: 'A misspelt command in the short form, such as "tune advice".',
  },
  'TUNE-10006': {
    meaning: 'A server list names an environment variable that is not set.',
    cause: 'The variable was set in another shell, or not exported to the scheduled job.',
  },
  'TUNE-20001': {
    meaning: 'The shell has no connection to a server.',
    cause: 'mongosh was started with --nodb, or a script had neither a connection nor TUNE_URI.',
  },
  'TUNE-20002': {
    meaning: 'The server does not store its data with WiredTiger.',
    cause: 'The inMemory engine, or a service that speaks the MongoDB protocol but is not mongod.',
  },
  'TUNE-20003': {
    meaning:
      'The connection leads to a mongos, or the server belongs to a sharded cluster where the command cannot work.',
    cause: 'The connection string names the cluster.',
  },
  'TUNE-20004': {
    meaning: 'The connection leads to an arbiter.',
    cause: 'The connection string names the arbiter directly.',
  },
  'TUNE-20005': {
    meaning: 'The user may not run a command that tune needs, or is not logged in.',
    cause: 'The role clusterMonitor (to read) or the action setParameter (to change) is missing.',
  },
  'TUNE-20006': {
    meaning: 'The connection was lost, or the driver stopped waiting for an answer.',
    cause:
      'A network failure, an election, a restart of the server, or a server too busy to answer.',
  },
  'TUNE-20007': {
    meaning: 'The command is not available on Atlas.',
    cause: 'A change of engine parameters, or a diagnostic command that Atlas refuses.',
  },
  'TUNE-20008': {
    meaning: 'The server refused a command for another reason.',
    cause:
      'A state of the server, such as start-up or shutdown, or a service that does not implement the command.',
  },
  'TUNE-20009': {
    meaning: 'serverStatus came without its section "wiredTiger".',
    cause:
      'The server was starting, stopping or waiting for a lock; or it is no mongod that you run yourself.',
  },
  'TUNE-20010': {
    meaning: 'Another server answers at the address of the member. Nothing was sent to it.',
    cause: 'An election, a changed DNS name or a tunnel that leads elsewhere.',
  },
  'TUNE-20011': {
    meaning: 'No connection to the server could be made.',
    cause:
      'The server is down, the address is wrong, a firewall blocks it, or TLS options are missing.',
  },
  'TUNE-20012': {
    meaning: 'The answer took longer than the time limit.',
    cause: 'A server too busy to answer, a slow network, or a sample longer than the limit.',
  },
  'TUNE-30001': {
    meaning: 'A value is outside the range that WiredTiger accepts.',
    cause: 'A wrong unit (MB for GB), or more eviction threads than this release allows.',
  },
  'TUNE-30002': {
    meaning:
      'A target would be above its trigger, threads_min above threads_max, or bytes above the cache.',
    cause: 'One of the two was changed alone. A mongod with this order does not start.',
  },
  'TUNE-30003': {
    meaning: 'The server would accept the change, but it is not safe.',
    cause:
      'A cache too large for the memory, too small to work, or a trigger below the present level.',
  },
  'TUNE-30004': {
    meaning: 'The server accepted the change, but reports another value.',
    cause:
      'Another session changed the setting at the same time, or the server adjusted the value.',
  },
  'TUNE-30005': {
    meaning: 'WiredTiger applied only a part of the change, and it could not be fully restored.',
    cause: 'WiredTiger refused one of several settings in a call after it had applied others.',
  },
  'TUNE-30006': {
    meaning: 'Another session changed the same setting. tune does not overwrite it.',
    cause: 'Two operators, or a script that sets parameters, changed one server.',
  },
  'TUNE-30007': {
    meaning: 'There is no active change of tune on this server.',
    cause: 'The change was undone already, ended with a restart, or was made with another journal.',
  },
  'TUNE-30008': {
    meaning: 'The change contains nothing that would be set.',
    cause: 'The answer of tune.advise() has no change, or the values are in effect already.',
  },
  'TUNE-30009': {
    meaning: 'Ctrl-C, or the end of the shell, stopped the command.',
    cause: 'An operator ended it.',
  },
  'TUNE-30010': {
    meaning: 'Another shell is changing this server, or an earlier change has no recorded end.',
    cause: 'Two operators, or a shell that was killed during a change or a trial.',
  },
  'TUNE-30011': {
    meaning: 'A member is not ready, so the change of several members stopped.',
    cause: 'A member is down or lags behind, or an election made it the primary.',
  },
  'TUNE-30012': {
    meaning: 'A policy on this machine does not allow the call. Nothing was changed.',
    cause:
      'MONGOSH_TUNE_READ_ONLY is set, or a policy file limits commands, hosts or hours, or asks for a ticket.',
  },
  'TUNE-31001': {
    meaning: 'The server is in use, so a benchmark would disturb others and measure nothing.',
    cause: 'A production server, or a test server with other load.',
  },
  'TUNE-31002': {
    meaning:
      'The database of the benchmark has data that tune did not make, or another session dropped its data.',
    cause: 'Two people use one test database.',
  },
  'TUNE-31003': {
    meaning: 'The command writes, and this member takes no writes.',
    cause: 'The connection leads to a secondary alone.',
  },
  'TUNE-35001': {
    meaning: 'The plan is for a replica set, and this server is not a member of one.',
    cause: 'A standalone server, or a plan that was made on another server.',
  },
  'TUNE-35002': {
    meaning: 'The source or target belongs to another split.',
    cause: 'An earlier split of the collection was not finished.',
  },
  'TUNE-35003': {
    meaning: 'Another shell works on this split, or its lease has not ended yet.',
    cause: 'A second operator, or a shell that died less than 45 s ago.',
  },
  'TUNE-35004': {
    meaning:
      'A collection or view that tune did not make has the name of the target or of the source.',
    cause: 'An application created it, or writes to the target name too early.',
  },
  'TUNE-35005': {
    meaning: 'The source, the target or the copy was dropped, renamed or replaced.',
    cause: 'Another session, or a scheduled job that drops and recreates the collection.',
  },
  'TUNE-35006': {
    meaning: 'The step could not lock the collection in 60 tries.',
    cause: 'An open transaction, a long operation, or a shell far away from the primary.',
  },
  'TUNE-35007': {
    meaning: 'The oplog no longer holds the changes that the split still has to apply.',
    cause: 'The oplog is too small for the time of the copy, or the split waited too long.',
  },
  'TUNE-35008': {
    meaning: 'Documents of the source do not fit a unique index of the copy.',
    cause: 'Unique values that change often move between documents while the copy is updated.',
  },
  'TUNE-35009': {
    meaning: 'The definitions of source and copy differ: options, validator or indexes.',
    cause: 'Another session changed the collection after it was copied.',
  },
  'TUNE-35010': {
    meaning: 'The command does not fit the present phase of the split.',
    cause: 'A step was left out, or another shell has already done it.',
  },
  'TUNE-35011': {
    meaning: 'The plan cannot be run.',
    cause:
      'It has blockers, is older than an hour, was used already, or the collection changed since.',
  },
  'TUNE-35012': {
    meaning: 'There is no split of this id.',
    cause: 'A misspelt id, another server, or a record that was removed from the database tune.',
  },
  'TUNE-35013': {
    meaning: 'A new collection was made at the source name during the cutover, and takes writes.',
    cause: 'An application wrote to the source name in the instant of the cutover.',
  },
  'TUNE-35014': {
    meaning: 'A disk of the server is full.',
    cause: 'The copy and its indexes need as much space again on every member.',
  },
  'TUNE-35015': {
    meaning: 'Documents of source and copy differ.',
    cause:
      'A writer that change streams do not show, such as applyOps, or a comparison that was stopped.',
  },
  'TUNE-35016': {
    meaning: 'An index is being built on the collection. A rename now could end mongod.',
    cause: 'An index build that was started during the split.',
  },
  'TUNE-35017': {
    meaning: 'The place that would keep the data is gone, so the other one may be the last copy.',
    cause: 'Another session dropped or renamed the collection that answers.',
  },
  'TUNE-35018': {
    meaning: 'This server does not do what a step of the split needs.',
    cause: 'A release that behaves otherwise, or a service that is not mongod. Nothing was copied.',
  },
  'TUNE-35019': {
    meaning:
      'The second process that protects the cutover could not start, or has ended. Nothing was changed.',
    cause:
      'A limit on processes, a shell that may not start programs, or a process that was ended.',
  },
  'TUNE-35020': {
    meaning: 'Views on the name have different collations, or are nested too deep.',
    cause: 'The server allows one collation and 20 levels for views on one name.',
  },
  'TUNE-35021': {
    meaning: 'Differences and pending writes cannot be kept apart, so nothing was compared.',
    cause: 'Very many writes since the last resume, or a majority that lags for two minutes.',
  },
  'TUNE-40001': {
    meaning: 'The journal cannot be written. No change begins without it.',
    cause:
      'A full disk, a read-only home folder, a journal of another account, or a link to a disk ' +
      'that is away.',
  },
  'TUNE-40002': {
    meaning: 'A file cannot be read.',
    cause: 'A wrong path, or missing permissions.',
  },
  'TUNE-40003': {
    meaning: 'The text is not YAML.',
    cause: 'The old key=value form of mongod.conf, or a copy that was damaged by an editor.',
  },
  'TUNE-40004': {
    meaning: 'The file holds no recording that tune can read.',
    cause: 'Another file, a file still packed with gzip, or the wrong folder.',
  },
  'TUNE-40005': {
    meaning: 'A file cannot be written.',
    cause: 'It exists already, its folder does not, or the disk is full.',
  },
  'TUNE-40006': {
    meaning: 'The file is not the output of the collecting script.',
    cause: 'The output was cut, or mixed with other text such as a login message.',
  },
  'TUNE-40007': {
    meaning: 'A process that makes the load of a benchmark ended.',
    cause: 'Too little memory on this machine, or a limit on processes.',
  },
  'TUNE-40008': {
    meaning: 'The file is not a list of servers.',
    cause: 'A broken line, an empty file, or a list that is too long.',
  },
  'TUNE-40009': {
    meaning: 'tune does not run in this program.',
    cause:
      'mongosh before 2.0, Node.js before 20.19, or a shell that is embedded in another program.',
  },
  'TUNE-40010': {
    meaning:
      'A later release of tune wrote the journal. This one can neither read nor continue it.',
    cause: 'tune was replaced by an earlier release, or several computers share the journal.',
  },
  'TUNE-40011': {
    meaning: 'This command starts a process, or makes a connection, with the driver of MongoDB.',
    cause: 'tune was installed without the package mongodb. npm does not install it with tune.',
  },
  'TUNE-90001': {
    meaning: 'A defect of tune, or an installation that is not complete.',
    cause: 'A file of the package is missing, or an unexpected case in the code.',
  },
});

module.exports = { CAUSES };
