'use strict';

const { HostFileError, latest } = require('../snapshot');
const { serverFile } = require('../process-files');

/**
 * @import { Area, Gathered, Subject } from '../snapshot'
 */

const FOLDER = '/sys/devices/system/node';

/** The NUMA nodes: memory that is near to some CPUs and far from others. @type {Area} */
const AREA = {
  values(snapshots, subject) {
    const snapshot = latest(snapshots);
    const nodes = async () =>
      (await snapshot.list(FOLDER)).filter((name) => /^node\d+$/.test(name)).length;
    return {
      'numa.nodes': nodes,
      // The kernel walks all pages of the process to write this file: read it only where a machine
      // has several nodes.
      'numa.isInterleaved': async () =>
        (await nodes()) > 1 ? isInterleaved(snapshot, subject) : undefined,
    };
  },
};

/**
 * Decides whether mongod spreads its memory over all nodes.
 * @param {Gathered} snapshot
 * @param {Subject} subject
 * @returns {Promise<boolean>} by the policy of its first mapping, as mongod itself checks at its
 *   start: numa(7)
 */
async function isInterleaved(snapshot, subject) {
  const path = serverFile(subject, 'numa_maps');
  const [, policy] = /^[0-9a-f]+ (\S+)/.exec(await snapshot.text(path)) ?? [];
  if (policy === undefined) throw new HostFileError(`${path} has an unexpected format`);
  return policy.startsWith('interleave') || policy.startsWith('weighted');
}

module.exports = AREA;
