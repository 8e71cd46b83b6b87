'use strict';

const { flatten } = require('../base/pure/differences');

/**
 * What belongs to each member by itself, and is meant to differ: addresses, paths, names of files.
 * The rest is expected to be the same on all members of a set (MongoDB manual, Production Notes:
 * members of one hardware and configuration).
 */
const OWN_OPTION =
  /^(config|net\.(port|bindIp|bindIpAll|ipv6|unixDomainSocket\..*|(tls|ssl)\..*File(Password)?)|storage\.dbPath|systemLog\.(path|destination|syslogFacility)|processManagement\..*|security\.(keyFile|ldap\.bind\..*|kmip\..*|encryptionKeyFile)|auditLog\.path|service|install)$/i;
/**
 * Compared by name for the settings of the engine; the others hold what the server computes for
 * itself.
 */
const OWN_PARAMETER =
  /^(wiredTigerEngineRuntimeConfig|authenticationMechanisms|featureCompatibilityVersion|automationServiceDescriptor|testOptions|cluster.*)$|(file|path|dir|directory|directorypath)$|password|secret/i;
/** Never shown, and reported by no server. */
const SECRET = /password|secret/i;

/**
 * @param {Record<string, unknown>} options parsed, as getCmdLineOpts tells them
 * @returns {Record<string, unknown>} by dotted name, those that all members share
 */
const sharedOptions = (options) => keep(flatten(options), OWN_OPTION);

/** @param {Record<string, unknown>} parameters @returns {Record<string, unknown>} */
const sharedParameters = (parameters) => keep(parameters, OWN_PARAMETER);

/** @param {Record<string, unknown>} values @param {RegExp} own */
const keep = (values, own) =>
  Object.fromEntries(
    Object.entries(values).filter(([name]) => !own.test(name) && !SECRET.test(name)),
  );

module.exports = { sharedOptions, sharedParameters, SECRET };
