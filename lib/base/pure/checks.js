'use strict';

/**
 * Checks values of options, put together from small checks: `pipe(number(), minValue(1))`. Names
 * and meaning are those of the package valibot, with which a test compares them.
 * @typedef {(value: any) => boolean} Check
 */

/** @returns {Check} */
const any = () => () => true;
/** @returns {Check} */
const string = () => (value) => typeof value === 'string';
/** @returns {Check} NaN is none */
const number = () => (value) => typeof value === 'number' && !Number.isNaN(value);
/** @returns {Check} */
const boolean = () => (value) => typeof value === 'boolean';
/** @returns {Check} */
const finite = () => Number.isFinite;
/** @returns {Check} */
const integer = () => Number.isInteger;
/** @param {number} min @returns {Check} */
const minValue = (min) => (value) => value >= min;
/** @param {number} max @returns {Check} */
const maxValue = (max) => (value) => value <= max;
/** @param {number} limit @returns {Check} */
const gtValue = (limit) => (value) => value > limit;
/** @param {number} factor @returns {Check} */
const multipleOf = (factor) => (value) => value % factor === 0;
/** @param {number} min @returns {Check} */
const minLength = (min) => (value) => value.length >= min;
/** @param {RegExp} pattern without flags that remember, such as g @returns {Check} */
const regex = (pattern) => (value) => pattern.test(value);
/** @param {(value: unknown) => boolean} check @returns {Check} */
const custom = (check) => check;
/** @param {unknown} expected @returns {Check} */
const literal = (expected) => (value) => value === expected;
/** @param {readonly unknown[]} options @returns {Check} */
const picklist = (options) => (value) => options.includes(value);
/** @param {readonly Check[]} checks @returns {Check} */
const union = (checks) => (value) => checks.some((check) => check(value));
/**
 * Applies checks one after the other; the first that fails decides.
 * @param {...Check} checks
 * @returns {Check}
 */
const pipe =
  (...checks) =>
  (value) =>
    checks.every((check) => check(value));
/** @param {Check} check @returns {Check} */
const optional = (check) => (value) => value === undefined || check(value);
/** @param {Check} check @returns {Check} */
const nullable = (check) => (value) => value === null || check(value);
/** @param {Check} check of each item @returns {Check} */
const array = (check) => (value) => Array.isArray(value) && value.every((item) => check(item));

/** @param {any} value */
const isObject = (value) => value !== null && typeof value === 'object';
/** @param {Readonly<Record<string, Check>>} entries @returns {Check} further names are allowed */
const looseObject = (entries) => (value) =>
  isObject(value) && Object.entries(entries).every(([name, check]) => check(value[name]));
/** @param {Readonly<Record<string, Check>>} entries @returns {Check} */
const strictObject = (entries) => (value) =>
  looseObject(entries)(value) && Object.keys(value).every((name) => Object.hasOwn(entries, name));

module.exports = {
  any,
  array,
  boolean,
  custom,
  finite,
  gtValue,
  integer,
  literal,
  looseObject,
  maxValue,
  minLength,
  minValue,
  multipleOf,
  nullable,
  number,
  optional,
  picklist,
  pipe,
  regex,
  strictObject,
  string,
  union,
};
