// Why this file exists: sign-up, login and password reset must work on a machine that reaches only a package registry. The
// command `firebase emulators:start` also runs a hub, a logging server and update checks, which call the network. So this
// file loads the Auth emulator alone from the package firebase-tools, and changes two things: it prints the links of
// password resets, and it compiles the validator of a route at the first call, because that is most of the start time.
import type { RequestListener } from 'node:http';
import { createRequire } from 'node:module';

type CreateApp = (project: string) => Promise<RequestListener>;

export function loadAuthEmulator(): CreateApp {
  const require = createRequire(import.meta.url);
  // The logger prints to the console only when it runs in the command line tool of Firebase.
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
