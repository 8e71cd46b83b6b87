'use strict';

const assert = require('node:assert/strict');
const { memberUri } = require('../../../lib/shell/member-connection');

const OWN = 'directConnection=true&serverSelectionTimeoutMS=3000&connectTimeoutMS=3000';

describe('shell/member-address', () => {
  for (const [what, uri, expected] of [
    ['the hosts are replaced', 'mongodb://a:1,b:2/?replicaSet=rs', `mongodb://m:9/?${OWN}`],
    [
      'credentials, database and TLS stay',
      'mongodb://u:p%40ss@a:1/db?tls=true&tlsCAFile=%2Fca.pem&authSource=admin',
      `mongodb://u:p%40ss@m:9/db?tls=true&tlsCAFile=%2Fca.pem&authSource=admin&${OWN}`,
    ],
    [
      'what belongs to the set goes, however it is spelled',
      'mongodb://a/?readPreference=secondary&REPLICASET=x&directConnection=false&serverSelectionTimeoutMS=99&appName=y',
      `mongodb://m:9/?appName=y&${OWN}`,
    ],
    ['there may be nothing but hosts', 'mongodb://a', `mongodb://m:9/?${OWN}`],
    [
      'SRV means TLS, and users of admin',
      'mongodb+srv://u:p@cluster.example.net/',
      `mongodb://u:p@m:9/?tls=true&authSource=admin&${OWN}`,
    ],
    [
      'SRV without a user, and without TLS when it says so',
      'mongodb+srv://cluster.example.net/?tls=false',
      `mongodb://m:9/?tls=false&${OWN}`,
    ],
    [
      'SRV with a certificate for a user, which is in no database',
      'mongodb+srv://CN%3Du@c.example.net/?authMechanism=MONGODB-X509&tlsCertificateKeyFile=%2Fme.pem',
      `mongodb://CN%3Du@m:9/?authMechanism=MONGODB-X509&tlsCertificateKeyFile=%2Fme.pem&tls=true&${OWN}`,
    ],
    [
      'SRV with a password and its mechanism',
      'mongodb+srv://u:p@c.example.net/?authMechanism=SCRAM-SHA-256',
      `mongodb://u:p@m:9/?authMechanism=SCRAM-SHA-256&tls=true&authSource=admin&${OWN}`,
    ],
    [
      'SRV with another source of users',
      'mongodb+srv://u:p@c.example.net/?authSource=x',
      `mongodb://u:p@m:9/?authSource=x&tls=true&${OWN}`,
    ],
  ])
    it(what, () => assert.equal(memberUri(uri, 'm:9'), expected));
});
