'use strict';

const fs = require('node:fs');
const path = require('node:path');
const { execFileSync } = require('node:child_process');
const { temporaryFolder } = require('./cleanup');

/**
 * A certificate for 127.0.0.1 that lives as long as a test: its own authority, for servers and for clients.
 * @returns {{ file: string, args: string[], query: string } | null} `file`: key and certificate; `args`: for a mongod that takes connections with
 *   and without TLS; `query`: for a connection string; null where there is no openssl
 */
function throwAwayCertificate() {
  const folder = temporaryFolder('tls').path;
  const [key, certificate, file] = ['key.pem', 'cert.pem', 'both.pem'].map((name) => path.join(folder, name));
  try {
    execFileSync('openssl', ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '2', '-subj', '/CN=127.0.0.1', '-addext', 'subjectAltName=IP:127.0.0.1', '-keyout', key, '-out', certificate], { stdio: 'ignore' });
  } catch (_noOpenssl) {
    return null;
  }
  fs.writeFileSync(file, fs.readFileSync(key, 'utf8') + fs.readFileSync(certificate, 'utf8'), { mode: 0o600 });
  return {
    file, args: ['--tlsMode', 'preferTLS', '--tlsCertificateKeyFile', file, '--tlsCAFile', certificate, '--tlsAllowConnectionsWithoutCertificates'],
    query: `tls=true&tlsCAFile=${encodeURIComponent(certificate)}`,
  };
}

module.exports = { throwAwayCertificate };
