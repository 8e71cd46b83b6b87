'use strict';

const fs = require('node:fs');
const path = require('node:path');
const { Ajv2020 } = require('ajv/dist/2020');
const { default: addFormats } = require('ajv-formats');

const FOLDER = path.join(__dirname, '../../schemas');

const ajv = new Ajv2020({ allErrors: true, strict: true, allowUnionTypes: true });
addFormats(ajv);
/** @type {Map<string, import('ajv').ValidateFunction>} */
const validators = new Map();

/** `split.plan` is split-plan.json. @param {string} command */
const fileOf = (command) => path.join(FOLDER, `${command.replaceAll('.', '-')}.json`);

/** @param {string} command */
const hasSchema = (command) => fs.existsSync(fileOf(command));

/** @param {string} command @returns {any} */
const readSchema = (command) => JSON.parse(fs.readFileSync(fileOf(command), 'utf8'));

/** @param {string} command */
function validatorOf(command) {
  const known = validators.get(command);
  if (known) return known;
  const made = ajv.compile(readSchema(command));
  validators.set(command, made);
  return made;
}

/**
 * What in an answer is not as its schema says, each with its place.
 * @param {string} command
 * @param {unknown} answer as the command answers it, or as JSON
 * @returns {string[]}
 */
function problemsWith(command, answer) {
  const validate = validatorOf(command);
  if (validate(JSON.parse(JSON.stringify(answer)))) return [];
  return (validate.errors ?? []).map(
    ({ instancePath, message, params }) =>
      `${instancePath === '' ? '(answer)' : instancePath} ${message} ${JSON.stringify(params)}`,
  );
}

module.exports = { FOLDER, hasSchema, problemsWith, readSchema };
