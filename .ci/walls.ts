import { dirname, relative, resolve, sep } from 'node:path';
import { fileURLToPath } from 'node:url';

// The walls of the house, a lint rule each, loaded by oxlint. A wall is read against repository paths, so relative,
// dynamic and type imports and re-exports all meet it.

interface Wall {
  /** Files the wall stands around. */
  from: RegExp;
  /** What may not come in: a repository path for relative imports, else the specifier as written. */
  bans(target: string, file: string): boolean;
  /** Whether a type may pass. */
  types?: boolean;
  message: string;
}

const feature = (path: string) => /^apps\/web\/src\/features\/([^/]+)\//.exec(path)?.[1];
const apiRoom = (path: string) => /^apps\/api\/src\/(services|reviews|account|operations|seed)\//.exec(path)?.[1];
const home = (path: string) => /^(?:apps|packages)\/[^/]+\//.exec(path)?.[0];

const walls: Record<string, Wall> = {
  'shared-imports-zod-only': {
    from: /^packages\/shared\/src\//,
    bans: (target) => !/^zod(\/|$)|^packages\/shared\//.test(target),
    message: 'shared imports zod and nothing else.',
  },
  'apps-stay-apart': {
    from: /^(apps|packages)\//,
    bans: (target, file) =>
      /^@rtr\/(api|web|e2e)(\/|$)/.test(target) || (/^(apps|packages)\//.test(target) && home(target) !== home(file)),
    message: 'Apps never import each other, and a package is imported by its name.',
  },
  'dev-stack-stays-in-development': {
    from: /^(apps|packages\/shared)\/.*\/?src\//,
    bans: (target) => /^@rtr\/dev-stack(\/|$)/.test(target),
    message: 'What runs in production stands without dev-stack.',
  },
  'stores-know-no-http': {
    from: /^apps\/api\/src\/.*\.store\.ts$/,
    bans: (target) => /^express(\/|$)/.test(target),
    message: 'A store knows no HTTP.',
  },
  'api-features-are-wired-in-app': {
    from: /^apps\/api\/src\/(services|reviews|account|auth|http|operations)\//,
    bans: (target, file) => apiRoom(target) !== undefined && apiRoom(target) !== apiRoom(file),
    types: true,
    message: 'Another feature reaches this one as a plain argument, wired in app.ts: import its type.',
  },
  'web-features-stay-apart': {
    from: /^apps\/web\/src\/features\//,
    bans: (target, file) => feature(target) !== undefined && feature(target) !== feature(file),
    message: 'Features do not import each other: the route passes it in.',
  },
  'web-server-renders-only': {
    from: /^apps\/web\/server\//,
    bans: (target) => /^apps\/web\/src\/(?!entry-server\.tsx)/.test(target),
    message: 'The web server knows the app by its server entry alone.',
  },
  'web-looks-down': {
    from: /^apps\/web\/src\/(features|ui|lib)\//,
    bans: (target, file) =>
      /^apps\/web\/src\/(routes\/|entry-client\.tsx|entry-server\.tsx|document\.tsx|app\.tsx|router\.tsx)/.test(
        target,
      ) ||
      (feature(target) !== undefined && feature(file) === undefined),
    message: 'Routes know features, features know ui and lib; never the other way.',
  },
};

interface ImportNode {
  source: { type: string; value: unknown } | null;
  importKind?: string;
  exportKind?: string;
}
interface Context {
  filename: string;
  report(fault: { message: string; node: ImportNode }): void;
}

const root = fileURLToPath(new URL('..', import.meta.url));
const inRepository = (path: string) => relative(root, path).split(sep).join('/');

function ruleOf(wall: Wall) {
  return {
    create(context: Context) {
      const file = inRepository(context.filename);
      if (!wall.from.test(file)) return {};
      const check = (node: ImportNode) => {
        const specifier = node.source?.value;
        if (typeof specifier !== 'string') return;
        if (wall.types && (node.importKind === 'type' || node.exportKind === 'type')) return;
        const target = specifier.startsWith('.')
          ? inRepository(resolve(dirname(context.filename), specifier))
          : specifier;
        if (wall.bans(target, file)) context.report({ message: wall.message, node });
      };
      return {
        ImportDeclaration: check,
        ImportExpression: check,
        ExportNamedDeclaration: check,
        ExportAllDeclaration: check,
      };
    },
  };
}

/**
 * The wire's misspelt fields are keys: no name of ours is made after them. What is passed on under its own key, as in
 * `const { ratting } = document`, stays as it is.
 */
const wireSpelling = {
  create(context: { report(fault: { message: string; node: NameNode }): void }) {
    return {
      Identifier(node: NameNode) {
        if (!/ratting|costomer/i.test(node.name) || !isOurs(node)) return;
        context.report({ message: `'${node.name}' belongs to the wire: give it a name of our own.`, node });
      },
    };
  },
};

interface NameNode {
  name: string;
  parent: {
    type: string;
    id?: unknown;
    left?: unknown;
    shorthand?: boolean;
    value?: unknown;
    parent?: { type: string };
  };
}

/** Whether the name is made here: a variable, a function, a type, a parameter, or what a destructured field is called. */
function isOurs(node: NameNode): boolean {
  const { parent } = node;
  if (parent.id === node || parent.type === 'ArrayPattern' || parent.type.startsWith('Import')) return true;
  if (/Function|TSParameter/.test(parent.type)) return true;
  return (
    parent.type === 'Property' && parent.parent?.type === 'ObjectPattern' && parent.value === node && !parent.shorthand
  );
}

export default {
  meta: { name: 'walls' },
  rules: {
    ...Object.fromEntries(Object.entries(walls).map(([name, wall]) => [name, ruleOf(wall)])),
    'wire-spelling': wireSpelling,
  },
};
