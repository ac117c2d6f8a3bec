// This file loads only the Auth emulator from the package firebase-tools, so that customers can sign up, log in and reset
// passwords on a machine without internet access. `firebase emulators:start` fails on such a machine, because it also runs
// the Emulator Hub, a logging server and update checks, which call the network. This file makes two changes to the emulator.
// First, the emulator prints the links of password resets. Second, it compiles the validator of a route at the first call of
// that route, because compiling all validators would take most of the start time.
import type { RequestListener } from 'node:http';
import { createRequire } from 'node:module';

type CreateApp = (project: string) => Promise<RequestListener>;

export function loadAuthEmulator(): CreateApp {
  const require = createRequire(import.meta.url);
  // The logger of firebase-tools prints to the console only if this variable is set.
  process.env.IS_FIREBASE_CLI = 'true';
  (require('firebase-tools/lib/logger.js') as { useConsoleLoggers: () => void }).useConsoleLoggers();

  const server = require.resolve('firebase-tools/lib/emulator/auth/server.js');
  const router = createRequire(server)('exegesis-express') as {
    middleware: (contract: object, options: object) => unknown;
  };
  const { middleware } = router;
  router.middleware = (contract, options) => middleware(contract, { ...options, lazyCompileValidationSchemas: true });
  return (require(server) as { createApp: CreateApp }).createApp;
}
