import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { defineProject } from 'vitest/config';

// The tests use the Firebase build for browsers. Otherwise, Vitest would load the build for Node, which has no localStorage
// and no sign-in popup.
const firebase = createRequire(import.meta.resolve('firebase/auth'));
const firebaseAuth = join(dirname(firebase.resolve('@firebase/auth/package.json')), 'dist/esm/index.js');

export default defineProject({
  resolve: { alias: { '@firebase/auth': firebaseAuth } },
  test: {
    environment: 'jsdom',
    environmentOptions: { jsdom: { url: 'http://localhost:3000/' } },
    setupFiles: ['test/support/environment.ts'],
    server: { deps: { inline: [/firebase/] } },
  },
});
