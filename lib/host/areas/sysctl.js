'use strict';

const { numberIn, latest } = require('../snapshot');

/**
 * @import { Area } from '../snapshot'
 */

/** Kernel settings that MongoDB's production notes name. @type {Area} */
const AREA = {
  values(snapshots) {
    const sysctl = (/** @type {string} */ name) => () =>
      numberIn(latest(snapshots), `/proc/sys/${name.replaceAll('.', '/')}`);
    return {
      'sysctl.maxMapCount': sysctl('vm.max_map_count'),
      'sysctl.fileMax': sysctl('fs.file-max'),
      'sysctl.pidMax': sysctl('kernel.pid_max'),
      'sysctl.threadsMax': sysctl('kernel.threads-max'),
      'sysctl.somaxconn': sysctl('net.core.somaxconn'),
      'sysctl.tcpKeepaliveSeconds': sysctl('net.ipv4.tcp_keepalive_time'),
      'memory.swappiness': sysctl('vm.swappiness'),
      'memory.overcommit': sysctl('vm.overcommit_memory'),
      'numa.zoneReclaim': sysctl('vm.zone_reclaim_mode'),
    };
  },
};

module.exports = AREA;
