'use strict';

/**
 * Reads the list of a fleet: servers named by a file or an array. No message prints more of a
 * connection string than its hosts.
 * @typedef {{ uri: string, name: string, tags: Readonly<Record<string, string>> }} Listed `uri`:
 *   with the password, never to be shown
 * @typedef {{ at: string, uri: unknown, name?: unknown, tags?: unknown }} Entry as it was found;
 *   `at`: where, `line 3` or `number 3`
 * @typedef {{ servers: Listed[], unset: string[], problems: string[], doubles: number }} List
 *   `unset`: variables that the environment lacks;
 *   `doubles`: entries that name a server once more
 */

const CONNECTION_STRING = /^mongodb(?:\+srv)?:\/\/[^\s/]+\S*$/;
/** Matches a variable in braces, or text that may have been meant as one. */
const VARIABLE = /\$\{([A-Za-z_][A-Za-z0-9_]*)\}|\$\{/g;
/** Matches scheme and credentials, as far as the last "@" before the path. */
const CREDENTIALS = /^[\w+]+:\/\/[^/?]*@/;
const FIELDS = Object.freeze(['uri', 'name', 'tags']);

/**
 * Reads one connection string a line; "#" begins a comment.
 * @param {string} text @returns {Entry[]}
 */
const linesOf = (text) =>
  text
    .split(/\r?\n/)
    .map((line, i) => ({ at: `line ${i + 1}`, uri: line.replace(/(^|\s)#.*$/, '').trim() }))
    .filter(({ uri }) => uri !== '');

/**
 * Reads a list of connection strings, or of objects with uri, name and tags.
 * @param {unknown} value @returns {{ entries: Entry[], problems: string[] }}
 */
function entriesOf(value) {
  const { servers } = /** @type {{ servers?: unknown }} */ (
    isMap(value) ? value : { servers: value }
  );
  if (!Array.isArray(servers)) return { entries: [], problems: ['it contains no list of servers'] };
  const problems = servers.flatMap((item, i) => {
    const unknown = isMap(item) ? Object.keys(item).filter((field) => !FIELDS.includes(field)) : [];
    return unknown.length === 0
      ? []
      : [
          `number ${i + 1} has ${unknown.map((field) => `"${field}"`).join(', ')}; there are ` +
            `${FIELDS.join(', ')}`,
        ];
  });
  return {
    entries: servers.map((item, i) => ({
      at: `number ${i + 1}`,
      ...(isMap(item) ? { uri: item.uri, name: item.name, tags: item.tags } : { uri: item }),
    })),
    problems,
  };
}

/**
 * @param {readonly Entry[]} entries @param {Readonly<Record<string, string | undefined>>} env
 * @returns {List}
 */
function listOf(entries, env) {
  const read = entries.map((entry) => ({
    ...entry,
    ...filledIn(entry.uri, env),
    tagMap: tagsOf(entry.tags),
  }));
  /** @type {Map<string, Listed>} */
  const servers = new Map();
  for (const { uri, name, tagMap } of read) {
    if (!servers.has(uri))
      servers.set(uri, { uri, name: isName(name) ? name : hostsIn(uri), tags: tagMap ?? {} });
  }
  return {
    servers: [...servers.values()],
    unset: [...new Set(read.flatMap(({ unset }) => unset))].sort(),
    problems: read.flatMap((one) => faultsOf(one).map((fault) => `${one.at}${fault}`)),
    doubles: read.length - servers.size,
  };
}

/**
 * @param {{
 *   uri: string, unset: readonly string[], isBroken: boolean, name?: unknown, tagMap: object | null
 * }} read
 * @returns {string[]} the faults, never with the string itself
 */
const faultsOf = ({ uri, unset, isBroken, name, tagMap }) => [
  ...(isBroken ? [' has a "${" that begins no variable such as ${PASSWORD}'] : []),
  ...(!isBroken && unset.length === 0 && !CONNECTION_STRING.test(uri)
    ? [' is not a connection string such as mongodb://host:27017']
    : []),
  ...(name === undefined || isName(name) ? [] : [': its name must be text']),
  ...(tagMap === null ? [': its tags must be a list of texts, or a map of texts'] : []),
];

/**
 * Replaces the variables of a connection string. A variable's value is inserted unchanged: in
 * credentials and options it is already encoded, as a connection string requires.
 * @param {unknown} uri
 * @param {Readonly<Record<string, string | undefined>>} env
 * @returns {{ uri: string, unset: string[], isBroken: boolean }}
 */
function filledIn(uri, env) {
  const text = typeof uri === 'string' ? uri.trim() : '';
  const ends = CREDENTIALS.exec(text)?.[0].length ?? 0;
  const begins = text.indexOf('?') === -1 ? text.length : text.indexOf('?');
  /** @type {string[]} */
  const unset = [];
  let isBroken = false;
  const filled = text.replace(VARIABLE, (found, variable, offset) => {
    if (variable === undefined) isBroken = true;
    else if (!env[variable]) unset.push(variable);
    const value = env[variable] ?? found;
    return offset < ends || offset > begins ? encodeURIComponent(value) : value;
  });
  return { uri: filled, unset, isBroken };
}

/**
 * Returns the hosts of a connection string, without credentials and options. A password may contain
 * unencoded "@", "/" and "?": text before the last "@" then belongs to the password.
 * @param {string} uri
 */
const hostsIn = (uri) => /^[\w+]+:\/\/(?:(?:(?!\?\w+=)[^])*@)?([^/?@]*)/.exec(uri)?.[1] ?? '';

/**
 * @param {unknown} tags
 * @returns {Record<string, string> | null} a list `['eu']` becomes `{ eu: '' }`
 */
function tagsOf(tags) {
  if (tags === undefined || tags === null) return {};
  if (!Array.isArray(tags) && !isMap(tags)) return null;
  const pairs = Array.isArray(tags)
    ? tags.map((tag) => [tag, ''])
    : Object.entries(tags).map(([tag, value]) => [tag, tagText(value)]);
  return pairs.every((pair) => pair.every((part) => typeof part === 'string'))
    ? Object.fromEntries(pairs)
    : null;
}

/**
 * Returns the value of a tag as text; null for a value that is no text, number or boolean.
 * @param {unknown} value
 * @returns {string | null}
 */
function tagText(value) {
  if (typeof value === 'string') return value;
  return isPlain(value) ? String(value) : null;
}

/** @param {unknown} value @returns {value is string} */
const isName = (value) => typeof value === 'string' && value.trim() !== '';
/** @param {unknown} value */
const isPlain = (value) => typeof value === 'number' || typeof value === 'boolean';
/** @param {unknown} value @returns {value is Record<string, unknown>} */
const isMap = (value) => value !== null && typeof value === 'object' && !Array.isArray(value);

module.exports = { linesOf, entriesOf, listOf, hostsIn };
