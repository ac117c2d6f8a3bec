import { config as loadDotenv } from 'dotenv';
import { ConfigError, loadConfig } from './config.ts';
import { DataVersionError } from './database/data-version.ts';
import { OperatorCommandError } from './operations/operator-commands.ts';
import { runOperate } from './run-operate.ts';

// Operators use the operate command, for example to hide content and to disable customers. docs/operations.md describes it.
loadDotenv({ quiet: true });
try {
  const lines = await runOperate(loadConfig(process.env), process.argv.slice(2));
  process.stdout.write(lines.map((line) => `${line}\n`).join(''));
} catch (error) {
  const isExpected =
    error instanceof OperatorCommandError || error instanceof ConfigError || error instanceof DataVersionError;
  process.stderr.write(
    isExpected ? `${error.message}\n` : `The command may not be complete, run it again: ${String(error)}\n`,
  );
  process.exitCode = 1;
}
