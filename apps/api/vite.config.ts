import { defineConfig } from 'vite';

// One bundle an entry: a pruned copy of the packages cannot strip types, so our own sources go in and the rest stays out.
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
