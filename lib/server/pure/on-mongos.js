'use strict';

/**
 * What to do instead where a command examines or changes one mongod, and the connection leads to a
 * mongos.
 */
const INSTEAD = Object.freeze(
  /** @type {Record<string, string>} */ ({
    status: 'tune.members() shows each member of each shard',
    watch:
      'tune.members() shows each member of each shard; watch the slow one over a connection ' +
      'of its own',
    advise: 'tune.members({ advise: true }) names the bottleneck of each member of each shard',
    check: 'tune.members() judges each member of each shard; let a monitor ask each of them',
    apply: 'tune.apply(change, { members: "all" }) changes the members of every shard, one by one',
    undo: 'tune.undo("<id>") takes back a change of several members by its id, here too',
    settings: "tune.members() tells each member's settings, and in which they differ",
    mongodConf: 'connect to a member of the shard: each has a mongod.conf of its own',
    drift:
      'tune.members() tells in which options and parameters the members differ; connect to ' +
      'one to compare it with its mongod.conf',
    trial: 'connect to the primary of the shard that is slow: a trial is about one cache',
    auto: 'connect to the primary of the shard that is slow: a search is about one cache',
    collections: 'connect to the primary of a shard: each has a cache of its own',
    checkpoints: 'connect to the primary of a shard: each writes its own checkpoints',
    host: 'connect to a member of the shard: each has a machine of its own',
    record: 'record each member over a connection of its own',
    report: 'connect to a member of the shard, or give an answer that is there already',
    bench: 'connect to a mongod of the same kind: the caches of a cluster are many',
  }),
);

/** @param {string} command such as `host.collect` @returns {string | null} what to do instead */
const insteadOf = (command) => INSTEAD[command.split('.')[0]] ?? null;

module.exports = { insteadOf, INSTEAD };
