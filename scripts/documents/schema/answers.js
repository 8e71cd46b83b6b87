'use strict';

const fs = require('node:fs');
const path = require('node:path');
const ts = require('typescript');
const { functionComment } = require('./comments');
const { described, schemaOf } = require('./types');
const { version } = require('../../../package.json');

/**
 * @import { Schema } from './types'
 */

/**
 * The schemas of schemas/, one for what each command answers and one for the error of a script. An
 * answer's type is declared once, where its command is: `@returns` of the function that is its `run`.
 */

const ROOT = path.join(__dirname, '../../..');
const COMMANDS = path.join(ROOT, 'lib/commands');
/** What a script of the runbook writes in JSON where it has no answer. */
const ERROR = Object.freeze({ file: path.join(ROOT, 'lib/shell/script.js'), type: 'ScriptError' });
const [MAJOR] = version.split('.');

/** @param {string} name of a file in schemas/ */
const idOf = (name) => `urn:mongosh-tune:schemas:${MAJOR}:${name}`;

/** @returns {ts.Program} */
function readSources() {
  const config = ts.readConfigFile(path.join(ROOT, 'tsconfig.json'), ts.sys.readFile).config;
  const { options } = ts.parseJsonConfigFileContent(config, ts.sys, ROOT);
  return ts.createProgram([...commandFiles(), ERROR.file], options);
}

/** @returns {string[]} */
const commandFiles = () =>
  fs
    .readdirSync(COMMANDS)
    .filter((file) => file.endsWith('.js'))
    .map((file) => path.join(COMMANDS, file));

/**
 * @param {ts.Program} [program]
 * @returns {Map<string, Schema>} by the name of the file, `split-plan`
 * @throws {Error} for what is declared as any, or has no form in JSON
 */
function answerSchemas(program = readSources()) {
  const names = commandFiles().map((file) => path.basename(file, '.js'));
  return new Map([
    ...names.map((name) => /** @type {[string, Schema]} */ ([name, commandSchema(name, program)])),
    ['error', errorSchema(program)],
  ]);
}

/** @param {ts.Program} program @param {string} file */
function moduleOf(program, file) {
  const source = /** @type {ts.SourceFile} */ (program.getSourceFile(file));
  return /** @type {ts.Symbol} */ (program.getTypeChecker().getSymbolAtLocation(source));
}

/** @param {string} name @param {ts.Program} program @returns {Schema} */
function commandSchema(name, program) {
  const checker = program.getTypeChecker();
  const file = path.join(COMMANDS, `${name}.js`);
  const exported = moduleOf(program, file).exports?.get(ts.InternalSymbolName.ExportEquals);
  const command = checker.getTypeOfSymbol(/** @type {ts.Symbol} */ (exported));
  const run = /** @type {ts.Symbol} */ (command.getProperty('run'));
  const [signature] = checker.getTypeOfSymbol(run).getCallSignatures();
  const type = checker.getAwaitedType(signature.getReturnType());
  const typed = `tune.${name.replaceAll('-', '.')}()`;
  if (!type || type.flags & (ts.TypeFlags.Any | ts.TypeFlags.Unknown))
    throw new Error(
      `lib/commands/${name}.js: what ${typed} answers is not declared. Give the function that is ` +
        'its run a comment with @returns {Promise<… & Report>}, with every field.',
    );
  const { summary } = require(file);
  return rootSchema(name, {
    title: typed,
    description: [`${summary}.`, commentOn(program, file)].join(' ').trim(),
    type,
    checker,
  });
}

/** What is said of the function that is the `run` of a command. @param {ts.Program} program @param {string} file */
function commentOn(program, file) {
  const source = /** @type {ts.SourceFile} */ (program.getSourceFile(file));
  const [, run] = /\n {2}run(?:: (\w+))?,\n/.exec(source.text) ?? [];
  const declaration = source.statements.find(
    (one) => ts.isFunctionDeclaration(one) && one.name?.text === (run ?? 'run'),
  );
  return declaration ? functionComment(/** @type {ts.FunctionDeclaration} */ (declaration)) : '';
}

/** @param {ts.Program} program @returns {Schema} */
function errorSchema(program) {
  const checker = program.getTypeChecker();
  const symbol = moduleOf(program, ERROR.file).exports?.get(
    ts.escapeLeadingUnderscores(ERROR.type),
  );
  return rootSchema('error', {
    title: 'Error of a script',
    description: 'What a script of snippets/ writes with TUNE_JSON=1 where it has no answer.',
    type: checker.getDeclaredTypeOfSymbol(/** @type {ts.Symbol} */ (symbol)),
    checker,
  });
}

/**
 * @param {string} name
 * @param {{ title: string, description: string, type: ts.Type, checker: ts.TypeChecker }} about
 * @returns {Schema}
 */
function rootSchema(name, { title, description, type, checker }) {
  /** @type {Record<string, Schema>} */
  const defs = {};
  const schema = schemaOf(type, { checker, defs, names: new Map() }, name);
  const { $ref } = schema;
  const own = typeof $ref === 'string' ? unwrapped($ref, defs) : schema;
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    $id: idOf(name),
    title,
    ...described(description),
    $comment: COMMENT,
    ...own,
    ...(Object.keys(defs).length > 0 && { $defs: defs }),
  };
}

const COMMENT =
  'Dates are strings in UTC; null is a value that is not known; a field that is not required is ' +
  'absent where it does not apply. Fields that are not here may be added: docs/stability.md.';

/**
 * A type that is the whole answer needs no name, unless it holds itself.
 * @param {string} ref
 * @param {Record<string, Schema>} defs
 * @returns {Schema}
 */
function unwrapped(ref, defs) {
  const name = ref.slice(ref.lastIndexOf('/') + 1);
  const own = { ...defs[name] };
  delete own.description;
  delete defs[name];
  if (JSON.stringify([own, defs]).includes(`"${ref}"`)) throw new Error(`${name} holds itself.`);
  return own;
}

module.exports = { answerSchemas };
