'use strict';

/**
 * Every error a user can meet, by code. The text after the code is what to do about it. 1xxxx what
 * was typed, 2xxxx the server or the place, 3xxxx a change that is not safe, 4xxxx this machine,
 * 9xxxx ours.
 * @satisfies {Record<string, { name: string, todo: string }>}
 */
const CODES = Object.freeze({
  'TUNE-10001': {
    name: 'UnknownOption',
    todo: 'Use one of the options named in the message; tune.<command>.help() lists them.',
  },
  'TUNE-10002': { name: 'InvalidOption', todo: 'Give a value of the kind the message names.' },
  'TUNE-10003': { name: 'UnknownName', todo: 'Use one of the names in the message.' },
  'TUNE-10004': {
    name: 'MissingArgument',
    todo: 'Give the argument; tune.<command>.help() shows an example.',
  },
  'TUNE-10005': { name: 'UnknownCommand', todo: 'tune.help() lists the commands.' },
  'TUNE-10006': {
    name: 'UnsetVariable',
    todo: 'Set it for this shell, as in PASSWORD=… mongosh …, or take it out of the list.',
  },
  'TUNE-20001': {
    name: 'NotConnected',
    todo: 'Connect first: mongosh "mongodb://host:port", or db = connect("mongodb://host:port").',
  },
  'TUNE-20002': {
    name: 'NotWiredTiger',
    todo: 'tune examines the WiredTiger storage engine only; connect to a mongod that uses it.',
  },
  'TUNE-20003': {
    name: 'Mongos',
    todo: 'Connect to the mongod that is slow; a mongos has no storage engine.',
  },
  'TUNE-20004': {
    name: 'Arbiter',
    todo: 'Connect to a data-bearing member; an arbiter stores no data.',
  },
  'TUNE-20005': {
    name: 'MissingPrivilege',
    todo:
      'Log in as a user with the role named in the message; docs/privileges.md has the ' +
      'smallest ones.',
  },
  'TUNE-20006': {
    name: 'ConnectionLost',
    todo: 'Check the server and the network, then run the command again.',
  },
  'TUNE-20007': {
    name: 'Atlas',
    todo:
      'Atlas does not let users set engine parameters; change the cluster tier, or ask Atlas ' +
      'support.',
  },
  'TUNE-20008': { name: 'ServerRefused', todo: "The message gives the server's own reason." },
  'TUNE-20009': {
    name: 'NoWiredTigerSection',
    todo: 'The server left the section out (start-up, shutdown or a lock it could not get); try again.',
  },
  'TUNE-20010': {
    name: 'OtherServer',
    todo: 'Connect to the member meant, with directConnection=true, and run the command again.',
  },
  'TUNE-20011': { name: 'NotReached', todo: 'Check that it runs, its address, and the network.' },
  'TUNE-20012': {
    name: 'TimeLimit',
    todo:
      'TUNE_TIMEOUT_SECONDS of a script, serverTimeoutSeconds of tune.fleet(), gives it more; see also ' +
      'whether the server answers at all.',
  },
  'TUNE-30001': { name: 'OutOfRange', todo: 'Choose a value inside the range.' },
  'TUNE-30002': {
    name: 'WrongOrder',
    todo: 'Keep every target below its trigger, and threads_min at most threads_max.',
  },
  'TUNE-30003': {
    name: 'Unsafe',
    todo:
      'Choose a value inside the safe range, or pass { force: true } if you know why it is ' +
      'right here.',
  },
  'TUNE-30004': {
    name: 'NotVerified',
    todo: 'The server accepted the change but does not show it; tune.settings() shows what is in effect.',
  },
  'TUNE-30005': {
    name: 'PartlyApplied',
    todo: 'The message says what was restored and what was not; tune.settings() shows what is in effect.',
  },
  'TUNE-30006': {
    name: 'ChangedByOthers',
    todo: 'Look at tune.settings(); pass { force: true } to overwrite what others set.',
  },
  'TUNE-30007': {
    name: 'NothingToUndo',
    todo: 'tune.history() lists the changes and which of them can be undone.',
  },
  'TUNE-30008': {
    name: 'NothingToApply',
    todo: 'Give a change such as { cacheSizeGB: 4 }, or an advice that has one.',
  },
  'TUNE-30009': {
    name: 'Interrupted',
    todo:
      'If it was changing something: tune.history() shows what was sent, tune.undo() returns ' +
      'to the state before.',
  },
  'TUNE-30010': {
    name: 'LeftOpen',
    todo: 'tune.history() shows it; until it is over or undone nothing else begins on this server.',
  },
  'TUNE-30011': {
    name: 'MemberNotReady',
    todo: 'tune.members() shows what is wrong with it; a change goes on only from a healthy set.',
  },
  'TUNE-31001': {
    name: 'ServerInUse',
    todo: 'Choose a quiet server, or pass { force: true } if both loads together are what you want to see.',
  },
  'TUNE-31002': {
    name: 'NotOurDatabase',
    todo: 'Name another database with { database: "…" }; tune writes only into one that it made itself.',
  },
  'TUNE-31003': {
    name: 'NotWritable',
    todo: 'Connect to the primary, with a connection string of the set, or to a standalone server.',
  },
  'TUNE-35001': {
    name: 'NoReplicaSet',
    todo: 'Plan it anew: without a replica set a split is offline.',
  },
  'TUNE-35002': {
    name: 'AlreadyMoving',
    todo: 'tune.split.status() shows it; finish or abort that one first.',
  },
  'TUNE-35003': {
    name: 'OtherShell',
    todo:
      'tune.split.status() shows who; tune.split.resume(id, { confirm: true }) goes on once ' +
      'that shell has stopped.',
  },
  'TUNE-35004': {
    name: 'TargetExists',
    todo: 'Rename or drop it, then the same again; tune.split.status() shows the way back.',
  },
  'TUNE-35005': {
    name: 'SourceChanged',
    todo:
      'Check both collections; tune.split.status() shows what can be done now. If the copy is ' +
      'gone, tune.split.resume(id, { restart: true, confirm: true }) makes it anew.',
  },
  'TUNE-35006': {
    name: 'NotLocked',
    todo:
      'End the transaction (db.currentOp({ transaction: { $exists: true } }) shows it), then ' +
      'the same command again.',
  },
  'TUNE-35007': {
    name: 'OplogOverrun',
    todo:
      'Make the oplog larger (replSetResizeOplog), then tune.split.resume(id, { restart: true, ' +
      'confirm: true }) begins the copy anew; after the cutover it compares everything instead.',
  },
  'TUNE-35008': {
    name: 'UniqueConflict',
    todo:
      'The same command again, while less is written; before the cutover tune.split.abort(id, ' +
      '{ confirm: true }) leaves the source as it was.',
  },
  'TUNE-35009': { name: 'DefinitionChanged', todo: 'Then the same command again.' },
  'TUNE-35010': {
    name: 'WrongPhase',
    todo: 'tune.split.status() shows how far it is, and what can be done now.',
  },
  'TUNE-35011': {
    name: 'PlanRefused',
    todo: 'Make a new plan: tune.split.plan({ source, target }).',
  },
  'TUNE-35012': { name: 'NoSuchSplit', todo: 'tune.split.status() lists them.' },
  'TUNE-35013': {
    name: 'UnexpectedDocuments',
    todo:
      'Then tune.split.resume(id, { confirm: true }); tune.split.status() shows the way back. ' +
      'When it is over, $merge the renamed collection into the one that answers.',
  },
  'TUNE-35014': { name: 'DiskFull', todo: 'docs/split.md has what takes disk space meanwhile.' },
  'TUNE-35016': {
    name: 'IndexBuild',
    todo: 'Wait until it is built, or drop it, which ends the build; then the same again.',
  },
  'TUNE-35017': {
    name: 'LastCopy',
    todo: 'tune.split.status() shows where the data is, and what can be done now.',
  },
  'TUNE-35018': {
    name: 'NotOnThisServer',
    todo:
      'tune.split.script(plan) shows the steps, with the writers stopped; or move the ' +
      'collection with mongodump and mongorestore.',
  },
  'TUNE-35019': {
    name: 'NoGuardian',
    todo:
      '{ guardian: false } goes without it: if the shell dies then, both names refuse until ' +
      'tune.split.resume(id, { confirm: true }).',
  },
  'TUNE-35020': { name: 'ViewsInTheWay', todo: 'Then the same command again.' },
  'TUNE-35015': {
    name: 'DocumentsDiffer',
    todo:
      'tune.split.verify(id, { repair: true, confirm: true }) copies them again and compares; ' +
      'before the cutover tune.split.abort(id, { confirm: true }) ends the split.',
  },
  'TUNE-40001': {
    name: 'JournalUnwritable',
    todo:
      'Without it nothing more is sent. Make the folder writable, or name another in ' +
      'MONGOSH_TUNE_HOME.',
  },
  'TUNE-40002': { name: 'FileUnreadable', todo: 'Check the path and its permissions.' },
  'TUNE-40003': {
    name: 'NotYaml',
    todo: 'Give a mongod.conf in YAML, or a WiredTiger configuration string.',
  },
  'TUNE-40004': {
    name: 'NotARecording',
    todo: 'Give the folder diagnostic.data, one of its files, or what tune.record() wrote.',
  },
  'TUNE-40005': {
    name: 'FileUnwritable',
    todo: 'Name a file that is not there yet, in a folder you may write to.',
  },
  'TUNE-40006': {
    name: 'NotAHostFile',
    todo: 'Give the file into which the script of tune.host.collect() wrote, whole.',
  },
  'TUNE-40007': {
    name: 'WorkerDied',
    todo: 'Run it again; if it comes back, try fewer threads and processes.',
  },
  'TUNE-40008': {
    name: 'NotAServerList',
    todo: 'Give one connection string a line, or a YAML or JSON list: docs/fleet.md.',
  },
  'TUNE-40009': {
    name: 'NotSupported',
    todo: 'mongosh-tune runs in the mongosh of a terminal from 2.0 on, and in Node.js from 20.19 on.',
  },
  'TUNE-90001': {
    name: 'Internal',
    todo: 'This is a defect of tune; please report it with the message.',
  },
});

module.exports = { CODES };
