// This module is preloaded into the API by seeded-stack.ts. It appends each command of the MongoDB driver to a file, as a line of
// Extended JSON (EJSON).
import { appendFileSync } from 'node:fs';
import { BSON, MongoClient } from 'mongodb';

const { connect } = MongoClient.prototype;
const file = process.env.BENCH_COMMANDS ?? '';

MongoClient.prototype.connect = function connectAndRecord() {
  this.on('commandStarted', ({ command }) => appendFileSync(file, `${BSON.EJSON.stringify(command)}\n`));
  return connect.call(this);
};
