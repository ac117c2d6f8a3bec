import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { defineProject } from 'vitest/config';

// Uses the browser's build of Firebase. In Node, Firebase would otherwise load a build without localStorage and without the
// popup.
const firebase = createRequire(import.meta.resolve('firebase/auth'));
const firebaseAuth = join(dirname(firebase.resolve('@firebase/auth/package.json')), 'dist/esm/index.js');

export default defineProject({
  resolve: { alias: { '@firebase/auth': firebaseAuth } },
  test: {
    environment: 'jsdom',
    environmentOptions: { jsdom: { url: 'http://localhost:3000/' } },
    include: ['test/**/*.test.{ts,tsx}'],
    setupFiles: ['test/support/environment.ts'],
    // Firebase is loaded like the app's own modules, so that a test can load all of them again, as a reload of the page
    // does.
    server: { deps: { inline: [/firebase/] } },
  },
});
