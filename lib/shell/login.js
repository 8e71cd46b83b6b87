'use strict';

const { TuneError } = require('../base/pure/errors');

/**
 * Finds the login for another connection: that of the shell's user, who may have logged in by
 * db.auth() since the connection string was typed, and may have other privileges.
 */

/** The driver takes these logins as an option with a password. */
const BY_PASSWORD = /^(?:DEFAULT|PLAIN|SCRAM-.*)$/;
/** The certificate is among the TLS options, which another connection has, too. */
const BY_CERTIFICATE = 'MONGODB-X509';
const BY_KEY = 'MONGODB-AWS';

/**
 * Finds the part of a login that the connection string of mongosh does not have.
 * @param {any} credentials the present login
 * @param {string} uri
 * @returns {Record<string, unknown>}
 * @throws {TuneError} TUNE-20005 where only this connection can have it
 */
function loginSince(credentials, uri) {
  if (!credentials) return {};
  if (credentials.password && BY_PASSWORD.test(credentials.mechanism)) return login(credentials);
  if (isIn(uri, credentials)) return {};
  const { mechanism, username = '' } = credentials;
  if (mechanism !== BY_CERTIFICATE) throw onlyHere(mechanism);
  // Give both fields, because the string may have a user with a password.
  return { auth: { username, password: undefined }, ...ofSource(credentials) };
}

/** Makes the options of a login. @param {any} credentials */
function login(credentials) {
  if (!credentials) return {};
  const { username, password, mechanismProperties } = credentials;
  return {
    ...(username && { auth: { username, password } }),
    ...ofSource(credentials),
    ...(mechanismProperties &&
      Object.keys(mechanismProperties).length > 0 && {
        authMechanismProperties: { ...mechanismProperties },
      }),
  };
}

/** @param {any} credentials */
const ofSource = ({ source, mechanism }) => ({
  authSource: source,
  ...(mechanism && mechanism !== 'DEFAULT' && { authMechanism: mechanism }),
});

/**
 * @param {string} uri
 * @param {any} credentials
 * @returns {boolean} whether the string has the same login
 */
function isIn(uri, { mechanism = 'DEFAULT', username = '' }) {
  const [, there = 'DEFAULT'] = /[?&]authMechanism=([^&]*)/i.exec(uri) ?? [];
  const [, user = ''] = /^mongodb(?:\+srv)?:\/\/([^:@/?]*)[^@/?]*@/.exec(uri) ?? [];
  // Drivers before 7 take the missing parts of a login by AWS from the environment.
  const ofEnvironment = mechanism === BY_KEY && user === '' ? [process.env.AWS_ACCESS_KEY_ID] : [];
  const names = [decodeURIComponent(user), ...ofEnvironment];
  return there.toUpperCase() === mechanism && names.includes(username);
}

/** @param {string} mechanism */
const onlyHere = (mechanism) =>
  new TuneError(
    'TUNE-20005',
    `The user of this shell logged in by ${mechanism} after it had connected, and no other ` +
      `connection can have that login. Start mongosh with authMechanism=${mechanism} in its ` +
      'connection string instead.',
    { value: mechanism, allowed: 'a login in the connection string, or by a password' },
  );

module.exports = { login, loginSince };
