'use strict';

/** Finds where the members of a set differ, and which of these differences are intended. */

/**
 * Finds the values in which several servers differ.
 * @typedef {{ host: string, values: Record<string, unknown> }} HostValues
 * @typedef {{ name: string, values: { text: string, hosts: string[] }[] }} Difference `values`: the
 *   most frequent first
 */

/** This is shown for a server that does not have the value. */
const ABSENT = 'not set';

/**
 * Turns nested options into dotted names; a list is one value.
 * @param {Record<string, unknown>} options @param {string} [prefix]
 * @returns {Record<string, unknown>}
 */
function flatten(options, prefix = '') {
  return Object.fromEntries(
    Object.entries(options).flatMap(([name, value]) =>
      value !== null &&
      typeof value === 'object' &&
      !Array.isArray(value) &&
      Object.keys(value).length > 0
        ? Object.entries(
            flatten(/** @type {Record<string, unknown>} */ (value), `${prefix}${name}.`),
          )
        : [[`${prefix}${name}`, value]],
    ),
  );
}

/**
 * Prints a value as text.
 * @param {unknown} value
 * @returns {string} the same text for equal values
 */
function textOf(value) {
  if (value === undefined) return ABSENT;
  return typeof value === 'string' ? value : JSON.stringify(value, sorted);
}

/** @param {string} _name @param {unknown} value */
const sorted = (_name, value) =>
  value !== null && typeof value === 'object' && !Array.isArray(value)
    ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
    : value;

/**
 * @param {readonly HostValues[]} reported the flat values of each server
 * @param {{ common?: boolean }} [how] `common`: only names that all of them have
 * @returns {Difference[]} in the order of the names
 */
function differences(reported, { common = false } = {}) {
  const names = [...new Set(reported.flatMap(({ values }) => Object.keys(values)))].sort();
  return names.flatMap((name) => {
    if (common && reported.some(({ values }) => values[name] === undefined)) return [];
    /** @type {Map<string, string[]>} */
    const groups = new Map();
    for (const { host, values } of reported)
      groups.set(textOf(values[name]), [...(groups.get(textOf(values[name])) ?? []), host]);
    const values = [...groups]
      .map(([text, hosts]) => ({ text, hosts }))
      .sort((a, b) => b.hosts.length - a.hosts.length);
    return values.length > 1 ? [{ name, values }] : [];
  });
}

/**
 * Options that belong to one member and are meant to differ: addresses, paths, names of files. All
 * others are expected to be the same on all members of a set (MongoDB manual, Production Notes:
 * members of one hardware and configuration).
 */
const OWN_OPTION =
  /^(config|net\.(port|bindIp|bindIpAll|ipv6|unixDomainSocket\..*|(tls|ssl)\..*File(Password)?)|storage\.dbPath|systemLog\.(path|destination|syslogFacility)|processManagement\..*|security\.(keyFile|ldap\.bind\..*|kmip\..*|encryptionKeyFile)|auditLog\.path|service|install)$/i;
/**
 * Parameters that are not compared here: other code compares the settings of the engine by name,
 * and the server computes the rest for itself.
 */
const OWN_PARAMETER =
  /^(wiredTigerEngineRuntimeConfig|authenticationMechanisms|featureCompatibilityVersion|automationServiceDescriptor|testOptions|cluster.*)$|(file|path|dir|directory|directorypath)$|password|secret/i;
/** Values under these names are never shown, and no server reports them. */
const SECRET = /password|secret/i;

/**
 * @param {Record<string, unknown>} options parsed, as getCmdLineOpts reports them
 * @returns {Record<string, unknown>} by dotted name, only those that all members share
 */
const sharedOptions = (options) => keep(flatten(options), OWN_OPTION);

/** @param {Record<string, unknown>} parameters @returns {Record<string, unknown>} */
const sharedParameters = (parameters) => keep(parameters, OWN_PARAMETER);

/** @param {Record<string, unknown>} values @param {RegExp} own */
const keep = (values, own) =>
  Object.fromEntries(
    Object.entries(values).filter(([name]) => !own.test(name) && !SECRET.test(name)),
  );

module.exports = { sharedOptions, sharedParameters, SECRET, flatten, textOf, differences, ABSENT };
