'use strict';

/**
 * Every error a user can meet, by code. The text after the code is what to do about it. 1xxxx what
 * was typed, 2xxxx the server or the place, 3xxxx a change that is not safe, 4xxxx this machine,
 * 9xxxx tune itself.
 * @satisfies {Record<string, { name: string, todo: string }>}
 */
const CODES = Object.freeze({
  'TUNE-10001': {
    name: 'UnknownOption',
    todo: 'Use one of the options named in the message; tune.<command>.help() lists them.',
  },
  'TUNE-10002': { name: 'InvalidOption', todo: 'Give a value of the kind named in the message.' },
  'TUNE-10003': { name: 'UnknownName', todo: 'Use one of the names in the message.' },
  'TUNE-10004': {
    name: 'MissingArgument',
    todo: 'Give the argument; tune.<command>.help() shows an example.',
  },
  'TUNE-10005': { name: 'UnknownCommand', todo: 'tune.help() lists the commands.' },
  'TUNE-10006': {
    name: 'UnsetVariable',
    todo: 'Set it for this shell, as in PASSWORD=… mongosh …, or remove it from the list.',
  },
  'TUNE-20001': {
    name: 'NotConnected',
    todo: 'Connect first: mongosh "mongodb://host:port", or db = connect("mongodb://host:port").',
  },
  'TUNE-20002': {
    name: 'NotWiredTiger',
    todo: 'tune examines only the WiredTiger storage engine: connect to a mongod that uses it.',
  },
  'TUNE-20003': {
    name: 'Mongos',
    todo: 'Connect to the slow mongod: a mongos has no storage engine.',
  },
  'TUNE-20004': {
    name: 'Arbiter',
    todo: 'Connect to a data-bearing member: an arbiter stores no data.',
  },
  'TUNE-20005': {
    name: 'MissingPrivilege',
    todo:
      'Log in as a user with the role named in the message; docs/privileges.md lists the ' +
      'minimum roles.',
  },
  'TUNE-20006': {
    name: 'ConnectionLost',
    todo: 'Check the server and the network, then run the command again.',
  },
  'TUNE-20007': {
    name: 'Atlas',
    todo:
      'Atlas does not let users set engine parameters: change the cluster tier, or contact ' +
      'Atlas support.',
  },
  'TUNE-20008': {
    name: 'ServerRefused',
    todo: 'The message contains the reason given by the server.',
  },
  'TUNE-20009': {
    name: 'NoWiredTigerSection',
    todo: 'The server omitted the section (start-up, shutdown, or a lock not acquired): try again.',
  },
  'TUNE-20010': {
    name: 'OtherServer',
    todo: 'Connect to the intended member with directConnection=true, and run the command again.',
  },
  'TUNE-20011': {
    name: 'NotReached',
    todo: 'Check that the server is running, its address, and the network.',
  },
  'TUNE-20012': {
    name: 'TimeLimit',
    todo:
      'Raise TUNE_TIMEOUT_SECONDS (scripts) or serverTimeoutSeconds (fleet), and check that ' +
      'the server responds.',
  },
  'TUNE-30001': { name: 'OutOfRange', todo: 'Choose a value inside the range.' },
  'TUNE-30002': {
    name: 'WrongOrder',
    todo: 'Keep every target below its trigger, threads_min at most threads_max, and bytes within the cache.',
  },
  'TUNE-30003': {
    name: 'Unsafe',
    todo:
      'Choose a value in the safe range, or pass { force: true } if you know that it is right ' +
      'here.',
  },
  'TUNE-30004': {
    name: 'NotVerified',
    todo: 'tune.settings() shows the effective settings, and the origin of each.',
  },
  'TUNE-30005': {
    name: 'PartlyApplied',
    todo:
      'The message lists what was restored and what was not; tune.settings() shows the ' +
      'effective settings.',
  },
  'TUNE-30006': {
    name: 'ChangedByOthers',
    todo: 'Check tune.settings(); pass { force: true } to overwrite the external change.',
  },
  'TUNE-30007': {
    name: 'NothingToUndo',
    todo: 'tune.history() lists the changes and which of them can be undone.',
  },
  'TUNE-30008': {
    name: 'NothingToApply',
    todo: 'Give a change such as { cacheSizeGB: 4 }, or an answer of tune.advise() with one.',
  },
  'TUNE-30009': {
    name: 'Interrupted',
    todo:
      'After an interrupted change: tune.history() shows what was sent, tune.undo() restores ' +
      'the earlier settings.',
  },
  'TUNE-30010': {
    name: 'LeftOpen',
    todo:
      'tune.history() shows it. If another shell is changing the server, wait. If that shell ' +
      'was killed, tune.undo() shows how to restore the earlier settings.',
  },
  'TUNE-30011': {
    name: 'MemberNotReady',
    todo: 'tune.members() shows the problem; a change continues only on a healthy set.',
  },
  'TUNE-30012': {
    name: 'RefusedByPolicy',
    todo: 'tune.policy() shows the rules and where they come from.',
  },
  'TUNE-31001': {
    name: 'ServerInUse',
    todo: 'Choose an idle server, or pass { force: true } to measure both loads together.',
  },
  'TUNE-31002': {
    name: 'NotOurDatabase',
    todo: 'Name another database with { database: "…" }: tune writes only to databases it created.',
  },
  'TUNE-31003': {
    name: 'NotWritable',
    todo: 'Connect to the primary with a connection string of the set, or to a standalone server.',
  },
  'TUNE-35001': {
    name: 'NoReplicaSet',
    todo: 'Make a new plan: without a replica set a split is offline.',
  },
  'TUNE-35002': {
    name: 'AlreadyMoving',
    todo: 'tune.split.status() shows it; finish or abort that one first.',
  },
  'TUNE-35003': {
    name: 'OtherShell',
    todo:
      'tune.split.status() shows the other shell. Once it has stopped, run ' +
      'tune.split.resume(id, { confirm: true }).',
  },
  'TUNE-35004': {
    name: 'TargetExists',
    todo: 'Then tune.split.status() shows what is left to do, and how to roll back.',
  },
  'TUNE-35005': {
    name: 'SourceChanged',
    todo: 'Check both collections; tune.split.status() shows the possible commands.',
  },
  'TUNE-35006': {
    name: 'NotLocked',
    todo:
      'End the transaction (find it with db.currentOp({ transaction: { $exists: true } })), ' +
      'then run the same command again.',
  },
  'TUNE-35007': {
    name: 'OplogOverrun',
    todo:
      'Enlarge the oplog (replSetResizeOplog). Then tune.split.resume(id, { restart: true, ' +
      'confirm: true }) starts a new copy; after the cutover it compares all documents, and ' +
      'updates the old data.',
  },
  'TUNE-35008': {
    name: 'UniqueConflict',
    todo:
      'Run the same command again under less write load. A document that only the copy has may ' +
      'hold the value: tune.split.verify(id, { repair: true, confirm: true }) removes it. Before ' +
      'the cutover, tune.split.abort(id, { confirm: true }) leaves the source unchanged.',
  },
  'TUNE-35009': {
    name: 'DefinitionChanged',
    todo:
      'Revert the index or option change, or repeat it on the copy. Then run the same command ' +
      'again.',
  },
  'TUNE-35010': {
    name: 'WrongPhase',
    todo: 'tune.split.status() shows the progress and the possible commands.',
  },
  'TUNE-35011': {
    name: 'PlanRefused',
    todo: 'Make a new plan: tune.split.plan({ source, target }).',
  },
  'TUNE-35012': { name: 'NoSuchSplit', todo: 'tune.split.status() lists all splits.' },
  'TUNE-35013': {
    name: 'UnexpectedDocuments',
    todo:
      'Then run tune.split.resume(id, { confirm: true }); tune.split.status() shows how to ' +
      'roll back. Afterwards copy the renamed collection into the active one with $merge and ' +
      'whenMatched: "fail": it stops at an _id that both sides have.',
  },
  'TUNE-35014': {
    name: 'DiskFull',
    todo: 'Make free space on every member, then run tune.split.resume(id, { confirm: true }).',
  },
  'TUNE-35016': {
    name: 'IndexBuild',
    todo:
      'Wait until the index is built, or drop it to stop the build. Then run the same command ' +
      'again.',
  },
  'TUNE-35017': {
    name: 'LastCopy',
    todo: 'tune.split.status() shows where the data is, and the possible commands.',
  },
  'TUNE-35018': {
    name: 'NotOnThisServer',
    todo:
      'Stop the writers and follow tune.split.script(plan), or move the collection with ' +
      'mongodump and mongorestore.',
  },
  'TUNE-35019': {
    name: 'NoGuardian',
    todo:
      '{ guardian: false } runs without it. If the shell then dies, both namespaces are ' +
      'blocked until tune.split.resume(id, { confirm: true }).',
  },
  'TUNE-35020': { name: 'ViewsInTheWay', todo: 'Then run the same command again.' },
  'TUNE-35021': {
    name: 'NotComparable',
    todo: 'Compare while tune.split.resume(id, { follow: true, confirm: true }) runs elsewhere.',
  },
  'TUNE-35015': {
    name: 'DocumentsDiffer',
    todo:
      'tune.split.verify(id, { repair: true, confirm: true }) copies the documents again and compares. ' +
      'Before the cutover, tune.split.abort(id, { confirm: true }) ends the split.',
  },
  'TUNE-40001': {
    name: 'JournalUnwritable',
    todo:
      'Make the folder and its files writable for this account. Or set MONGOSH_TUNE_HOME to ' +
      'another folder: there tune.undo() does not find earlier changes.',
  },
  'TUNE-40002': { name: 'FileUnreadable', todo: 'Check the path and its permissions.' },
  'TUNE-40003': {
    name: 'NotYaml',
    todo: 'Give a mongod.conf in YAML, or a WiredTiger configuration string.',
  },
  'TUNE-40004': {
    name: 'NotARecording',
    todo: 'Give the folder diagnostic.data, one of its files, or a file written by tune.record().',
  },
  'TUNE-40005': {
    name: 'FileUnwritable',
    todo: 'Give the name of a new file in a writable folder.',
  },
  'TUNE-40006': {
    name: 'NotAHostFile',
    todo: 'Give the complete file written by the script of tune.host.collect().',
  },
  'TUNE-40007': {
    name: 'WorkerDied',
    todo: 'Run it again; if it fails again, use fewer threads and processes.',
  },
  'TUNE-40008': {
    name: 'NotAServerList',
    todo: 'Give one connection string per line, or a YAML or JSON list: docs/fleet.md.',
  },
  'TUNE-40009': {
    name: 'NotSupported',
    todo: 'mongosh-tune needs mongosh 2.0 or later in a terminal, or Node.js 20.19 or later.',
  },
  'TUNE-40010': {
    name: 'JournalTooNew',
    todo:
      'Use the release of mongosh-tune that wrote the journal, or set MONGOSH_TUNE_HOME to ' +
      'another folder: there tune.undo() does not find earlier changes.',
  },
  'TUNE-40011': {
    name: 'DriverMissing',
    todo:
      'Run "npm install mongodb" in the folder that holds tune; a cutover also runs without ' +
      'guardian: { guardian: false }.',
  },
  'TUNE-90001': {
    name: 'Internal',
    todo: 'If tune is installed completely, this is a defect of tune: please report it with the message.',
  },
});

module.exports = { CODES };
