'use strict';

const net = require('node:net');
const { once } = require('node:events');

/**
 * A port on 127.0.0.1 behind which stands another one, which can be exchanged: what a tunnel, a
 * port-forward, or a name that is given to another machine does. `switchTo` ends the connections
 * there are.
 * @typedef {{
 *   port: number, host: string, switchTo: (target: number) => void, stop: () => Promise<void>
 * }} Forwarder
 * @param {number} target
 * @returns {Promise<Forwarder>}
 */
async function startForwarder(target) {
  let behind = target;
  /** @type {Set<net.Socket>} */ const open = new Set();
  const server = net.createServer((front) => {
    const back = net.connect(behind, '127.0.0.1');
    for (const [one, other] of [
      [front, back],
      [back, front],
    ]) {
      open.add(one);
      one.on('error', () => other.destroy());
      one.on('close', () => {
        open.delete(one);
        other.destroy();
      });
    }
    front.pipe(back).pipe(front);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = /** @type {net.AddressInfo} */ (server.address());
  const end = () => open.forEach((socket) => socket.destroy());
  return {
    port,
    host: `127.0.0.1:${port}`,
    switchTo(other) {
      behind = other;
      end();
    },
    async stop() {
      end();
      server.close();
      await once(server, 'close');
    },
  };
}

module.exports = { startForwarder };
