'use strict';

const { TuneError } = require('../base/pure/errors');

/**
 * Where a connection leads and how, for another process to make its own: with the password and the
 * certificates, so it is handed on and never shown.
 * @typedef {{ uri: string, options: Record<string, unknown> }} Address
 */

/** What is not in the list of hosts, and that another client needs to get to the same place. */
const KEPT = Object.freeze([
  'replicaSet',
  'directConnection',
  'tls',
  'tlsCAFile',
  'tlsCertificateKeyFile',
  'tlsCertificateKeyFilePassword',
  'tlsCRLFile',
  'tlsAllowInvalidCertificates',
  'tlsAllowInvalidHostnames',
  'tlsInsecure',
  'ca',
  'cert',
  'key',
  'passphrase',
  'pfx',
  'crl',
  'rejectUnauthorized',
  'checkServerIdentity',
  'serverApi',
  'writeConcern',
]);

/**
 * @param {any} source a service provider of mongosh, or the driver's MongoClient
 * @returns {Address}
 * @throws {TuneError} TUNE-10002
 */
function addressOf(source) {
  // mongosh puts the options of its command line into this string, those of TLS too.
  const uri = source?.getURI?.();
  if (typeof uri === 'string' && uri !== '') return { uri, options: {} };
  if (!Array.isArray(source?.options?.hosts))
    throw new TuneError(
      'TUNE-10002',
      'tune() needs a MongoClient, or a service provider of mongosh.',
      { allowed: ['MongoClient', 'NodeDriverServiceProvider'] },
    );
  const { hosts, credentials, loadBalanced } = source.options;
  return {
    uri: `mongodb://${hosts.map(String).join(',')}/${loadBalanced ? '?loadBalanced=true' : ''}`,
    options: { ...kept(source.options), ...login(credentials) },
  };
}

/** Functions do not go from one process to another. @param {any} options */
const kept = (options) =>
  Object.fromEntries(
    KEPT.flatMap((name) =>
      options[name] === undefined || options[name] === null || typeof options[name] === 'function'
        ? []
        : [[name, options[name]]],
    ),
  );

/** @param {any} credentials */
function login(credentials) {
  if (!credentials) return {};
  const { username, password, source, mechanism, mechanismProperties } = credentials;
  return {
    ...(username && { auth: { username, password } }),
    authSource: source,
    ...(mechanism && mechanism !== 'DEFAULT' && { authMechanism: mechanism }),
    ...(mechanismProperties &&
      Object.keys(mechanismProperties).length > 0 && {
        authMechanismProperties: { ...mechanismProperties },
      }),
  };
}

module.exports = { addressOf };
