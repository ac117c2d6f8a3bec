import { defineConfig } from 'vite';

// Builds one bundle for each entry. The bundles contain our own packages. These are TypeScript files in node_modules, and
// Node does not strip the types of files in this folder. Other dependencies are not bundled.
export default defineConfig({
  build: {
    ssr: true,
    target: 'node24',
    sourcemap: true,
    rollupOptions: {
      input: ['src/server.ts', 'src/migrate.ts', 'src/seed.ts', 'src/operate.ts', 'src/secrets.ts', 'src/rotate.ts'],
    },
  },
  ssr: { noExternal: [/^@rtr\//] },
});
