'use strict';

/**
 * What a simulated server answers: what a real one answered, with a name, a clock and a load of its
 * own.
 * @typedef {'well' | 'busy' | 'dead' | 'slow' | 'refusing'} Kind `busy`: writers outrun eviction;
 *   `slow`: takes longer than anybody waits; `refusing`: takes
 *   no login, and says nothing to those without
 * @typedef {Map<string, any>} Recording answers by their commands
 */

/** What a driver puts beside the command itself. */
const ALONGSIDE = new Set([
  '$db',
  'lsid',
  '$clusterTime',
  '$readPreference',
  'maxTimeMS',
  'comment',
  'readConcern',
  'apiVersion',
]);
const GREETINGS = new Set(['hello', 'isMaster', 'ismaster']);
const NOT_FOUND = { ok: 0, code: 59, codeName: 'CommandNotFound', errmsg: 'no such command' };
const UNAUTHORIZED = {
  ok: 0,
  code: 13,
  codeName: 'Unauthorized',
  errmsg: 'command serverStatus requires authentication',
};
const LOGIN_FAILED = {
  ok: 0,
  code: 18,
  codeName: 'AuthenticationFailed',
  errmsg: 'Authentication failed.',
};

/** @param {Record<string, unknown>} command */
const keyOf = (command) =>
  JSON.stringify(
    Object.fromEntries(Object.entries(command).filter(([name]) => !ALONGSIDE.has(name))),
  );

/**
 * @param {Recording} recording
 * @param {{ kind: Kind, number: number }} server
 * @returns {(command: Record<string, any>) => any}
 */
function answering(recording, { kind, number }) {
  const startedMs = Date.now();
  const byName = new Map(
    [...recording].map(([key, answer]) => [Object.keys(JSON.parse(key))[0], answer]),
  );
  return (command) => {
    const [name] = Object.keys(command);
    if (GREETINGS.has(name)) return greeting(byName.get('hello'), command);
    if (name === 'ping' || name === 'endSessions') return { ok: 1 };
    if (kind === 'refusing') return name === 'saslStart' ? LOGIN_FAILED : UNAUTHORIZED;
    const answer = recording.get(keyOf(command)) ?? byName.get(name) ?? NOT_FOUND;
    return name === 'serverStatus'
      ? statusOf(answer, { kind, number, seconds: (Date.now() - startedMs) / 1000 })
      : answer;
  };
}

/** @param {any} recorded @param {Record<string, any>} command */
function greeting({ compression: _none, speculativeAuthenticate: _no, ...recorded }, command) {
  const login = command.saslSupportedMechs ? { saslSupportedMechs: ['SCRAM-SHA-256'] } : {};
  return { ...recorded, ...login, ismaster: true, helloOk: true, localTime: new Date() };
}

/** @param {any} recorded @param {{ kind: Kind, number: number, seconds: number }} server */
function statusOf(recorded, { kind, number, seconds }) {
  // No two are quite alike.
  const size = 0.5 + ((number * 37) % 100) / 200;
  const status = {
    ...recorded,
    host: `sim-${number}.example:27017`,
    localTime: new Date(),
    uptimeMillis: Number(recorded.uptimeMillis) + seconds * 1000,
    uptime: Number(recorded.uptime) + seconds,
  };
  if (!recorded.wiredTiger) return status;
  const cache = { ...recorded.wiredTiger.cache };
  const max = Number(cache['maximum bytes configured']);
  cache['bytes currently in the cache'] = max * 0.8 * size;
  cache['tracked dirty bytes in the cache'] = max * (kind === 'busy' ? 0.24 : 0.02 * size);
  status.wiredTiger = { ...recorded.wiredTiger, cache };
  status.opcounters = grown(
    recorded.opcounters,
    { insert: 900 * size, query: 700 * size },
    seconds,
  );
  if (kind === 'busy') {
    Object.assign(
      cache,
      grown(
        cache,
        {
          'pages evicted by application threads': 900,
          'application thread time evicting (usecs)': 3e6,
          'modified pages evicted': 900,
        },
        seconds,
      ),
    );
    status.wiredTiger['thread-yield'] = grown(
      recorded.wiredTiger['thread-yield'],
      {
        'application thread time evicting (usecs)': 3e6,
        'application thread time waiting for cache (usecs)': 4e6,
      },
      seconds,
    );
  }
  return status;
}

/** @param {any} section @param {Record<string, number>} perSecond @param {number} seconds */
const grown = (section, perSecond, seconds) => ({
  ...section,
  ...Object.fromEntries(
    Object.entries(perSecond)
      .filter(([name]) => name in section)
      .map(([name, rate]) => [name, Number(section[name]) + Math.round(rate * seconds)]),
  ),
});

module.exports = { answering, keyOf };
