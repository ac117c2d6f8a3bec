// These rules say which modules each folder may not import. They are settings of the oxlint rule `no-restricted-imports`.
// For each file, oxlint applies only the last entry that matches, so each entry repeats the rules of its parent folders.

import type { OxlintOverride } from 'oxlint';

interface Pattern {
  group?: string[];
  regex?: string;
  allowTypeImports?: boolean;
  message: string;
}
interface Path {
  name: string;
  importNames: string[];
  message: string;
}

const noOtherApp: Pattern = {
  regex: String.raw`^@rtr/(api|web|e2e)(/|$)|^(\.\./)+([\w-]+/)+(src|server|test)/`,
  message: 'Apps do not import each other. Import a package by its name.',
};
const noDevStack: Pattern = {
  regex: '^@rtr/dev-stack(/|$)',
  message: 'Production code does not import dev-stack.',
};
const production = [noOtherApp, noDevStack];

const onlyZod: Pattern = { group: ['**', '!zod', '!zod/**', '!./**'], message: 'shared imports zod only.' };
const noOtherApiFeature: Pattern = {
  regex: String.raw`^\.\./((services|reviews|accounts|quotas|moderation|requests|news|operations|seed)/|[\w-]+/[\w-]+\.(store|routes)\.ts$)`,
  allowTypeImports: true,
  message: 'app.ts passes one feature to another as an argument. Import its type only.',
};
const noHttp: Pattern = {
  regex: String.raw`^express(/|$)|^(\.\.?/)+http/`,
  message: 'Only routes depend on HTTP. Throw an error of errors.ts.',
};
const noOtherWebFeature: Pattern = {
  regex: String.raw`^\.\./[^.]`,
  message: 'Features do not import each other. The route passes one to the other.',
};
const noLayerAboveFeatures: Pattern = {
  regex: String.raw`^\.\./\.\./(routes/|[\w-]+\.tsx$)`,
  message: 'Features do not import routes.',
};
const noLayerAboveUi: Pattern = {
  regex: String.raw`^\.\./(routes/|features/|[\w-]+\.tsx$)`,
  message: 'ui and lib do not import routes or features.',
};
const noUi: Pattern = { regex: String.raw`^\.\./ui/`, message: 'lib does not import ui.' };
const onlyServerEntry: Pattern = {
  group: ['../src/**', '!../src/entry-server.tsx'],
  message: 'The web server imports only entry-server.tsx from the web app.',
};

const noEnv: Path = {
  name: 'node:process',
  importNames: ['env'],
  message: 'Only the programs in apps/api/src read the environment.',
};
const noRouterForm: Path = {
  name: 'react-router-dom',
  importNames: ['Form'],
  message: 'Use ui/form.tsx, which ignores a second submit while the first is running.',
};

const apiFeature = [...production, noOtherApiFeature];
const web = [noEnv, noRouterForm];

export const importRules = [
  restrict('**', [noOtherApp]),
  restrict('packages/shared/src/**', [...production, onlyZod]),
  restrict('packages/http-server/src/**', production),
  restrict('apps/api/src/**', production, [noEnv]),
  restrict('apps/api/src/{server,migrate,seed,operate,secrets}.ts', production),
  restrict('apps/api/src/{auth,http,operations}/**', apiFeature, [noEnv]),
  restrict(
    'apps/api/src/{services,reviews,accounts,quotas,moderation,pictures,requests,news}/**',
    [...apiFeature, noHttp],
    [noEnv],
  ),
  restrict('apps/api/src/**/*.store.ts', [...apiFeature, noHttp], [noEnv]),
  restrict('apps/api/src/**/*.routes.ts', apiFeature, [noEnv]),
  restrict('apps/api/src/{database/**,errors.ts}', [...production, noHttp], [noEnv]),
  restrict('apps/web/src/**', production, web),
  restrict('apps/web/src/features/**', [...production, noOtherWebFeature, noLayerAboveFeatures], web),
  restrict('apps/web/src/ui/**', [...production, noLayerAboveUi], web),
  restrict('apps/web/src/lib/**', [...production, noLayerAboveUi, noUi], web),
  restrict('apps/web/server/**', [...production, onlyServerEntry]),
];

function restrict(files: string, patterns: Pattern[], paths: Path[] = []): OxlintOverride {
  return { files: [files], rules: { 'no-restricted-imports': ['error', { patterns, paths }] } };
}
