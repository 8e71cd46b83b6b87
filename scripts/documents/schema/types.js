'use strict';

const ts = require('typescript');
const { fieldComment, typeComment, unitOf } = require('./comments');

/**
 * Types as JSON schemas (draft 2020-12), of what JSON.stringify() makes of a value: a Date is a
 * string, a function and what is undefined are absent. What JSON cannot hold is an error here.
 * No package does this with types in comments: typescript-json-schema 0.68 leaves out what a
 * Record<string, …> holds and takes the values in sources for defaults; ts-json-schema-generator 2.10
 * reads TypeScript alone, on Node.js 22.
 *
 * @typedef {{
 *   checker: ts.TypeChecker, defs: Record<string, Schema>, names: Map<ts.Type, string>
 * }} Making `defs`: the types that have a name, each once
 *
 * @typedef {{ [keyword: string]: unknown }} Schema
 */

const { TypeFlags, SymbolFlags } = ts;
const DEFS = '#/$defs/';

/** Type flags of what needs no more than a keyword. @type {readonly [number, Schema][]} */
const SIMPLE = [
  [TypeFlags.Any | TypeFlags.Unknown, {}],
  [TypeFlags.Never, { not: {} }],
  [TypeFlags.Null, { type: 'null' }],
  [TypeFlags.BooleanLike, { type: 'boolean' }],
  [TypeFlags.TemplateLiteral | TypeFlags.String, { type: 'string' }],
  [TypeFlags.Number, { type: 'number' }],
];

/**
 * @param {ts.Type} type
 * @param {Making} making
 * @param {string} at where it is, for errors
 * @returns {Schema}
 */
function schemaOf(type, making, at) {
  if (type.isUnion()) return unionSchema(type.types, making, at);
  if (type.isStringLiteral() || type.isNumberLiteral()) return { const: type.value };
  if (type.flags & TypeFlags.BooleanLiteral)
    return { const: making.checker.typeToString(type) === 'true' };
  const simple = SIMPLE.find(([flags]) => type.flags & flags);
  if (simple) return { ...simple[1] };
  if (!(type.flags & (TypeFlags.Object | TypeFlags.Intersection)))
    throw new Error(`${at}: ${making.checker.typeToString(type)} has no form in JSON.`);
  return namedSchema(type, making, at);
}

/**
 * Of a type that has a name a reference to it.
 * @param {ts.Type} type
 * @param {Making} making
 * @param {string} at
 * @returns {Schema}
 */
function namedSchema(type, making, at) {
  const { defs, names } = making;
  const symbol = nameSymbol(type);
  if (symbol === null) return structureSchema(type, making, at);
  const known = names.get(type);
  if (known !== undefined) return { $ref: DEFS + known };
  const name = freeName(symbol.name, defs);
  names.set(type, name);
  // Its place first: a type may hold itself.
  defs[name] = {};
  const description = typeComment(symbol);
  Object.assign(defs[name], described(description), structureSchema(type, making, at));
  return { $ref: DEFS + name };
}

/**
 * The name of a type of the project that is no list, not generic, and can be found.
 * @param {ts.Type} type
 * @returns {ts.Symbol | null}
 */
function nameSymbol(type) {
  const symbol = type.aliasSymbol ?? (type.isClassOrInterface() ? type.symbol : undefined);
  const [declaration] = symbol?.declarations ?? [];
  if (!symbol || !declaration || type.aliasTypeArguments) return null;
  return declaration.getSourceFile().fileName.includes('/node_modules/') ? null : symbol;
}

/** @param {string} name @param {object} taken */
function freeName(name, taken) {
  for (let number = 1; ; number += 1) {
    const free = number === 1 ? name : `${name}${number}`;
    if (!Object.hasOwn(taken, free)) return free;
  }
}

/**
 * @param {ts.Type} type
 * @param {Making} making
 * @param {string} at
 * @returns {Schema}
 */
function structureSchema(type, making, at) {
  const { checker } = making;
  if (checker.isTupleType(type))
    return {
      type: 'array',
      prefixItems: itemTypes(type, checker).map((item, i) => schemaOf(item, making, `${at}[${i}]`)),
    };
  if (checker.isArrayType(type))
    return { type: 'array', items: schemaOf(itemTypes(type, checker)[0], making, `${at}[]`) };
  if (isOfLanguage(type)) {
    if (type.symbol.name === 'Date') return { type: 'string', format: 'date-time' };
    throw new Error(`${at}: a ${type.symbol.name} has no form in JSON.`);
  }
  return objectSchema(type, making, at);
}

/** @param {ts.Type} type @param {ts.TypeChecker} checker */
const itemTypes = (type, checker) =>
  checker.getTypeArguments(/** @type {ts.TypeReference} */ (type));

/** Date, Map, Error and the like. @param {ts.Type} type */
const isOfLanguage = (type) =>
  type.isClassOrInterface() &&
  (type.symbol.declarations ?? []).every((one) => /\/lib\.[^/]*\.d\.ts$/.test(fileOf(one)));

/** @param {ts.Node} node */
const fileOf = (node) => node.getSourceFile().fileName;

/**
 * @param {ts.Type} type
 * @param {Making} making
 * @param {string} at
 * @returns {Schema}
 */
function objectSchema(type, making, at) {
  const { checker } = making;
  /** @type {Record<string, Schema>} */
  const properties = {};
  /** @type {string[]} */
  const required = [];
  for (const field of checker.getPropertiesOfType(type)) {
    const fieldType = checker.getTypeOfSymbol(field);
    if (!isInJson(field, fieldType, checker)) continue;
    properties[field.name] = fieldSchema(field, fieldType, making, at);
    if (!isOptional(field, fieldType)) required.push(field.name);
  }
  const others = checker.getIndexTypeOfType(type, ts.IndexKind.String);
  return {
    type: 'object',
    ...(Object.keys(properties).length > 0 && { properties }),
    ...(required.length > 0 && { required }),
    ...(others && { additionalProperties: schemaOf(others, making, `${at}.*`) }),
  };
}

/**
 * @param {ts.Symbol} field
 * @param {ts.Type} type
 * @param {Making} making
 * @param {string} at
 * @returns {Schema}
 */
function fieldSchema(field, type, making, at) {
  const schema = schemaOf(type, making, `${at}.${field.name}`);
  const unit = isMeasure(schema) ? unitOf(field.name) : null;
  const comment = fieldComment(field, making.checker);
  return {
    ...described([comment, unit === null ? '' : `Unit: ${unit}.`].filter(Boolean).join(' ')),
    ...schema,
  };
}

/** Holds numbers, as far as its type says. @param {Schema} schema @returns {boolean} */
const isMeasure = ({ type, anyOf, additionalProperties, items }) =>
  [type].flat().includes('number') ||
  [.../** @type {Schema[]} */ (anyOf ?? []), additionalProperties, items].some(
    (one) => one !== undefined && isMeasure(/** @type {Schema} */ (one)),
  );

/** @param {string} description @returns {Schema} */
function described(description) {
  if (description === '') return {};
  const sentence = description[0].toUpperCase() + description.slice(1);
  return { description: /[.?!:]$/.test(sentence) ? sentence : `${sentence}.` };
}

/** @param {ts.Symbol} field @param {ts.Type} type @param {ts.TypeChecker} checker */
function isInJson(field, type, checker) {
  if (field.name.startsWith('__@')) return false;
  const known = checker.getNonNullableType(type);
  if (known.flags & TypeFlags.Never) return Boolean(type.flags & TypeFlags.Null);
  return !(type.flags & TypeFlags.Undefined) && known.getCallSignatures().length === 0;
}

/** @param {ts.Symbol} field @param {ts.Type} type */
const isOptional = (field, type) =>
  Boolean(field.flags & SymbolFlags.Optional) ||
  (type.isUnion() && type.types.some((one) => one.flags & TypeFlags.Undefined)) ||
  Boolean(type.flags & TypeFlags.Unknown);

/**
 * The parts of a union in an order of their own: the compiler's changes with what else it has read.
 * @param {readonly ts.Type[]} types
 * @param {Making} making
 * @param {string} at
 * @returns {Schema}
 */
function unionSchema(types, making, at) {
  const schemas = types
    .filter((type) => !(type.flags & TypeFlags.Undefined))
    .map((type) => schemaOf(type, making, at));
  const consts = schemas.filter((schema) => 'const' in schema).map((schema) => schema.const);
  const isBoolean = consts.includes(true) && consts.includes(false);
  const values = consts.filter((value) => !isBoolean || typeof value !== 'boolean');
  const plain = new Set(schemas.filter(isPlain).map(({ type }) => String(type)));
  if (isBoolean) plain.add('boolean');
  const rest = schemas.filter((schema) => !('const' in schema) && !isPlain(schema));
  // Some words and null are one list of values.
  if (values.length > 0 && rest.length === 0 && plain.size === 1 && plain.delete('null'))
    values.push(null);
  const all = [...unique(rest), ...valuesSchema(values), ...typesSchema([...plain])];
  return all.length === 1 ? all[0] : { anyOf: all };
}

/** @param {Schema} schema */
const isPlain = (schema) => Object.keys(schema).length === 1 && typeof schema.type === 'string';

/** @param {readonly unknown[]} values @returns {Schema[]} */
function valuesSchema(values) {
  if (values.length < 2) return values.map((value) => ({ const: value }));
  return [{ enum: values.toSorted((a, b) => nullLast(JSON.stringify(a), JSON.stringify(b))) }];
}

/** @param {readonly string[]} types @returns {Schema[]} */
function typesSchema(types) {
  if (types.length < 2) return types.map((type) => ({ type }));
  return [{ type: types.toSorted(nullLast) }];
}

/** @param {string} a @param {string} b */
const nullLast = (a, b) => Number(a === 'null') - Number(b === 'null') || (a < b ? -1 : 1);

/** @param {readonly Schema[]} schemas sorted, each once @returns {Schema[]} */
const unique = (schemas) =>
  [...new Set(schemas.map((schema) => JSON.stringify(schema)))]
    .sort()
    .map((text) => JSON.parse(text));

module.exports = { schemaOf, described };
