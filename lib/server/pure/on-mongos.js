'use strict';

/**
 * What to do instead where a command examines or changes one mongod, and the connection leads to a
 * mongos.
 */
const INSTEAD = Object.freeze(
  /** @type {Record<string, string>} */ ({
    status: 'tune.members() shows each member of each shard',
    watch:
      'tune.members() shows each member of each shard; watch the slow one over a direct connection',
    advise: 'tune.members({ advise: true }) names the bottleneck of each member of each shard',
    check: 'tune.members() checks each member of each shard; let a monitor check each of them',
    apply: 'tune.apply(change, { members: "all" }) changes the members of every shard, one by one',
    undo: 'tune.undo("<id>") reverts a change of several members by its id, here too',
    settings: 'tune.members() shows the settings of each member, and which differ',
    mongodConf: 'connect to a member of the shard: each has its own mongod.conf',
    drift:
      'tune.members() shows options and parameters that differ; connect to one member to compare ' +
      'it with its mongod.conf',
    trial: 'connect to the primary of the shard that is slow: a trial is about one cache',
    auto: 'connect to the primary of the shard that is slow: a search is about one cache',
    collections: 'connect to the primary of a shard: each has its own cache',
    checkpoints: 'connect to the primary of a shard: each writes its own checkpoints',
    host: 'connect to a member of the shard: each has its own host',
    record: 'record each member over a direct connection',
    report: 'connect to a member of the shard, or give an existing answer',
    bench: 'connect to a mongod of the same kind: a cluster has many caches',
  }),
);

/** @param {string} command such as `host.collect` @returns {string | null} what to do instead */
const insteadOf = (command) => INSTEAD[command.split('.')[0]] ?? null;

module.exports = { insteadOf, INSTEAD };
