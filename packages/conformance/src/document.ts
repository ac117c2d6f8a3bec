/** The parts of an OpenAPI 3.1 document that the kit reads. */
export interface OpenApiDocument {
  openapi: string;
  paths: Record<string, Partial<Record<Method, Operation>>>;
}

export type Method = 'get' | 'post' | 'patch' | 'put' | 'delete';

export interface Operation {
  summary: string;
  security?: Record<string, string[]>[];
  parameters?: Parameter[];
  requestBody?: object;
  responses: Record<string, object>;
}

export interface Parameter {
  in: 'path' | 'query' | 'header';
  name: string;
  required?: boolean;
  schema: { pattern?: string; enum?: string[]; maxLength?: number };
}

/** An operation with its place: '/services/{id}', 'get'. */
export interface Place {
  path: string;
  method: Method;
  operation: Operation;
}

const methods: readonly string[] = ['get', 'post', 'patch', 'put', 'delete'] satisfies Method[];

/** Every operation that takes inputs. The operators' probes document no 400, and may be out of a visitor's reach. */
export function operationsOf({ paths }: OpenApiDocument): Place[] {
  return Object.entries(paths).flatMap(([path, operations]) =>
    Object.entries(operations)
      .filter(([method, { responses }]) => methods.includes(method) && '400' in responses)
      .map(([method, operation]) => ({ path, method: method as Method, operation })),
  );
}

/** The operation that a concrete path and method reach: '/services/65f…' is '/services/{id}'. */
export function operationAt(document: OpenApiDocument, method: Method, path: string): Place | undefined {
  const [pathname = ''] = path.split('?');
  return operationsOf(document).find(
    (place) => place.method === method && new RegExp(`^${place.path.replaceAll(/\{\w+\}/g, '[^/]+')}$`).test(pathname),
  );
}

/** Which token an operation asks for: none, one that may be left out, or one it does not go without. */
export function tokenOf({ security = [] }: Operation): 'none' | 'optional' | 'accessToken' | 'firebaseIdToken' {
  const [first] = security;
  if (first === undefined) return 'none';
  if (security.some((scheme) => Object.keys(scheme).length === 0)) return 'optional';
  return 'accessToken' in first ? 'accessToken' : 'firebaseIdToken';
}
