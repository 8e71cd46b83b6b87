'use strict';

const fs = require('node:fs');
const path = require('node:path');
const { execFileSync } = require('node:child_process');
const { temporaryFolder } = require('./cleanup');

/**
 * A certificate for 127.0.0.1 that lives as long as a test: its own authority, for servers and for
 * clients.
 * @returns {{
 *   file: string, authority: string, args: string[], query: string,
 *   client: (name: string) => { file: string, subject: string }
 * } | null} `file`: key and certificate; `args`: for a
 *   mongod that takes connections with and without TLS; `query`: for a connection string; `client`:
 *   key and certificate of a user of that name; null where there is no openssl
 */
function throwAwayCertificate() {
  const folder = temporaryFolder('tls').path;
  const [key, certificate, file] = ['key.pem', 'cert.pem', 'both.pem'].map((name) =>
    path.join(folder, name),
  );
  try {
    execFileSync(
      'openssl',
      [
        'req',
        '-x509',
        '-newkey',
        'rsa:2048',
        '-nodes',
        '-days',
        '2',
        '-subj',
        '/CN=127.0.0.1',
        '-addext',
        'subjectAltName=IP:127.0.0.1',
        '-keyout',
        key,
        '-out',
        certificate,
      ],
      { stdio: 'ignore' },
    );
  } catch (_noOpenssl) {
    return null;
  }
  fs.writeFileSync(file, fs.readFileSync(key, 'utf8') + fs.readFileSync(certificate, 'utf8'), {
    mode: 0o600,
  });
  return {
    file,
    authority: certificate,
    args: [
      '--tlsMode',
      'preferTLS',
      '--tlsCertificateKeyFile',
      file,
      '--tlsCAFile',
      certificate,
      '--tlsAllowConnectionsWithoutCertificates',
    ],
    query: `tls=true&tlsCAFile=${encodeURIComponent(certificate)}`,
    client: (name) => clientOf({ folder, certificate, key }, name),
  };
}

/** @param {{ folder: string, certificate: string, key: string }} authority @param {string} name */
function clientOf({ folder, certificate, key }, name) {
  const [own, request, signed, file] = ['key', 'request', 'signed', 'client'].map((what) =>
    path.join(folder, `${name}-${what}.pem`),
  );
  execFileSync(
    'openssl',
    [
      'req',
      '-newkey',
      'rsa:2048',
      '-nodes',
      '-subj',
      `/O=Example/OU=People/CN=${name}`,
      '-keyout',
      own,
      '-out',
      request,
    ],
    { stdio: 'ignore' },
  );
  execFileSync(
    'openssl',
    [
      'x509',
      '-req',
      '-in',
      request,
      '-days',
      '2',
      '-CA',
      certificate,
      '-CAkey',
      key,
      '-CAcreateserial',
      '-out',
      signed,
    ],
    { stdio: 'ignore' },
  );
  fs.writeFileSync(file, fs.readFileSync(own, 'utf8') + fs.readFileSync(signed, 'utf8'), {
    mode: 0o600,
  });
  // As the server has it: RFC 2253, the last part first.
  return { file, subject: `CN=${name},OU=People,O=Example` };
}

module.exports = { throwAwayCertificate };
