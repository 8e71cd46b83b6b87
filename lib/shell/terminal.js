'use strict';

const { visible } = require('../base/pure/visible');

/**
 * @import { Terminal } from '../base/context'
 * @import { Streams } from './screen'
 */

/** The width of a terminal that does not report one. */
const DEFAULT_COLUMNS = 80;
const CLEAR_LINE = '\r\x1b[K';

/** @typedef {Pick<NodeJS.WriteStream, 'write' | 'isTTY' | 'columns' | 'rows'>} Stream */

/**
 * A terminal as commands use it.
 * @param {Stream} stream
 * @param {NodeJS.ReadStream} [stdin] where keys come from; without it there is no live screen
 * @returns {Terminal} asked anew at every use, for a window can be resized
 */
const terminalOn = (stream, stdin) => ({
  get isTTY() {
    return Boolean(stream.isTTY);
  },
  get columns() {
    return stream.columns || DEFAULT_COLUMNS;
  },
  get rows() {
    return stream.rows;
  },
  write: (text) => {
    stream.write(text);
  },
  get openScreen() {
    return stdin && screenOn({ stdin, stdout: /** @type {NodeJS.WriteStream} */ (stream) });
  },
});

/** What opens the live screen, where there can be one. @param {Streams} streams @returns {Terminal['openScreen']} */
function screenOn(streams) {
  const { canOpen, openScreen } = require('./screen');
  return canOpen(streams) ? (handlers) => openScreen(streams, handlers) : undefined;
}

/**
 * One line that replaces the one before; nothing at all unless the stream is a terminal.
 * @param {Stream} stream
 * @returns {(text: string | null) => void} null takes the line away
 */
function progressOn(stream) {
  let shown = false;
  return (text) => {
    if (!stream.isTTY || (text === null && !shown)) return;
    // A line that wraps could not be replaced, and a name that the server reports must not move
    // the cursor.
    const fits = visible(text ?? '').slice(0, (stream.columns || DEFAULT_COLUMNS) - 1);
    stream.write(CLEAR_LINE + fits);
    shown = text !== null;
  };
}

module.exports = { terminalOn, progressOn };
