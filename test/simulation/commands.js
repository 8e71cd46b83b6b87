'use strict';

const ADMIN = require('./commands-admin');
const CATALOG = require('./commands-catalog');
const DATA = require('./commands-data');
const { aggregate } = require('./aggregate');
const { applyOps } = require('./apply-ops');
const { changeStream } = require('./change-stream');

/** @type {Record<string, (server: any, op: any) => any>} */
const COMMANDS = { ...ADMIN, ...CATALOG, ...DATA, aggregate, applyOps, changeStream };

/** What is answered also while somebody waits for the whole lock; $currentOp, too. */
const WITHOUT_LOCK = new Set([
  'hello',
  'ping',
  'serverStatus',
  'hostInfo',
  'replSetGetStatus',
  'killOp',
  'killSessions',
  'commitTransaction',
  'abortTransaction',
  'currentOp',
  'buildInfo',
  'getParameter',
]);

module.exports = { COMMANDS, WITHOUT_LOCK };
