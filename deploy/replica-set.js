// Runs in mongosh. Initiates the replica set and creates the database users. The script can run any number of times. Each
// run sets the passwords from the files, and the rights that this version of the product needs.
const { readFileSync } = require('node:fs');

const database = process.env.MONGODB_DATABASE;
const secret = (name) => readFileSync(`/secrets/database/${name}`, 'utf8');

/** Repeats a failing attempt for a minute, because the MongoDB server may still be starting. */
function retry(attempt) {
  const lastAttempt = Date.now() + 60_000;
  for (;;) {
    try {
      // mongosh awaits the result when it is assigned, but not when it is returned. Without the variable, the error of a
      // database command would not be caught here.
      const result = attempt();
      return result;
    } catch (error) {
      if (Date.now() > lastAttempt) throw error;
      print(`MongoDB is not ready yet: ${error.message}`);
      sleep(1000);
    }
  }
}

const options = 'authSource=admin&directConnection=true&serverSelectionTimeoutMS=2000';
const admin = retry(() => connect(`mongodb://root:${secret('root-password')}@mongodb:27017/admin?${options}`));

try {
  admin.adminCommand({ replSetGetStatus: 1 });
} catch (error) {
  if (error.codeName !== 'NotYetInitialized') throw error;
  admin.adminCommand({ replSetInitiate: { _id: 'rs0', members: [{ _id: 0, host: 'mongodb:27017' }] } });
}
retry(() => {
  if (!admin.hello().isWritablePrimary) throw new Error('The replica set has no primary yet.');
});

// The role of the API. It cannot drop collections, and cannot create or drop indexes, unlike MongoDB's own role readWrite.
// It can list indexes, because /readyz checks that all indexes exist.
const documentRole = {
  privileges: [
    { resource: { db: database, collection: '' }, actions: ['find', 'insert', 'update', 'remove', 'listIndexes'] },
  ],
  roles: [],
};
setRole('documents', documentRole);

// Each user has access to one database only. Anyone can forge the tokens of a demonstration. So a demonstration must not be
// able to read the database of a real Firebase project.
setUser('api', ['documents']);
setUser('migrate', ['readWrite', 'dbAdmin']);
print(`The replica set has a primary, and ${database} has the users api and migrate.`);

function setRole(name, role) {
  const owner = admin.getSiblingDB(database);
  try {
    owner.runCommand({ updateRole: name, ...role });
  } catch (error) {
    if (error.codeName === 'RoleNotFound') owner.runCommand({ createRole: name, ...role });
    // Tests run this script with the embedded engine of MongoDB, which has no roles, so this error is ignored. With mongod,
    // the next step fails if the role does not exist.
    else if (error.codeName !== 'CommandNotFound') throw error;
  }
}

function setUser(user, roleNames) {
  const pwd = secret(`${user}-password`);
  const roles = roleNames.map((role) => ({ role, db: database }));
  if (admin.getUser(user)) admin.updateUser(user, { pwd, roles });
  else admin.createUser({ user, pwd, roles });
}
