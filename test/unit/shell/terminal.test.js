'use strict';

const assert = require('node:assert/strict');
const { terminalOn, progressOn } = require('../../../lib/shell/terminal');

const streamOf = (facts) => {
  const written = [];
  return Object.assign(facts, { written, write: (text) => written.push(text) });
};

describe('shell/terminal', () => {
  it("tells the stream's size at the moment it is asked", () => {
    const stream = streamOf({ isTTY: true, columns: 100, rows: 30 });
    const terminal = terminalOn(stream);
    stream.columns = 120;
    assert.deepEqual([terminal.isTTY, terminal.columns, terminal.rows], [true, 120, 30]);
    terminal.write('x');
    assert.deepEqual(stream.written, ['x']);
  });
  it('takes 80 columns for a stream that has no size', () => {
    const terminal = terminalOn(streamOf({}));
    assert.deepEqual([terminal.isTTY, terminal.columns, terminal.rows], [false, 80, undefined]);
  });
});

describe('shell/terminal: progress', () => {
  it('replaces the line before, cut to the width so that it never wraps, and takes it away', () => {
    const stream = streamOf({ isTTY: true, columns: 10 });
    const progress = progressOn(stream);
    progress('0123456789');
    progress('two\nlines');
    progress(null);
    assert.deepEqual(stream.written, ['\r\x1b[K012345678', '\r\x1b[Ktwo\\nline', '\r\x1b[K']);
  });
  it('writes nothing to take away what was never shown', () => {
    const stream = streamOf({ isTTY: true });
    const progress = progressOn(stream);
    progress(null);
    progress('x');
    progress(null);
    progress(null);
    assert.equal(stream.written.length, 2);
  });
  it('is silent where there is no terminal', () => {
    const stream = streamOf({});
    progressOn(stream)('x');
    assert.deepEqual(stream.written, []);
  });
});
