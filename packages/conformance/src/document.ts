/** The parts of an OpenAPI 3.1 document that the checks use. */
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

export interface Place {
  path: string;
  method: Method;
  operation: Operation;
}

const methods: readonly string[] = ['get', 'post', 'patch', 'put', 'delete'] satisfies Method[];

/**
 * Returns all operations except the health checks, because a proxy may not forward requests to them. The health checks
 * are the only operations that have no response 400.
 */
export function operationsOf({ paths }: OpenApiDocument): Place[] {
  return Object.entries(paths).flatMap(([path, operations]) =>
    Object.entries(operations)
      .filter(([method, { responses }]) => methods.includes(method) && '400' in responses)
      .map(([method, operation]) => ({ path, method: method as Method, operation })),
  );
}

/** Finds the operation that a path belongs to. For example, '/services/65f…' belongs to '/services/{id}'. */
export function operationAt(document: OpenApiDocument, method: string, path: string): Place | undefined {
  const [pathname = ''] = path.split('?');
  return operationsOf(document).find(
    (place) => place.method === method && new RegExp(`^${place.path.replaceAll(/\{\w+\}/g, '[^/]+')}$`).test(pathname),
  );
}

/** Says which token an operation requires. 'optional' means that an access token may be sent, but need not be. */
export function tokenOf({ security = [] }: Operation): 'none' | 'optional' | 'accessToken' | 'firebaseIdToken' {
  const [first] = security;
  if (first === undefined) return 'none';
  if (security.some((scheme) => Object.keys(scheme).length === 0)) return 'optional';
  return 'accessToken' in first ? 'accessToken' : 'firebaseIdToken';
}
