// Preloaded into the API by plans.ts: writes down each command that the API's driver sends, a line of EJSON each.
import { appendFileSync } from 'node:fs';
import { BSON, MongoClient } from 'mongodb';

const { connect } = MongoClient.prototype;
const file = process.env.BENCH_COMMANDS ?? '';

MongoClient.prototype.connect = function noted() {
  this.on('commandStarted', ({ command }) => appendFileSync(file, `${BSON.EJSON.stringify(command)}\n`));
  return connect.call(this);
};
