'use strict';

const { TuneError } = require('../base/pure/errors');

/**
 * As whom another connection logs in: as the user of the shell, who may have logged in by db.auth()
 * since the connection string was typed, and may do more, or less.
 */

/** Logins by a password that the driver takes as an option. */
const BY_PASSWORD = /^(?:DEFAULT|PLAIN|SCRAM-.*)$/;
/** Its certificate is among the options of TLS, which another connection has, too. */
const BY_CERTIFICATE = 'MONGODB-X509';
const BY_KEY = 'MONGODB-AWS';

/**
 * What the string of mongosh does not have of a login.
 * @param {any} credentials of who is logged in now
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
  // Both fields, for the string may have a user with a password.
  return { auth: { username, password: undefined }, ...ofSource(credentials) };
}

/** The options of a login. @param {any} credentials */
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

/** @param {string} uri @param {any} credentials @returns {boolean} whether the string says the same */
function isIn(uri, { mechanism = 'DEFAULT', username = '' }) {
  const [, there = 'DEFAULT'] = /[?&]authMechanism=([^&]*)/i.exec(uri) ?? [];
  const [, user = ''] = /^mongodb(?:\+srv)?:\/\/([^:@/?]*)[^@/?]*@/.exec(uri) ?? [];
  // Drivers before 7 take from the environment what the string does not have of a login by AWS.
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
