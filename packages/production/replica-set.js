// Run by mongosh: makes the replica set, and the API's user, unless they are there. May run any number of times.
const { readFileSync } = require('node:fs');

const secret = (name) => readFileSync(`/secrets/database/${name}`, 'utf8');

/** What fails while the server starts is tried again for a minute. */
function patiently(attempt) {
  for (let tries = 60; ; tries -= 1) {
    try {
      return attempt();
    } catch (error) {
      if (tries === 0) throw error;
      sleep(1000);
    }
  }
}

const admin = patiently(() =>
  connect(`mongodb://root:${secret('root-password')}@mongodb:27017/admin?authSource=admin&directConnection=true`),
);

try {
  admin.adminCommand({ replSetGetStatus: 1 });
} catch (error) {
  if (error.codeName !== 'NotYetInitialized') throw error;
  admin.adminCommand({ replSetInitiate: { _id: 'rs0', members: [{ _id: 0, host: 'mongodb:27017' }] } });
}
patiently(() => {
  if (!admin.hello().isWritablePrimary) throw new Error('The replica set has no primary yet.');
});

// One database: a demonstration, whose tokens anyone can forge, cannot even read the other one.
const roles = ['readWrite', 'dbAdmin'].map((role) => ({ role, db: process.env.MONGODB_DATABASE }));
if (admin.getUser('api')) admin.updateUser('api', { roles });
else admin.createUser({ user: 'api', pwd: secret('api-password'), roles });
print(`The replica set has a primary, and the API its user in ${process.env.MONGODB_DATABASE}.`);
