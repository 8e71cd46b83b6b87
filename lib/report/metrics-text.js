'use strict';

const { nameBefore, writeMetrics } = require('../check/metrics-file');
const { hostsIn } = require('../cluster/pure/fleet-list');
const { exposition, familiesOf } = require('./pure/prometheus/families');
const { ownVersion } = require('../base/own-files');

/**
 * @import { Target } from '../base/write-page'
 * @import { Run } from './pure/prometheus/families'
 */

const OWN_VERSION = ownVersion();

/** What a run found, in the text format of Prometheus. @param {Run} run */
const metricsText = (run) => exposition(familiesOf(run));

/** The hosts that a connection string names. @param {string} uri '' where there was no connection */
const hostOf = (uri) => hostsIn(uri) || 'unknown';

/**
 * Writes what a run leaves behind that could not sample: when it was, and no figures of the run
 * before.
 * @param {Target} target
 * @param {string | undefined} name
 * @param {string} uri
 */
function writeFailure(target, name, uri) {
  writeMetrics(
    target,
    metricsText({
      server: name ?? nameBefore(target) ?? hostOf(uri),
      atMs: Date.now(),
      tune: OWN_VERSION,
      examined: null,
    }),
  );
}

module.exports = { metricsText, hostOf, writeFailure, OWN_VERSION };
