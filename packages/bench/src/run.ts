import { ArgumentError } from './arguments.ts';

// Runs one benchmark: npx pnpm@12 bench scale|screens|speed|web [arguments]
const programs = new Map([
  ['scale', './scale.ts'],
  ['screens', './lighthouse.ts'],
  ['speed', './speed.ts'],
  ['web', './web-server.ts'],
]);

const program = programs.get(process.argv[2] ?? '');
if (program) {
  // Remove the name of the benchmark, because each benchmark reads its own arguments from process.argv.
  process.argv.splice(2, 1);
  try {
    await import(program);
  } catch (error) {
    if (!(error instanceof ArgumentError)) throw error;
    process.stderr.write(`${error.message}\n`);
    process.exitCode = 2;
  }
} else {
  process.stderr.write(`The first argument must be a benchmark: ${[...programs.keys()].join(', ')}.\n`);
  process.exitCode = 2;
}
