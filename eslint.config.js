'use strict';
// ESLint 10 reads only flat configs; .eslintrc.json stays the one rules file.
const { FlatCompat } = require('@eslint/eslintrc');
const compat = new FlatCompat({
  baseDirectory: __dirname,
  recommendedConfig: require('@eslint/js').configs.recommended,
});
/** What the rules file cannot say, since it needs code. */
const own = {
  files: ['lib/**/*.js'],
  ignores: ['lib/report/page/**'],
  plugins: {
    own: {
      rules: {
        'imports-run-down': require('./scripts/lint/imports-run-down'),
        words: require('./scripts/lint/words'),
        strings: require('./scripts/lint/strings'),
      },
    },
  },
  rules: { 'own/imports-run-down': 'error', 'own/words': 'error', 'own/strings': 'error' },
};
/** Sentences of the scripts, too. */
const ofScripts = {
  files: ['snippets/**/*.js'],
  plugins: { own: { rules: { strings: require('./scripts/lint/strings') } } },
  rules: { 'own/strings': 'error' },
};
/** Wherever types are imported. */
const ofTypes = {
  files: ['**/*.js'],
  plugins: { types: { rules: { used: require('./scripts/lint/used-types') } } },
  rules: { 'types/used': 'error' },
};
const rules = compat.config(require('./.eslintrc.json')).map((c) => ({ files: ['**/*.js'], ...c }));
module.exports = [
  { ignores: ['coverage/', 'tmp/', 'node_modules/', 'vendor/'] },
  ...rules,
  own,
  ofScripts,
  ofTypes,
];
