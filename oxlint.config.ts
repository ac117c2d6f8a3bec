import { defineConfig } from 'oxlint';
import { importRules } from './tooling/import-rules.ts';

export default defineConfig({
  plugins: ['typescript', 'import', 'react', 'jsx-a11y', 'promise', 'unicorn', 'vitest', 'node'],
  jsPlugins: ['eslint-plugin-regexp', './tooling/name-rules.ts'],
  categories: {
    correctness: 'error',
    suspicious: 'error',
    perf: 'error',
  },
  env: { es2024: true },
  ignorePatterns: ['**/dist/**', '**/node_modules/**', '**/public/**'],
  rules: {
    'no-console': 'error',
    'max-lines': ['error', { max: 250 }],
    'no-await-in-loop': 'off',
    'no-shadow': 'off',
    'no-underscore-dangle': 'off',
    'import/no-cycle': 'error',
    'import/no-unassigned-import': ['error', { allow: ['**/*.css', '@fontsource-variable/**'] }],
    'react/react-in-jsx-scope': 'off',
    'react/rules-of-hooks': 'error',
    'react/exhaustive-deps': 'error',
    'react/jsx-key': 'error',
    'react/button-has-type': 'error',
    'typescript/no-explicit-any': 'error',
    'typescript/no-non-null-assertion': 'error',
    'typescript/no-floating-promises': 'error',
    'typescript/no-misused-promises': ['error', { checksVoidReturn: { attributes: false } }],
    'typescript/consistent-type-imports': 'error',
    'typescript/switch-exhaustiveness-check': 'error',
    'typescript/only-throw-error': 'off',
    'typescript/no-unsafe-type-assertion': 'off',
    'vitest/no-disabled-tests': 'error',
    'vitest/no-focused-tests': 'error',
    'unicorn/consistent-function-scoping': 'off',
    'typescript/unbound-method': 'off',
    'typescript/consistent-return': 'off',
    'typescript/no-base-to-string': [
      'error',
      { ignoredTypeNames: ['Error', 'RegExp', 'URL', 'URLSearchParams', 'File', 'FormDataEntryValue'] },
    ],
    'promise/always-return': 'off',
    'vitest/expect-expect': [
      'error',
      { assertFunctionNames: ['expect', 'expect*', '*.expect', '*.**.expect', 'screen.*'] },
    ],
    'vitest/valid-expect': ['error', { maxArgs: 2 }],
    'react/no-unstable-nested-components': ['error', { allowAsProps: true }],
    'react/no-object-type-as-default-prop': 'off',
    'jsx-a11y/prefer-tag-over-role': 'off',
    'vitest/require-mock-type-parameters': 'off',
    'vitest/no-standalone-expect': ['error', { additionalTestBlockFunctions: ['afterEach'] }],
    'names/correct-spelling': 'error',
  },
  overrides: [
    ...importRules,
    {
      // Lists of test cases and of seed data may be long.
      files: ['**/*.{test,spec}.{ts,tsx}', 'apps/api/src/seed/{catalogue,reviews}.ts'],
      rules: { 'max-lines': 'off' },
    },
    {
      files: ['packages/shared/src/**', 'apps/web/src/**', 'apps/api/src/**'],
      excludeFiles: ['apps/api/src/{server,migrate,seed,operate,secrets}.ts'],
      rules: { 'node/no-process-env': 'error' },
    },
    {
      // The regular expressions of these files run on text from visitors. A slow one would block the process.
      files: ['packages/shared/src/**', 'apps/web/{src,server}/**', 'apps/api/src/**'],
      rules: {
        'regexp/no-super-linear-backtracking': ['error', { report: 'potential' }],
        'regexp/no-super-linear-move': ['error', { report: 'potential' }],
        'no-restricted-globals': [
          'error',
          {
            name: 'RegExp',
            message: 'Write a literal: the lint rules cannot check the time that a built expression takes.',
          },
        ],
      },
    },
    {
      files: ['apps/web/src/{ui,lib}/**'],
      // The rule reports nouns of this product, such as 'customer'. It does not apply to http.ts, which must use
      // 'customer' as the name of an access level of the contract.
      excludeFiles: ['apps/web/src/lib/http.ts'],
      rules: { 'names/no-product-nouns': 'error' },
    },
    {
      files: ['apps/web/src/**'],
      excludeFiles: ['apps/web/src/ui/form.tsx'],
      rules: {
        'react/forbid-elements': [
          'error',
          {
            forbid: [
              {
                element: 'form',
                message: 'Use ui/form.tsx, which ignores a second submit while the first is running.',
              },
            ],
          },
        ],
      },
    },
  ],
});
