'use strict';

/**
 * FNV-1a over the 8 bytes of a whole number, as YCSB has it (Utils.fnvhash64): 64 bits, then the
 * absolute value. In halves of 32 bits, because a BigInt for each of the 8 steps would cost more
 * than the rest of an operation.
 */

// The prime is 2^40 + 435: the product is the value shifted by 40, and 435 times the value.
const PRIME_LOW = 435;
const BASIS_HIGH = 0xcbf29ce4;
const BASIS_LOW = 0x84222325;
const TWO_32 = 2 ** 32;

/**
 * @param {number} number not negative
 * @returns {{ high: number, low: number }} halves of a number from 0 to 2^63
 */
function fnv(number) {
  let [high, low, rest] = [BASIS_HIGH, BASIS_LOW, number];
  for (let i = 0; i < 8; i++) {
    low = (low ^ (rest % 256)) >>> 0;
    rest = Math.floor(rest / 256);
    const product = low * PRIME_LOW;
    high = (high * PRIME_LOW + Math.floor(product / TWO_32) + low * 256) % TWO_32;
    low = product % TWO_32;
  }
  return high >= TWO_32 / 2 ? negative(high, low) : { high, low };
}

/**
 * @param {number} high
 * @param {number} low of a negative number
 * @returns {{ high: number, low: number }} of the same without its sign
 */
function negative(high, low) {
  return low === 0
    ? { high: (TWO_32 - high) % TWO_32, low }
    : { high: TWO_32 - 1 - high, low: TWO_32 - low };
}

/** Half the bits at a time, so that the product stays exact up to 2^36 items. */
const TWO_16 = 2 ** 16;

/**
 * @param {number} number
 * @param {number} items up to 2^36
 * @returns {number} 0 to items − 1, the hash modulo items
 */
function fnvModulo(number, items) {
  const { high, low } = fnv(number);
  const upper = ((high % items) * TWO_16 + Math.floor(low / TWO_16)) % items;
  return (upper * TWO_16 + (low % TWO_16)) % items;
}

/** @param {number} number @returns {string} the hash in decimal digits */
function fnvText(number) {
  const { high, low } = fnv(number);
  return String(BigInt(high) * 4294967296n + BigInt(low));
}

module.exports = { fnvModulo, fnvText };
