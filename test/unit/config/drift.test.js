'use strict';

const assert = require('node:assert/strict');
const {
  fileDrift,
  runtimeDrift,
  memberDrift,
  compareSettings,
} = require('../../../lib/config/drift');

/**
 * @import { Drift } from '../../../lib/config/drift'
 */

const lines = (/** @type {Drift[]} */ all) =>
  all.map(
    ({ kind, name, running, other, hosts }) =>
      `${kind} ${name} ${running} ${other}${hosts.length > 0 ? ` ${hosts}` : ''}`,
  );
const here = (options, argv = ['mongod', '-f', '/etc/mongod.conf']) => ({ options, argv });

describe('config/drift: against mongod.conf', () => {
  it('finds nothing where the file says what was started', () => {
    const file = {
      net: { port: 27017, bindIp: 'x' },
      storage: { journal: { enabled: true }, wiredTiger: { engineConfig: { cacheSizeGB: 1 } } },
      setParameter: { ttlMonitorSleepSecs: 30 },
    };
    const started = {
      config: '/etc/mongod.conf',
      net: { bindIp: 'x', port: 27017 },
      storage: { wiredTiger: { engineConfig: { cacheSizeGB: 1.0 } } },
      setParameter: { ttlMonitorSleepSecs: '30' },
    };
    assert.deepEqual(fileDrift(file, here(started)), []);
  });
  it('finds what was edited, added and taken away since', () =>
    assert.deepEqual(
      lines(
        fileDrift(
          { storage: { wiredTiger: { engineConfig: { cacheSizeGB: 2 } } }, net: { port: 1 } },
          here({
            storage: { wiredTiger: { engineConfig: { cacheSizeGB: 1 } } },
            security: { authorization: 'enabled' },
          }),
        ),
      ),
      [
        'file net.port not set 1',
        'file security.authorization enabled not set',
        'file storage.wiredTiger.engineConfig.cacheSizeGB 1 2',
      ],
    ));
  it('tells what the command line says', () =>
    assert.deepEqual(
      lines(
        fileDrift(
          { storage: { dbPath: '/a' } },
          here(
            {
              storage: { dbPath: '/b', wiredTiger: { engineConfig: { cacheSizeGB: 1 } } },
              replication: { replSetName: 'rs' },
              setParameter: { logLevel: '1', quiet: 'true' },
            },
            [
              'mongod',
              '--dbpath=/b',
              '--wiredTigerCacheSizeGB',
              '1',
              '--replSet',
              'rs',
              '--setParameter',
              'logLevel=1',
              '--setParameter=quiet=true',
            ],
          ),
        ),
      ),
      [
        'command-line replication.replSetName rs not set',
        'command-line setParameter.logLevel 1 not set',
        'command-line setParameter.quiet true not set',
        'command-line storage.dbPath /b /a',
        'command-line storage.wiredTiger.engineConfig.cacheSizeGB 1 not set',
      ],
    ));
  it('knows the older names, and leaves what is fetched at the start', () =>
    assert.deepEqual(
      lines(
        fileDrift(
          {
            net: {
              ssl: { mode: 'requireSSL' },
              bindIpAll: true,
              tls: { certificateKeyFile: { __exec: 'x' } },
            },
          },
          here({ net: { tls: { mode: 'requireSSL' }, bindIp: '*' } }),
        ),
      ),
      [],
    ));
  it('shows no secret', () =>
    assert.deepEqual(
      lines(
        fileDrift(
          { net: { tls: { certificateKeyFilePassword: 'a' } } },
          here({ net: { tls: { certificateKeyFilePassword: '<password>' } } }),
        ),
      ),
      [],
    ));
  it('says nothing where the options may not be read', () =>
    assert.deepEqual(fileDrift({ a: 1 }, { options: null, argv: [] }), []));
});

describe('config/drift: since the start', () => {
  it('finds parameters that were set to something else', () =>
    assert.deepEqual(
      lines(
        runtimeDrift({
          options: {
            setParameter: {
              ttlMonitorSleepSecs: '30',
              ttlMonitorEnabled: 'true',
              notablescan: '1',
              x: 'y',
              gone: '1',
            },
            storage: { syncPeriodSecs: 60 },
            systemLog: { verbosity: 0 },
          },
          parameters: {
            ttlMonitorSleepSecs: 5,
            ttlMonitorEnabled: true,
            notablescan: true,
            x: 'z',
            syncdelay: 10,
            logLevel: 0,
          },
        }),
      ),
      ['runtime ttlMonitorSleepSecs 5 30', 'runtime x z y', 'runtime syncdelay 10 60'],
    ));
  it('takes the same for the same, however it is written', () =>
    assert.deepEqual(
      runtimeDrift({
        options: { setParameter: { a: '0.50', b: 'false', c: '', d: '0', e: '1' } },
        parameters: { a: 0.5, b: false, c: '', d: false, e: true },
      }),
      [],
    ));
  it('says nothing where either may not be read', () => {
    assert.deepEqual(runtimeDrift({ options: null, parameters: {} }), []);
    assert.deepEqual(runtimeDrift({ options: {}, parameters: null }), []);
  });
});

describe('config/drift: against the other members', () => {
  const reported = (host, options, parameters, version = '6.0.5') => ({
    host,
    options,
    parameters,
    version,
  });
  it('finds options and parameters, each once', () =>
    assert.deepEqual(
      lines(
        memberDrift(
          reported(
            'a',
            { net: { port: 1 }, setParameter: { quiet: '1' } },
            { quiet: true, ttl: 5, list: { x: 1 } },
          ),
          [
            reported('b', { net: { port: 2 } }, { quiet: false, ttl: 60, list: { x: 1 } }),
            reported(
              'c',
              { setParameter: { quiet: '1' } },
              { quiet: true, ttl: 60, list: { x: 2 } },
            ),
          ],
        ),
      ),
      ['members setParameter.quiet 1 not set b', 'members list.x 1 2 c', 'members ttl 5 60 b,c'],
    ));
  it('compares parameters among those of one release only', () =>
    assert.deepEqual(
      memberDrift(reported('a', {}, { ttl: 5 }), [reported('b', {}, { ttl: 60 }, '7.0.1')]),
      [],
    ));
  it('says nothing where they may not be read', () => {
    assert.deepEqual(memberDrift(reported('a', null, null), [reported('b', {}, { ttl: 60 })]), []);
    assert.deepEqual(memberDrift(reported('a', {}, { ttl: 1 }), [reported('b', null, null)]), []);
    assert.deepEqual(
      memberDrift(reported('a', { x: 1 }, null), [reported('b', { x: 1 }, null)]),
      [],
    );
  });
});

describe('config/drift: settings of the engine beside those of the other members', () => {
  const member = (host, threads, sinceRestart = false) => ({
    host,
    settings: threads === null ? {} : { evictionThreadsMax: { text: threads, sinceRestart } },
  });
  it('finds what was changed at run time, here or there', () => {
    assert.deepEqual(
      lines(
        compareSettings(member('a', '4'), [
          member('b', '8', true),
          member('c', '4'),
          member('d', '8', true),
          member('e', '6', true),
        ]),
      ),
      ['members evictionThreadsMax 4 8 b,d', 'members evictionThreadsMax 4 6 e'],
    );
    assert.deepEqual(lines(compareSettings(member('a', '8', true), [member('b', '4')])), [
      'members evictionThreadsMax 8 4 b',
    ]);
  });
  it('leaves out what is the same, what was so from the start, and what is not known', () => {
    assert.deepEqual(compareSettings(member('a', '4', true), [member('b', '4')]), []);
    assert.deepEqual(compareSettings(member('a', '4'), [member('b', '8')]), []);
    assert.deepEqual(compareSettings(member('a', null), [member('b', '8', true)]), []);
    assert.deepEqual(compareSettings(member('a', '4', true), [member('b', null)]), []);
  });
});
