import tailwindcss from '@tailwindcss/vite';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';
import { precompress } from './server/precompress.ts';
import { sizeBudget } from './server/size-budget.ts';
import { versionFile } from './server/version-file.ts';

// `vite build` makes the files of the browser, `vite build --ssr` the server with all that it needs.
export default defineConfig(({ isSsrBuild }) => ({
  plugins: [
    react(),
    tailwindcss(),
    ...(isSsrBuild ? [] : [sizeBudget({ home: 135_000, route: 25_000, hero: 60_000 }), versionFile(), precompress()]),
  ],
  ssr: isSsrBuild ? { noExternal: true } : {},
  // React is several times slower in its development build, whatever the environment of the server says.
  define: isSsrBuild ? { 'process.env.NODE_ENV': '"production"' } : {},
  build: isSsrBuild
    ? {
        target: 'node24',
        outDir: 'dist/server',
        copyPublicDir: false,
        sourcemap: true,
        rolldownOptions: { input: 'server/main.ts' },
      }
    : {
        target: 'es2023',
        outDir: 'dist/client',
        manifest: true,
        sourcemap: false,
        // Browsers of that age preload modules by themselves.
        modulePreload: { polyfill: false },
        rolldownOptions: {
          input: 'src/entry-client.tsx',
          // What every page needs is one file: split where routes share code, it is 2 KB larger.
          output: { codeSplitting: { groups: [{ name: 'app', tags: ['$initial'] }] } },
        },
      },
}));
