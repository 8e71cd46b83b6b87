'use strict';

const { TYPE, walk } = require('./bson');
const { ROLES } = require('../../server/pure/system-counters');

/**
 * @import { MetadataEntry } from './entries'
 */

/**
 * What a recording tells of the server besides numbers: strings of the reference documents, and the
 * metadata at the head of a file.
 *
 * @typedef {{
 *   host: string | null, version: string | null, process: string | null, engine: string | null
 * }} Identity
 * @typedef {{
 *   docs: Record<string, any>, parameters: Record<string, any> | null, engineStrings: string[]
 * }} Metadata `docs`: replies
 *   of buildInfo, getCmdLineOpts, hostInfo at the start of the server; `parameters`: of
 *   getParameter (8.0 and later), as last
 *   recorded; `engineStrings`: each wiredTigerEngineRuntimeConfig seen there, in order
 */

/** @type {Readonly<Metadata>} */
const NO_METADATA = Object.freeze({ docs: {}, parameters: null, engineStrings: [] });

/** @type {Readonly<Identity>} */
const NO_IDENTITY = Object.freeze({ host: null, version: null, process: null, engine: null });

/** @param {Buffer} reference @returns {Identity} */
function identityOf(reference) {
  const text = (/** @type {string[]} */ ...keys) =>
    lookUpText(reference, keys) ??
    ROLES.map((role) => lookUpText(reference, [role, ...keys])).find((found) => found !== null) ??
    null;
  return {
    host: text('serverStatus', 'host'),
    version: text('serverStatus', 'version'),
    process: text('serverStatus', 'process'),
    engine: text('serverStatus', 'storageEngine', 'name'),
  };
}

/** @param {Buffer} bytes @param {string[]} keys @returns {string | null} */
function lookUpText(bytes, keys) {
  let at = 0;
  for (const [i, key] of keys.entries()) {
    const isLast = i === keys.length - 1;
    const found = lookUp(bytes, at, { key, type: isLast ? TYPE.STRING : TYPE.DOCUMENT });
    if (found === null) return null;
    at = found;
  }
  return bytes.toString('utf8', at + 4, at + 3 + bytes.readInt32LE(at));
}

/**
 * @param {Buffer} bytes
 * @param {number} at
 * @param {{ key: string, type: number }} wanted
 * @returns {number | null}
 */
function lookUp(bytes, at, { key, type }) {
  /** @type {number | null} */
  let found = null;
  walk(bytes, at, (itsType, keyAt, valueAt) => {
    if (
      found === null &&
      itsType === type &&
      valueAt - 1 - keyAt === key.length &&
      bytes.toString('latin1', keyAt, valueAt - 1) === key
    )
      found = valueAt;
  });
  return found;
}

/**
 * @param {Metadata} known @param {MetadataEntry} entry
 * @returns {Metadata} a new one, for the old one belongs to the samples before
 */
function withEntry(known, { kind, doc }) {
  const docs = withoutRoles(doc);
  if (kind === 'metadata') return { docs, parameters: null, engineStrings: [] };
  const parameters = { ...known.parameters, ...docs.getParameter };
  const { wiredTigerEngineRuntimeConfig: string } = parameters;
  const isNew = typeof string === 'string' && string !== known.engineStrings.at(-1);
  return {
    ...known,
    parameters,
    engineStrings: isNew ? [...known.engineStrings, string] : known.engineStrings,
  };
}

/** @param {Record<string, any>} doc */
const withoutRoles = (doc) =>
  Object.assign(
    {},
    doc,
    ...ROLES.filter((role) => typeof doc[role] === 'object')
      .reverse()
      .map((role) => doc[role]),
  );

module.exports = { identityOf, withEntry, NO_METADATA, NO_IDENTITY };
