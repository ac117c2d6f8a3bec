import { type ESTree, type Plugin, parseAst, Visitor } from 'vite';

interface Part {
  /** The files of one package. */
  files: RegExp;
  functions: readonly string[];
}

/**
 * Functions of dependencies that this app never calls, where no bundler can tell: 10 KB of home's script (decision 11).
 * Component tests run on the packages as they are; in the build whoever calls one of these gets an error that names
 * this file, and the browser's suite fails.
 */
const parts: readonly Part[] = [
  {
    // Framework mode: prefetching by its manifest, a server's answer, React Server Components, instrumentation.
    files: /\/react-router\/dist\/development\/.*\.mjs$/,
    functions: [
      'PrefetchPageLinks',
      'deserializeErrors',
      'RSCErrorHandler',
      'instrumentClientSideRouter',
      'getRouteInstrumentationUpdates',
    ],
  },
  // Portals, resource hints and form hooks: dialogs are native, hints stand in index.html, the router has the forms.
  {
    files: /\/react-dom\/cjs\/react-dom\.production\.js$/,
    functions: [
      'createPortal',
      'preconnect',
      'prefetchDNS',
      'preinit',
      'preinitModule',
      'preload',
      'preloadModule',
      'requestFormReset',
      'useFormState',
      'useFormStatus',
    ],
  },
  // What stands behind hydrateRoot, <ViewTransition>, useActionState, <SuspenseList>, <Activity> and custom elements.
  {
    files: /\/react-dom\/cjs\/react-dom-client\.production\.js$/,
    functions: [
      'canHydrateInstance',
      'prepareToHydrateHostInstance',
      'updateDehydratedSuspenseComponent',
      'attemptExplicitHydrationTarget',
      'hideOrUnhideDehydratedBoundary',
      'startViewTransition',
      'flushAfterMutationEffects',
      'applyViewTransitionToHostInstancesRecursive',
      'mountActionState',
      'updateActionStateImpl',
      'rerenderActionState',
      'updateSuspenseListComponent',
      'updateActivityComponent',
      'setPropOnCustomElement',
    ],
  },
  // `React.Children` and its like.
  { files: /\/react\/cjs\/react\.production\.js$/, functions: ['mapIntoArray', 'cloneElement'] },
  // Every write is an action of the router.
  { files: /\/query-core\/build\/modern\/mutationCache\.js$/, functions: ['build', 'canRun', 'runNext'] },
];

/** The router is published with its warnings for developers only, as far as bundlers see. */
const warnings = ['var ENABLE_DEV_WARNINGS = true;', 'var ENABLE_DEV_WARNINGS = false;'] as const;

/** Builds without what never runs. Fails when something of it is not found: the package has changed, look again. */
export function leftOut(): Plugin {
  const found = new Set<string>();
  return {
    name: 'left-out',
    apply: 'build',
    transform: {
      filter: { id: parts.map(({ files }) => files) },
      handler(code, id) {
        const names = parts.find(({ files }) => files.test(id))?.functions ?? [];
        if (code.includes(warnings[0])) found.add(warnings[0]);
        return { code: emptied(code.replace(...warnings), names, found), map: null };
      },
    },
    buildEnd(error) {
      const missing = [warnings[0], ...parts.flatMap(({ functions }) => functions)].filter((name) => !found.has(name));
      if (!error && missing.length > 0)
        this.error(`${missing.join(', ')}: no longer in the dependencies that server/left-out.ts speaks of.`);
    },
  };
}

function emptied(code: string, names: readonly string[], found: Set<string>): string {
  const bodies: ESTree.Node[] = [];
  const look = (name: string | undefined, body: ESTree.Node | null | undefined) => {
    if (!name || !body || !names.includes(name)) return;
    found.add(name);
    bodies.push(body);
  };
  new Visitor({
    FunctionDeclaration: ({ id, body }) => look(id?.name, body),
    MethodDefinition: ({ key, value }) => look(key.type === 'Identifier' ? key.name : undefined, value.body),
    // exports.name = function () {}
    AssignmentExpression({ left, right }) {
      if (
        left.type === 'MemberExpression' &&
        left.property.type === 'Identifier' &&
        right.type === 'FunctionExpression'
      )
        look(left.property.name, right.body);
    },
  }).visit(parseAst(code));
  return bodies
    .toSorted((one, other) => other.start - one.start)
    .reduce((rest, { start, end }) => `${rest.slice(0, start)}{ throw Error('left-out.ts') }${rest.slice(end)}`, code);
}
