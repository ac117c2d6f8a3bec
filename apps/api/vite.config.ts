import { defineConfig } from 'vite';

// Builds one bundle for each entry. The bundles contain our own packages, because Node does not strip the types of files in
// node_modules. Other dependencies stay outside the bundles.
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
