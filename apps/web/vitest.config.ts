import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { defineProject } from 'vitest/config';

// Tests run on Node, for which Firebase ships a build without localStorage and without the popup: the browser's is taken.
const firebase = createRequire(import.meta.resolve('firebase/auth'));
const firebaseAuth = join(dirname(firebase.resolve('@firebase/auth/package.json')), 'dist/esm/index.js');

export default defineProject({
  resolve: { alias: { '@firebase/auth': firebaseAuth } },
  test: {
    environment: 'jsdom',
    environmentOptions: { jsdom: { url: 'http://localhost:3000/' } },
    include: ['test/**/*.test.{ts,tsx}'],
    setupFiles: ['test/support/environment.ts'],
    // Loaded with the app's own modules, so that a test can open the app anew, as a reload does.
    server: { deps: { inline: [/firebase/] } },
  },
});
