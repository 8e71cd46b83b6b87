'use strict';

const { compare, changed, copy, get, refusal, same } = require('./values');

/** The part of the query language that the split and the applications here use. */

/** @param {any} filter @param {any} doc @param {Date} [now] @returns {boolean} */
function matches(filter, doc, now) {
  for (const key in filter) if (!matchesOne(key, filter[key], doc, now)) return false;
  return true;
}

/** @param {string} key @param {any} wanted @param {any} doc @param {any} now */
function matchesOne(key, wanted, doc, now) {
  switch (key) {
    case '$or':
      return wanted.some((/** @type {any} */ one) => matches(one, doc, now));
    case '$and':
      return wanted.every((/** @type {any} */ one) => matches(one, doc, now));
    case '$nor':
      return !wanted.some((/** @type {any} */ one) => matches(one, doc, now));
    case '$expr':
      return truthy(evaluate(wanted, doc, now));
    case '$comment':
      return true;
    // There are no empty timestamps here, which is all that is asked by one.
    case '$jsonSchema':
      return true;
    default:
      return fits(wanted, get(doc, key));
  }
}

/** @param {any} value */
const isOperators = (value) =>
  value !== null &&
  typeof value === 'object' &&
  value.constructor === Object &&
  Object.keys(value)[0]?.[0] === '$';

/** @param {any} wanted @param {any} value */
function fits(wanted, value) {
  if (wanted instanceof RegExp) return typeof value === 'string' && wanted.test(value);
  if (!isOperators(wanted)) return sameOrIn(value, wanted);
  for (const operator in wanted) if (!OPERATORS[operator](value, wanted[operator])) return false;
  return true;
}

/** @param {any} value @param {any} wanted */
const sameOrIn = (value, wanted) =>
  same(value ?? null, wanted) || (Array.isArray(value) && value.some((one) => same(one, wanted)));

/** @type {Record<string, (value: any, wanted: any) => boolean>} */
const OPERATORS = {
  $in: (value, list) => list.some((/** @type {any} */ one) => fits(one, value)),
  $nin: (value, list) => !list.some((/** @type {any} */ one) => fits(one, value)),
  $eq: (value, wanted) => sameOrIn(value, wanted),
  $ne: (value, wanted) => !sameOrIn(value, wanted),
  $gt: (value, wanted) => compare(value, wanted) > 0,
  $gte: (value, wanted) => compare(value, wanted) >= 0,
  $lt: (value, wanted) => compare(value, wanted) < 0,
  $lte: (value, wanted) => compare(value, wanted) <= 0,
  $exists: (value, wanted) => (value !== undefined) === Boolean(wanted),
  $regex: (value, wanted) => typeof value === 'string' && new RegExp(wanted).test(value),
  $not: (value, wanted) => !fits(wanted, value),
};

/** @param {any} value */
const truthy = (value) => value !== false && value !== null && value !== undefined && value !== 0;

/** @param {any} e @param {any} doc @param {any} now @returns {any} */
function evaluate(e, doc, now) {
  if (typeof e === 'string') return e[0] === '$' ? variable(e, doc, now) : e;
  if (e === null || typeof e !== 'object' || e instanceof Date || e.isTime) return e;
  if (Array.isArray(e)) return e.map((one) => evaluate(one, doc, now));
  const operator = Object.keys(e)[0];
  if (operator?.[0] === '$') {
    if (!EXPRESSIONS[operator]) throw refusal(168, `Unrecognized expression '${operator}'`);
    return EXPRESSIONS[operator](e[operator], doc, now);
  }
  return Object.fromEntries(Object.entries(e).map(([key, one]) => [key, evaluate(one, doc, now)]));
}

/** @param {string} name @param {any} doc @param {any} now */
function variable(name, doc, now) {
  if (name === '$$NOW') return now;
  if (name === '$$ROOT') return doc;
  return get(doc, name.slice(1));
}

/** @param {(sign: number) => boolean} is */
const comparing =
  (is) =>
  (/** @type {any} */ [a, b], /** @type {any} */ doc, /** @type {any} */ now) =>
    is(compare(evaluate(a, doc, now), evaluate(b, doc, now)));

/** @type {Record<string, (args: any, doc: any, now: any) => any>} */
const EXPRESSIONS = {
  $literal: (value) => value,
  $and: (all, doc, now) => all.every((/** @type {any} */ one) => truthy(evaluate(one, doc, now))),
  $or: (all, doc, now) => all.some((/** @type {any} */ one) => truthy(evaluate(one, doc, now))),
  $not: (one, doc, now) => !truthy(evaluate(Array.isArray(one) ? one[0] : one, doc, now)),
  $eq: comparing((sign) => sign === 0),
  $ne: comparing((sign) => sign !== 0),
  $gt: comparing((sign) => sign > 0),
  $gte: comparing((sign) => sign >= 0),
  $lt: comparing((sign) => sign < 0),
  $lte: comparing((sign) => sign <= 0),
  $ifNull: (list, doc, now) =>
    list
      .map((/** @type {any} */ one) => evaluate(one, doc, now))
      .find((/** @type {any} */ one) => one !== null && one !== undefined) ?? null,
  $add: (list, doc, now) => added(list.map((/** @type {any} */ one) => evaluate(one, doc, now))),
  $cond: (given, doc, now) => {
    const [when, then, otherwise] = Array.isArray(given)
      ? given
      : [given.if, given.then, given.else];
    return evaluate(truthy(evaluate(when, doc, now)) ? then : otherwise, doc, now);
  },
  $in: ([one, list], doc, now) =>
    evaluate(list, doc, now).some((/** @type {any} */ other) =>
      same(other, evaluate(one, doc, now)),
    ),
  $toDouble: (value) => value,
  $toDecimal: (value) => value,
  $toObjectId: (value) => value,
  $toInt: (value) => {
    if (typeof value === 'number') return value;
    throw refusal(241, `Failed to parse number '${value}' in $convert with no onError value`);
  },
};

/** @param {any[]} values */
function added(values) {
  const sum = values.reduce((all, one) => all + (one instanceof Date ? one.getTime() : one), 0);
  return values.some((one) => one instanceof Date) ? new Date(sum) : sum;
}

/** @param {any} doc @param {any} change as of an update @param {Date} now @returns {any} */
function updated(doc, change, now) {
  if (Array.isArray(change)) return change.reduce((made, stage) => staged(made, stage, now), doc);
  if (!isOperators(change)) return { _id: doc._id, ...copy(change) };
  let made = doc;
  for (const operator in change) {
    for (const path in change[operator])
      made = changed(made, path.split('.'), (old) =>
        UPDATES[operator](old, copy(change[operator][path]), now),
      );
  }
  return made;
}

/** @param {any} doc @param {any} stage @param {Date} now */
function staged(doc, stage, now) {
  if (stage.$replaceWith) return evaluate(stage.$replaceWith, doc, now);
  if (stage.$unset)
    return [stage.$unset]
      .flat()
      .reduce((made, path) => changed(made, path.split('.'), () => undefined), doc);
  const fields = stage.$set ?? stage.$addFields;
  let made = doc;
  for (const path in fields) {
    const value = evaluate(copy(fields[path]), doc, now);
    if (value !== undefined) made = changed(made, path.split('.'), () => value);
  }
  return made;
}

/** @type {Record<string, (old: any, value: any, now: Date) => any>} */
const UPDATES = {
  $set: (_old, value) => value,
  $unset: () => undefined,
  $inc: (old = 0, value) => old + value,
  $push: (old = [], value) => [
    ...old,
    ...(isOperators(value) && value.$each ? value.$each : [value]),
  ],
  $max: (old, value) => (old === undefined || compare(value, old) > 0 ? value : old),
  $setOnInsert: (old) => old,
  $currentDate: (_old, _value, now) => now,
};

/** @param {any} filter @returns {any} what an upsert begins with */
function seedOfUpsert(filter) {
  return Object.fromEntries(
    Object.entries(filter).filter(([key, value]) => key[0] !== '$' && !isOperators(value)),
  );
}

/** @param {any} doc @param {{ key: string, as: any }} field @param {any} now @returns {any} */
function fieldOf(doc, { key, as }, now) {
  if (as === 1 || as === true) return get(doc, key);
  return key === '_id' ? doc._id : evaluate(as, doc, now);
}

/** @param {any} spec of $project @param {any} doc @param {Date} now */
function projected(spec, doc, now) {
  const keys = Object.keys(spec);
  const isInclusive =
    keys.some((key) => key !== '_id' && spec[key] !== 0 && spec[key] !== false) ||
    spec._id === 1 ||
    spec._id === true;
  if (!isInclusive)
    return Object.fromEntries(Object.entries(doc).filter(([key]) => !(key in spec)));
  /** @type {any} */ const made = {};
  if (spec._id !== 0 && '_id' in doc) made._id = doc._id;
  for (const key of keys) {
    const [outer, inner] = key.split('.');
    if (inner !== undefined) {
      const value = doc[outer]?.[inner];
      if (value !== undefined) made[outer] = { ...made[outer], [inner]: value };
      continue;
    }
    const value = fieldOf(doc, { key, as: spec[key] }, now);
    if (value !== undefined && !(key === '_id' && spec._id === 0)) made[key] = value;
  }
  return made;
}

module.exports = { matches, evaluate, updated, seedOfUpsert, projected };
