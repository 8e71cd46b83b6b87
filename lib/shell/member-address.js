'use strict';

/**
 * The same connection to one member of the set alone: its credentials, TLS and options stay, the
 * hosts and what belongs to the set go. Done on the text, since a connection string may name
 * several hosts, which no URL does.
 */

/** scheme, credentials, hosts, database, options (MongoDB Connection String Specification) */
const PARTS = /^mongodb(\+srv)?:\/\/(?:([^@/?]*)@)?[^/?]*(\/[^?]*)?(?:\?(.*))?$/s;
const OF_THE_SET = new Set([
  'replicaset',
  'directconnection',
  'readpreference',
  'readpreferencetags',
  'loadbalanced',
  'srvmaxhosts',
  'srvservicename',
  'serverselectiontimeoutms',
  'connecttimeoutms',
  'maxstalenessseconds',
]);
/** A login whose users are in no database: another authSource than $external is refused for it. */
const OUTSIDE = /^authMechanism=(?!SCRAM-|DEFAULT)/i;
/** A member that does not answer in this time is said to be out of reach. */
const PATIENCE_MS = 3000;

/**
 * @param {string} uri @param {string} host of the member, with its port
 * @returns {string} with the password, never to be shown
 */
function memberUri(uri, host) {
  const [, srv, credentials, database = '/', query = ''] = PARTS.exec(uri) ?? [];
  const kept = query
    .split('&')
    .filter((pair) => pair !== '' && !OF_THE_SET.has(pair.split('=')[0].toLowerCase()));
  const options = [
    ...kept,
    ...(srv ? meantBySrv(kept, Boolean(credentials)) : []),
    'directConnection=true',
    `serverSelectionTimeoutMS=${PATIENCE_MS}`,
    `connectTimeoutMS=${PATIENCE_MS}`,
  ];
  return `mongodb://${credentials === undefined ? '' : `${credentials}@`}${host}${database}?${options.join('&')}`;
}

/**
 * What a mongodb+srv string stands for without saying so.
 * @param {readonly string[]} options
 * @param {boolean} hasUser
 */
function meantBySrv(options, hasUser) {
  const has = (/** @type {RegExp} */ option) => options.some((pair) => option.test(pair));
  return [
    ...(has(/^(?:tls|ssl)=/i) ? [] : ['tls=true']),
    ...(hasUser && !has(/^authSource=/i) && !has(OUTSIDE) ? ['authSource=admin'] : []),
  ];
}

module.exports = { memberUri, PATIENCE_MS };
