'use strict';

/**
 * @import { Commands } from './root-files'
 */

/**
 * What no file of the kernel tells, and the commands that do: they only read, need no root, and end
 * at once. The collecting script runs the same ones.
 * @satisfies {Commands}
 */
const COMMANDS = Object.freeze({
  // /proc/sys/kernel/arch is there since Linux 6.1.
  uname: ['uname', '-m'],
  df: ['df', '-Pk'],
  zfs: [
    'zfs',
    'get',
    '-Hp',
    '-t',
    'filesystem',
    '-o',
    'name,property,value',
    'recordsize,compression,atime,primarycache,logbias,sync',
  ],
  zpool: ['zpool', 'get', '-Hp', '-o', 'name,property,value', 'ashift'],
});

module.exports = { COMMANDS };
