import { config as loadDotenv } from 'dotenv';
import { ConfigError, loadConfig } from './config.ts';
import { DataVersionError } from './database/data-version.ts';
import { runSeed } from './run-seed.ts';
import { listDemoLogins } from './seed/seed.ts';

// The seed command fills the database of a demonstration, but only if it has not done so before. With --reset, it first
// deletes all data in that database. Real data is safe: with the Auth emulator, `loadConfig` accepts only database names
// that end in _demo.
loadDotenv({ quiet: true });
try {
  await runSeed(loadConfig(process.env), { shouldReset: process.argv.includes('--reset') });
  process.stdout.write(`${['Demo customers', ...listDemoLogins().map((line) => `  ${line}`)].join('\n')}\n`);
} catch (error) {
  const isExpected = error instanceof ConfigError || error instanceof DataVersionError;
  process.stderr.write(isExpected ? `${error.message}\n` : `Seeding failed: ${String(error)}\n`);
  process.exitCode = 1;
}
