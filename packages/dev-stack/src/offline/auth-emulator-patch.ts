// Sign-up, login and password reset must work on a machine that can reach only a package registry. `firebase
// emulators:start` does not work there, because it also runs the Emulator Hub, a logging server and update checks. These
// call the network. So this file loads only the Auth emulator from the package firebase-tools. This file makes two changes
// to the emulator. The emulator prints the links of password resets. It compiles the validator of a route at the first call
// of the route, because compiling all validators takes most of the start.
import type { RequestListener } from 'node:http';
import { createRequire } from 'node:module';

type CreateApp = (project: string) => Promise<RequestListener>;

export function loadAuthEmulator(): CreateApp {
  const require = createRequire(import.meta.url);
  // Without this variable, the logger of firebase-tools does not print to the console.
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
