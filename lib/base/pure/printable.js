'use strict';

/**
 * Makes texts safe to print: without secrets, without anything that a terminal acts upon, and with
 * names as literals.
 */

/**
 * Removes passwords from everything that is printed, thrown or written: drivers put the connection
 * string into some messages, and people give it to commands.
 */

/**
 * Credentials in front of the host. People write them with another scheme, and passwords with
 * unescaped "@", "/" and quotes: so all up to the last "@" of a word is removed. A string that was
 * taken for a path has one slash only.
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

/**
 * Characters that a terminal acts upon or does not show: control characters, those of the
 * upper half too (0x9b begins a colour as ESC [ does), line and paragraph separators, what turns
 * the direction of writing or takes no room (Unicode, category Cf: marks of direction, joiners,
 * tags; so that two names that look the same are the same), blanks that count as letters, and
 * halves of a character (Cs) and code points that are none (Noncharacter_Code_Point), which no two
 * programs print alike.
 */
const ACTED_UPON =
  /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Noncharacter_Code_Point}\u034f\u115f\u1160\u3164\uffa0]/gu;
const SHORT = Object.freeze(
  /** @type {Record<string, string>} */ ({ '\t': '\\t', '\n': '\\n', '\r': '\\r' }),
);

/**
 * A name that a server reports, made safe to print: the name of a collection must not control the
 * terminal.
 * @param {string} text
 * @returns {string} `a\u001b[31m`, written out; in a string of JavaScript it means the same
 */
const visible = (text) =>
  text.replace(ACTED_UPON, (found) => SHORT[found] ?? found.replace(/[^]/g, unit));

/**
 * Prints a code unit; one half of a character beyond 0xffff is one, too.
 * @param {string} char
 * @returns {string}
 */
const unit = (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`;

/**
 * A string as mongosh reads it, without a character that a terminal would act upon.
 * @param {string} text
 */
const quoted = (text) => visible(JSON.stringify(text));

/**
 * A value of plain objects, arrays, strings and numbers as a person writes it for mongosh: names
 * without quotes where they need none.
 * @param {unknown} value
 * @returns {string}
 */
function literal(value) {
  if (Array.isArray(value)) return `[${value.map(literal).join(', ')}]`;
  if (value === null || typeof value !== 'object') return visible(JSON.stringify(value));
  const parts = Object.entries(value).map(
    ([name, field]) =>
      `${/^[A-Za-z_$][\w$]*$/.test(name) ? name : quoted(name)}: ${literal(field)}`,
  );
  return parts.length === 0 ? '{}' : `{ ${parts.join(', ')} }`;
}

/**
 * A call as a person types it; options that are false or not given are left out.
 * @param {string} command without "tune."
 * @param {...unknown} args
 * @returns {string}
 */
function callText(command, ...args) {
  const typed = args.filter((arg) => arg !== undefined).map((arg) => literal(withoutUnset(arg)));
  return `tune.${command}(${typed.join(', ')})`;
}

/** @param {unknown} arg */
const withoutUnset = (arg) =>
  arg === null || typeof arg !== 'object' || Array.isArray(arg)
    ? arg
    : Object.fromEntries(
        Object.entries(arg).filter(([, value]) => value !== undefined && value !== false),
      );

/**
 * A collection as mongosh reaches it: `db.getSiblingDB("shop").getCollection("orders")`.
 * @param {string} database @param {string} name
 */
const collectionText = (database, name) =>
  `db.getSiblingDB(${quoted(database)}).getCollection(${quoted(name)})`;

/** @param {{ db: string, name: string }} place @param {string} to */
const renameText = ({ db, name }, to) =>
  `${collectionText(db, name)}.renameCollection(${quoted(to)})`;

/**
 * Prints the change of an existing view.
 * @param {{ db: string, name: string }} place
 * @param {object} view
 */
const changeText = ({ db, name }, view) =>
  `db.getSiblingDB(${quoted(db)}).runCommand(${literal({ collMod: name, ...view })})`;

module.exports = {
  visible,
  withoutSecrets,
  hasSecrets,
  callText,
  collectionText,
  renameText,
  changeText,
  literal,
  quoted,
};
