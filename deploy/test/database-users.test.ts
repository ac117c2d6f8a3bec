import { readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { runInNewContext } from 'node:vm';
import { root } from '@rtr/dev-stack/processes';
import { describe, expect, test } from 'vitest';

// Runs replica-set.js with a fake of `db`, the database object of mongosh. The fake stores users and roles like MongoDB, so
// these tests need no mongod.

interface User {
  pwd: string;
  roles: { role: string; db: string }[];
}

interface RoleCommand {
  createRole?: string;
  updateRole?: string;
  privileges: object[];
  roles: object[];
}

interface Server {
  users: Map<string, User>;
  /** The roles, each with its full name: `database.name`. */
  roles: Map<string, { privileges: object[]; roles: object[] }>;
}

const script = readFileSync(join(root, 'deploy/replica-set.js'), 'utf8');
const database = 'rtr_cloud_kitchen_demo';
const passwords = { 'root-password': 'r', 'api-password': 'a', 'migrate-password': 'm' };

function emptyServer(): Server {
  return { users: new Map(), roles: new Map() };
}

function runScript(server: Server, { files = passwords, name = database, withRoles = true } = {}): string[] {
  const printed: string[] = [];
  runInNewContext(script, {
    require: () => ({ readFileSync: (path: string) => (files as Record<string, string>)[basename(path)] }),
    process: { env: { MONGODB_DATABASE: name } },
    connect: () => fakeDb(server, withRoles),
    sleep: () => undefined,
    print: (line: string) => printed.push(line),
  });
  return printed;
}

/** Creates a fake of the `db` object of mongosh. It has only the functions that the script calls. */
function fakeDb({ users, roles }: Server, withRoles: boolean) {
  const failure = (codeName: string) => Object.assign(new Error(codeName), { codeName });
  return {
    adminCommand: () => ({ ok: 1 }),
    hello: () => ({ isWritablePrimary: true }),
    getSiblingDB: (db: string) => ({
      runCommand({ createRole, updateRole, privileges, roles: inherited }: RoleCommand) {
        if (!withRoles) throw failure('CommandNotFound');
        const key = `${db}.${createRole ?? updateRole}`;
        if (updateRole !== undefined && !roles.has(key)) throw failure('RoleNotFound');
        roles.set(key, { privileges, roles: inherited });
      },
    }),
    getUser: (name: string) => users.get(name) ?? null,
    createUser: ({ user, pwd, roles }: User & { user: string }) => users.set(user, { pwd, roles }),
    updateUser: (user: string, change: User) => users.set(user, change),
  };
}

const rolesOf = (server: Server, user: string) =>
  server.users.get(user)?.roles.map(({ role, db }) => `${role} of ${db}`);

test('the database user of the API can read and write documents of one database, but cannot change the schema of that database', () => {
  const server = emptyServer();
  expect(runScript(server)).toEqual([`The replica set has a primary, and ${database} has the users api and migrate.`]);
  expect(rolesOf(server, 'api')).toEqual([`documents of ${database}`]);
  const role = server.roles.get(`${database}.documents`);
  expect(role).toEqual({
    privileges: [
      { resource: { db: database, collection: '' }, actions: ['find', 'insert', 'update', 'remove', 'listIndexes'] },
    ],
    roles: [],
  });
});

test('the database user of the migrate command can change the collections and indexes of the database that the API uses', () => {
  const server = emptyServer();
  runScript(server);
  expect(rolesOf(server, 'migrate')).toEqual([`readWrite of ${database}`, `dbAdmin of ${database}`]);
});

describe('replica-set.js in an existing installation', () => {
  test('changes the password of a database user when the file with the password has changed', () => {
    const server = emptyServer();
    runScript(server);
    runScript(server, { files: { ...passwords, 'api-password': 'new' } });
    expect([...server.users.values()].map(({ pwd }) => pwd)).toEqual(['new', 'm']);
  });

  test('limits the database users of the API and of the migrate command to the new database after the name of the database has changed', () => {
    const server = emptyServer();
    runScript(server);
    runScript(server, { name: 'rtr_cloud_kitchen' });
    expect(rolesOf(server, 'api')).toEqual(['documents of rtr_cloud_kitchen']);
    expect(rolesOf(server, 'migrate')).toEqual(['readWrite of rtr_cloud_kitchen', 'dbAdmin of rtr_cloud_kitchen']);
  });
});

test('if the database engine cannot create the restricted role of the API, the database user of the API does not get a broader role instead', () => {
  const server = emptyServer();
  runScript(server, { withRoles: false });
  expect(rolesOf(server, 'api')).toEqual([`documents of ${database}`]);
});
