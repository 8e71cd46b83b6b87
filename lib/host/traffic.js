'use strict';

const { mostFrequent } = require('../base/pure/statistics');
const { HostFileError } = require('./snapshot');
const { ifThere, serverFile } = require('./process-files');
const { isIbmZ } = require('./cpus');
const { ESTABLISHED } = require('./sockets');

/**
 * @import { Gathered, Subject } from './snapshot'
 */

/**
 * Finds the interface that carries the traffic of mongod's clients, from the connections to its
 * port: proc_pid_net(5). Addresses stay in the kernel's form: words of 32 bits in hexadecimal
 * digits, with the bytes in the order of the CPU.
 */

const LOOPBACK = 'lo';

/**
 * Finds the interface that carries the traffic of the clients.
 * @param {Gathered} snapshot
 * @param {Subject} subject
 * @returns {Promise<string>} `lo` where all clients are on this machine
 */
async function interfaceOf(snapshot, subject) {
  if (subject.interface !== null) {
    if (!(await snapshot.list('/sys/class/net')).includes(subject.interface))
      throw new HostFileError(`interface ${subject.interface} does not exist here`);
    return subject.interface;
  }
  const isBigEndian = isIbmZ(await snapshot.text('/proc/cpuinfo'));
  const addresses = (await localAddresses(snapshot, subject)).map((address) =>
    plain(address, isBigEndian),
  );
  if (addresses.length === 0) throw new HostFileError('no clients are connected');
  const remote = addresses.filter((address) => !isLoopback(address, isBigEndian));
  if (remote.length === 0) return LOOPBACK;
  await checkNamespace(snapshot, subject);
  const busiest = /** @type {string} */ (mostFrequent(remote));
  const found = (await deviceFinder(snapshot, subject, isBigEndian))(busiest);
  if (found === undefined) throw new HostFileError('no interface has the address used by clients');
  return found;
}

/**
 * Finds the addresses that clients connect to.
 * @param {Gathered} snapshot
 * @param {Subject} subject
 * @returns {Promise<string[]>} one for each connection
 */
async function localAddresses(snapshot, subject) {
  if (subject.port === null) throw new HostFileError('the port of mongod is not known');
  const port = subject.port.toString(16).toUpperCase().padStart(4, '0');
  const tables = [
    await snapshot.text(serverFile(subject, 'net/tcp')),
    (await ifThere(snapshot.text(serverFile(subject, 'net/tcp6')))) ?? '',
  ];
  return tables
    .flatMap((table) => [
      ...table.matchAll(/^ *\d+: ([0-9A-F]+):([0-9A-F]{4}) [0-9A-F]+:[0-9A-F]{4} ([0-9A-F]{2}) /gm),
    ])
    .flatMap(([, address, local, state]) =>
      local === port && state === ESTABLISHED ? [address] : [],
    );
}

/**
 * Shortens an IPv4 address in the form of IPv6.
 * @param {string} address
 * @param {boolean} isBigEndian
 * @returns {string}
 */
function plain(address, isBigEndian) {
  const mapped = `${'0'.repeat(16)}${isBigEndian ? '0000FFFF' : 'FFFF0000'}`;
  return address.startsWith(mapped) ? address.slice(mapped.length) : address;
}

/**
 * Whether only this machine can reach an address.
 * @param {string} address
 * @param {boolean} isBigEndian 127.0.0.0/8 or ::1
 */
function isLoopback(address, isBigEndian) {
  if (address.length > 8)
    return address === `${'0'.repeat(24)}${isBigEndian ? '00000001' : '01000000'}`;
  return isBigEndian ? address.startsWith('7F') : address.endsWith('7F');
}

/**
 * Refuses a container: it has its own interfaces, and those of the machine carry its traffic under
 * another address.
 * @param {Gathered} snapshot
 * @param {Subject} subject
 */
async function checkNamespace(snapshot, subject) {
  const [foreign, ours] = await Promise.all(
    [serverFile(subject, 'ns/net'), '/proc/self/ns/net'].map((path) =>
      snapshot.link(path).catch(() => null),
    ),
  );
  if (foreign !== null && ours !== null && foreign !== ours)
    throw new HostFileError(
      'mongod has its own network namespace (container); name the interface with the option ' +
        '"interface"',
    );
}

/**
 * Prepares the search for the interface of an address.
 * @param {Gathered} snapshot
 * @param {Subject} subject
 * @param {boolean} isBigEndian
 * @returns {Promise<(address: string) => string | undefined>}
 */
async function deviceFinder(snapshot, subject, isBigEndian) {
  const routes = (await ifThere(snapshot.text(serverFile(subject, 'net/route')))) ?? '';
  const table = (await ifThere(snapshot.text(serverFile(subject, 'net/if_inet6')))) ?? '';
  return (address) =>
    address.length > 8
      ? byAddress(table, inNetworkOrder(address, isBigEndian))
      : byRoute(routes, Number.parseInt(address, 16));
}

/** @param {string} table @param {string} address */
const byAddress = (table, address) => new RegExp(`^${address} .* (\\S+)$`, 'im').exec(table)?.[1];

/** @param {string} address @param {boolean} isBigEndian */
const inNetworkOrder = (address, isBigEndian) =>
  isBigEndian
    ? address
    : (address.match(/.{8}/g) ?? [])
        .map((word) => (word.match(/../g) ?? []).reverse().join(''))
        .join('');

/**
 * Finds the narrowest network that holds the address, else the default route.
 * @param {string} table
 * @param {number} address
 * @returns {string | undefined}
 */
function byRoute(table, address) {
  const routes = [
    ...table.matchAll(
      /^(\S+)\t([0-9A-F]{8})\t[0-9A-F]{8}\t[0-9A-F]{4}\t\d+\t\d+\t\d+\t([0-9A-F]{8})\t/gm,
    ),
  ]
    .map(([, name, network, mask]) => ({
      name,
      network: Number.parseInt(network, 16),
      mask: Number.parseInt(mask, 16),
    }))
    .filter(({ network, mask }) => (address & mask) >>> 0 === network);
  return routes.sort((a, b) => bits(b.mask) - bits(a.mask))[0]?.name;
}

/** @param {number} mask @returns {number} how many bits are set */
const bits = (mask) => mask.toString(2).replaceAll('0', '').length;

module.exports = { interfaceOf };
