'use strict';

/**
 * Splits a WiredTiger configuration string into keys and values, step by step as WiredTiger does it
 * (src/config/config.c; the same in 4.4 to 8.2), with its oddities: any bracket closes any other,
 * and the text behind the bracket around a whole string is not read.
 *
 * @typedef {'id' | 'string' | 'number' | 'struct' | 'boolean'} Kind
 * @typedef {{ text: string, position: number, kind: Kind }} Item `text` without quotes, a struct
 *   with its brackets; `position`: offset in the whole string
 * @typedef {{ key: Item, value: Item | null }} Pair `null`: the key stands alone, which means true
 * @typedef {{ say: string, position: number }} Problem
 * @typedef {{
 *   pairs: Pair[], problem: Problem | null, ignoredFrom: number | null, openQuote: number | null
 * }} Scan the pairs before a problem are kept; `ignoredFrom`: offset of the text behind the bracket
 *   around everything; `openQuote`: a quote that never closes
 */

const SPACES = new Set([' ', '\t', '\r', '\n']);
const ENDS_BARE = new Set([...SPACES, ',', '=', ':', ')', ']', '}']);
// Later releases take '%' as well; no setting begins with it.
const STARTS_BARE = /[A-Za-z_/.]/;
const STARTS_NUMBER = /[0-9-]/;
const PRINTABLE = /[ -~]/;
const ESCAPES = /["\\/bfnrtu]/;

/**
 * @param {string} text
 * @param {number} [offset] where `text` begins in the user's string
 * @returns {Scan}
 */
function scan(text, offset = 0) {
  const scanner = new Scanner(text, offset);
  /** @type {Pair[]} */
  const pairs = [];
  for (let pair = scanner.next(); pair; pair = scanner.next()) pairs.push(pair);
  return {
    pairs,
    problem: scanner.problem,
    ignoredFrom: scanner.ignoredFrom,
    openQuote: scanner.openQuote,
  };
}

class Scanner {
  /** @param {string} text @param {number} offset */
  constructor(text, offset) {
    this.text = text;
    this.offset = offset;
    this.at = 0;
    this.depth = 0;
    // Pairs of this depth are returned: 0, or 1 when brackets stand around everything; null until
    // it is known.
    this.top = /** @type {number | null} */ (null);
    this.problem = /** @type {Problem | null} */ (null);
    this.ignoredFrom = /** @type {number | null} */ (null);
    this.openQuote = /** @type {number | null} */ (null);
    this.key = /** @type {Item | null} */ (null);
    this.value = /** @type {Item | null} */ (null);
    this.inValue = false;
  }

  /** @returns {Pair | null} null at the end, or at a problem */
  next() {
    if (this.problem) return null;
    Object.assign(this, { key: null, value: null, inValue: false });
    while (this.at < this.text.length) {
      if (this.step(this.text[this.at])) return this.pair();
      if (this.problem) return null;
    }
    return this.finish();
  }

  /** @param {string} char @returns {boolean} true when a pair is complete */
  step(char) {
    if (char === '"') this.quoted();
    else if ('([{'.includes(char)) this.open();
    else if (')]}'.includes(char)) this.close();
    else if (char === '=' || char === ':') this.equals(char);
    else if (char === ',') return this.comma();
    else if (STARTS_BARE.test(char)) this.bare('id');
    else if (STARTS_NUMBER.test(char)) this.bare('number');
    else if (SPACES.has(char)) this.at++;
    else this.fail(`unexpected character ${JSON.stringify(char)}`);
    return false;
  }

  finish() {
    if (this.depth <= (this.top ?? -1) && this.hasKey()) return this.pair();
    if (this.depth !== 0) this.fail('unbalanced brackets');
    return null;
  }

  hasKey() {
    return this.key !== null && this.key.text !== '';
  }

  /** @returns {Pair} */
  pair() {
    return { key: /** @type {Item} */ (this.key), value: this.value };
  }

  /** @param {string} say */
  fail(say) {
    this.problem = { say, position: this.offset + this.at };
  }

  /**
   * Begins a key or a value, if this depth is the one whose pairs are returned.
   * @param {Kind} kind
   * @param {number} from
   * @returns {boolean}
   */
  begin(kind, from) {
    this.top ??= this.depth;
    if (this.depth < this.top) this.ignoredFrom ??= this.offset + from;
    if (this.depth !== this.top) return true;
    if ((this.inValue ? this.value : this.key)?.text) {
      this.fail('a new value starts without a separator');
      return false;
    }
    const item = { text: '', position: this.offset + from, kind };
    if (this.inValue) this.value = item;
    else this.key = item;
    return true;
  }

  /** @param {number} to end of the text, not included */
  end(to) {
    if (this.depth !== this.top) return;
    const item = this.inValue ? this.value : this.key;
    if (item) item.text = this.text.slice(item.position - this.offset, to);
  }

  open() {
    if (this.top === null) this.top = 1;
    else if (!this.begin('struct', this.at)) return;
    this.depth++;
    this.at++;
  }

  close() {
    if (this.top === null) return this.fail('unbalanced brackets');
    this.depth--;
    this.at++;
    this.end(this.at);
  }

  /** @param {string} char */
  equals(char) {
    if (this.depth === this.top) {
      if (this.inValue && char !== ':') return this.fail('the value is already complete');
      this.inValue = true;
    }
    this.at++;
  }

  comma() {
    this.at++;
    return this.depth === this.top && this.hasKey();
  }

  /** @param {Kind} kind */
  bare(kind) {
    if (!this.begin(kind, this.at)) return;
    while (this.at < this.text.length && !ENDS_BARE.has(this.text[this.at])) {
      if (!PRINTABLE.test(this.text[this.at]))
        return this.fail(`unexpected character ${JSON.stringify(this.text[this.at])}`);
      this.at++;
    }
    this.end(this.at);
  }

  quoted() {
    const quoteAt = this.offset + this.at;
    if (!this.begin('string', this.at + 1)) return;
    for (this.at++; this.at < this.text.length; this.at++) {
      const char = this.text[this.at];
      if (char === '"') return this.endQuoted();
      if (char === '\\' && !ESCAPES.test(this.text[++this.at] ?? '"'))
        return this.fail('unknown escape');
      if (char < ' ' || char === '\x7f')
        return this.fail(`unexpected character ${JSON.stringify(char)}`);
    }
    this.openQuote = quoteAt;
    // An escape at the very end of the text leads one character too far.
    this.at = this.text.length;
  }

  endQuoted() {
    this.end(this.at);
    this.at++;
  }
}

module.exports = { scan };
