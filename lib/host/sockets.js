'use strict';

/**
 * @import { Files } from './snapshot'
 */

/**
 * Reads TCP sockets in the network namespace of a process: /proc/<pid>/net/tcp and tcp6, which
 * every user may read.
 * @typedef {{
 *   localPort: number, remote: string, remotePort: number, state: string, inode: string
 * }} Socket `remote`: the address in the kernel's hexadecimal digits
 */

const ESTABLISHED = '01';
const LISTENING = '0A';

/**
 * @param {Files} files
 * @param {number} pid
 * @returns {Promise<Socket[] | null>} null where neither file can be read
 */
async function socketsOf(files, pid) {
  const texts = await Promise.all(
    ['tcp', 'tcp6'].map((name) => files.text(`/proc/${pid}/net/${name}`).catch(() => null)),
  );
  if (texts.every((text) => text === null)) return null;
  return texts
    .flatMap((text) => [
      ...(text ?? '').matchAll(
        /^\s*\d+: [\dA-F]+:([\dA-F]{4}) ([\dA-F]+):([\dA-F]{4}) ([\dA-F]{2}) (?:\S+\s+){5}(\d+)/gm,
      ),
    ])
    .map(([, localPort, remote, remotePort, state, inode]) => ({
      localPort: parseInt(localPort, 16),
      remote,
      remotePort: parseInt(remotePort, 16),
      state,
      inode,
    }));
}

/**
 * @param {string} client `127.0.0.1:5000` or `[::1]:5000`
 * @returns {{ forms: string[], port: number } | null} the forms in which the kernel may write the
 *   address; null: no address, such as a Unix socket
 */
function clientForms(client) {
  const [, address, port] = /^\[?([\da-f.:]+?)\]?:(\d+)$/i.exec(client) ?? [];
  const bytes = address === undefined ? null : bytesOf(address);
  if (bytes === null) return null;
  // A server that listens on IPv6 sees an IPv4 client in its mapped form.
  const all = bytes.length === 4 ? [bytes, [...Array(10).fill(0), 255, 255, ...bytes]] : [bytes];
  // The kernel prints words of four bytes in the order of the CPU: reversed on most, but not on
  // s390x.
  return { forms: all.flatMap((some) => [hex(some), hex(swapped(some))]), port: Number(port) };
}

/**
 * Parses an address of either version of IP.
 * @param {string} address
 * @returns {number[] | null}
 */
const bytesOf = (address) => (address.includes(':') ? bytesOf6(address) : bytesOf4(address));

/** @param {string} address @returns {number[] | null} */
function bytesOf4(address) {
  const bytes = address.split('.').map(Number);
  return bytes.length === 4 && bytes.every((byte) => byte >= 0 && byte <= 255) ? bytes : null;
}

/** @param {string} address @returns {number[] | null} */
function bytesOf6(address) {
  const [, before, v4] = /^(.*:)(\d+\.\d+\.\d+\.\d+)$/.exec(address) ?? [];
  const tail = v4 === undefined ? [] : (bytesOf4(v4) ?? []);
  const text = before === undefined ? address : before.replace(/([^:]):$/, '$1');
  const [head, rest] = text.split('::').map((part) =>
    part
      .split(':')
      .filter(Boolean)
      .flatMap((group) => [parseInt(group, 16) >> 8, parseInt(group, 16) & 255]),
  );
  const bytes =
    rest === undefined
      ? [...head, ...tail]
      : [
          ...head,
          ...Array(Math.max(0, 16 - head.length - rest.length - tail.length)).fill(0),
          ...rest,
          ...tail,
        ];
  return bytes.length === 16 ? bytes : null;
}

/** @param {readonly number[]} bytes */
const hex = (bytes) =>
  bytes
    .map((byte) => byte.toString(16).padStart(2, '0'))
    .join('')
    .toUpperCase();
/** @param {readonly number[]} bytes */
const swapped = (bytes) => bytes.map((_, i) => bytes[i - (i % 4) + 3 - (i % 4)]);

/**
 * @param {readonly Socket[]} sockets
 * @param {string} client the address of our connection, as the server sees it
 * @param {number | null} port the port of the server
 * @returns {boolean | null} whether that connection ends here; null where the client is no TCP
 *   address
 */
function endsHere(sockets, client, port) {
  const wanted = clientForms(client);
  if (wanted === null) return null;
  return sockets.some(
    ({ state, localPort, remote, remotePort }) =>
      state === ESTABLISHED &&
      remotePort === wanted.port &&
      wanted.forms.includes(remote) &&
      (port === null || localPort === port),
  );
}

/**
 * @param {Files} files
 * @param {number} pid
 * @param {readonly Socket[]} sockets
 * @param {number | null} port
 * @returns {Promise<boolean | null>} whether the process listens on the port; null where this user
 *   may not see it
 */
async function listensOn(files, pid, sockets, port) {
  if (port === null) return null;
  try {
    const wanted = new Set(
      sockets
        .filter(({ state, localPort }) => state === LISTENING && localPort === port)
        .map(({ inode }) => `socket:[${inode}]`),
    );
    // The listening socket was opened before all connections: read the lowest numbers first, and
    // stop when it is found.
    for (const fd of (await files.list(`/proc/${pid}/fd`)).sort((a, b) => Number(a) - Number(b))) {
      if (wanted.has(await files.link(`/proc/${pid}/fd/${fd}`).catch(() => ''))) return true;
    }
    return false;
  } catch (_notReadable) {
    return null;
  }
}

module.exports = { ESTABLISHED, socketsOf, endsHere, listensOn };
