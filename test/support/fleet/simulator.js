'use strict';

// A process of its own: many servers that answer as a real one did. Started by fleet.js; ends with
// who started it.
const fs = require('node:fs');
const net = require('node:net');
const { deserialize } = require('bson');
const { answering } = require('./answers');
const { reader, reply } = require('./wire');

/**
 * @import { Kind } from './answers'
 */

/** Longer than any test or bench waits. */
const SLOW_MS = 60_000;

const [file, kinds] = process.argv.slice(2);
const recording = new Map(
  deserialize(fs.readFileSync(file)).answers.map(({ key, answer }) => [key, answer]),
);

/**
 * @param {Kind} kind
 * @param {number} number
 * @returns {Promise<number>} the port, on which nobody listens any more where it is dead
 */
async function open(kind, number) {
  const answer = answering(recording, { kind, number });
  const server = net.createServer((socket) => serve(socket, kind, answer)).listen(0, '127.0.0.1');
  await new Promise((resolve, reject) => {
    server.once('listening', resolve);
    server.once('error', reject);
  });
  const { port } = /** @type {net.AddressInfo} */ (server.address());
  if (kind === 'dead')
    await new Promise((resolve) => {
      server.close(resolve);
    });
  return port;
}

/**
 * @param {net.Socket} socket
 * @param {Kind} kind
 * @param {(command: any) => any} answer
 */
function serve(socket, kind, answer) {
  /** @type {Set<NodeJS.Timeout>} */
  const waiting = new Set();
  socket.on('error', () => {});
  socket.on('close', () => waiting.forEach((timer) => clearTimeout(timer)));
  socket.setNoDelay(true);
  socket.on(
    'data',
    reader((request) => {
      const ms = delayMs(kind, request.command);
      const send = () => {
        if (!socket.destroyed) socket.write(reply(request, answer(request.command)));
      };
      if (ms === 0) send();
      else waiting.add(setTimeout(send, ms));
    }),
  );
}

/**
 * How long an answer takes.
 * @param {Kind} kind
 * @param {any} command
 * @returns {number}
 */
function delayMs(kind, command) {
  if (kind === 'slow') return SLOW_MS;
  // A driver asks a greeting of it that comes only when something changes, and nothing ever does.
  return command.topologyVersion ? Number(command.maxAwaitTimeMS) : 0;
}

process.on('disconnect', () => process.exit(0));
Promise.all(JSON.parse(kinds).map(open)).then((ports) => process.send({ ports }));
