'use strict';
// ESLint 10 reads only flat configs; .eslintrc.json stays the one rules file.
const { FlatCompat } = require('@eslint/eslintrc');
const compat = new FlatCompat({
  baseDirectory: __dirname,
  recommendedConfig: require('@eslint/js').configs.recommended,
});
const rules = compat.config(require('./.eslintrc.json')).map((c) => ({ files: ['**/*.js'], ...c }));
module.exports = [{ ignores: ['coverage/', 'tmp/', 'node_modules/'] }, ...rules];
