// Runs in mongosh. Initiates the replica set and creates the users of the database. It can run any number of times: each run
// sets the rights of this version and the passwords in the files.
const { readFileSync } = require('node:fs');

const database = process.env.MONGODB_DATABASE;
const secret = (name) => readFileSync(`/secrets/database/${name}`, 'utf8');

/** Repeats a failing attempt for a minute, because the server may still be starting. */
function retry(attempt) {
  for (let retriesLeft = 60; ; retriesLeft -= 1) {
    try {
      return attempt();
    } catch (error) {
      if (retriesLeft === 0) throw error;
      sleep(1000);
    }
  }
}

const admin = retry(() =>
  connect(`mongodb://root:${secret('root-password')}@mongodb:27017/admin?authSource=admin&directConnection=true`),
);

try {
  admin.adminCommand({ replSetGetStatus: 1 });
} catch (error) {
  if (error.codeName !== 'NotYetInitialized') throw error;
  admin.adminCommand({ replSetInitiate: { _id: 'rs0', members: [{ _id: 0, host: 'mongodb:27017' }] } });
}
retry(() => {
  if (!admin.hello().isWritablePrimary) throw new Error('The replica set has no primary yet.');
});

// The role of the API. Unlike MongoDB's own role readWrite, it cannot create and drop collections and indexes. It can list
// indexes, because /readyz checks that they exist.
const documentRole = {
  privileges: [
    { resource: { db: database, collection: '' }, actions: ['find', 'insert', 'update', 'remove', 'listIndexes'] },
  ],
  roles: [],
};
setRole('documents', documentRole);

// Each user has access to one database only. So a demonstration, whose tokens anyone can forge, cannot read the database of
// a real Firebase project.
setUser('api', ['documents']);
setUser('migrate', ['readWrite', 'dbAdmin']);
print(`The replica set has a primary, and ${database} has the users api and migrate.`);

function setRole(name, role) {
  const owner = admin.getSiblingDB(database);
  try {
    owner.runCommand({ updateRole: name, ...role });
  } catch (error) {
    if (error.codeName === 'RoleNotFound') owner.runCommand({ createRole: name, ...role });
    // The embedded engine of MongoDB, with which this script is tried, has no roles, so this error is ignored. With mongod,
    // the next step would fail if the role did not exist.
    else if (error.codeName !== 'CommandNotFound') throw error;
  }
}

function setUser(user, roleNames) {
  const pwd = secret(`${user}-password`);
  const roles = roleNames.map((role) => ({ role, db: database }));
  if (admin.getUser(user)) admin.updateUser(user, { pwd, roles });
  else admin.createUser({ user, pwd, roles });
}
