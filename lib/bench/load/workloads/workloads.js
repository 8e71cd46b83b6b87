'use strict';

const { YCSB } = require('./ycsb');
const { IIBENCH } = require('./iibench');
const { SYSBENCH } = require('./sysbench');

/** @type {ReadonlyMap<string, import('./kit').Workload>} */
const WORKLOADS = new Map(
  [...YCSB, IIBENCH, SYSBENCH].map((workload) => [workload.name, workload]),
);

module.exports = { WORKLOADS };
