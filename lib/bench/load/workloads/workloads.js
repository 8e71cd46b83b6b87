'use strict';

const { YCSB } = require('./ycsb');
const { IIBENCH } = require('./iibench');
const { SYSBENCH } = require('./sysbench');

/**
 * @import { Workload } from './operations'
 */

/** @type {ReadonlyMap<string, Workload>} */
const WORKLOADS = new Map(
  [...YCSB, IIBENCH, SYSBENCH].map((workload) => [workload.name, workload]),
);

module.exports = { WORKLOADS };
