'use strict';

/**
 * Nothing that is printed, thrown or written holds a password: drivers put the connection string
 * into some messages, and people give it to commands.
 */

/**
 * Credentials in front of the host. People write it with another scheme, and passwords with "@",
 * "/" and quotes as they are: all up to the last "@" of a word goes. Taken for a path it has one
 * slash only.
 */
const CREDENTIALS = /(\w:\/\/|\bmongodb(?:\+srv)?:\/+)\S*@/gi;
/**
 * Options of a connection string that are secrets themselves, or have some in them; in the text of
 * an object, too.
 */
const SECRET_OPTIONS =
  /((?:\b|_)(?:password|passphrase|tlsCertificateKeyFilePassword|sslCertificateKeyFilePassword|sslPEMKeyPassword|proxyPassword|authMechanismProperties|AWS_SESSION_TOKEN|secretAccessKey|sessionToken)["']?\s*[=:]\s*)(?:"[^"]*"|'[^']*'|\{[^}]*\}|[^&\s"')}]+)/gi;

/**
 * @param {string} text
 * @returns {string} the same, with nothing in place of credentials and a point of secret options
 */
const withoutSecrets = (text) => text.replace(CREDENTIALS, '$1').replace(SECRET_OPTIONS, '$1…');

/** @param {string} text @returns {boolean} */
const hasSecrets = (text) => withoutSecrets(text) !== text;

module.exports = { withoutSecrets, hasSecrets };
