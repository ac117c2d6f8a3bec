import tailwindcss from '@tailwindcss/vite';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';
import { precompress } from './server/precompress.ts';
import { sizeBudget } from './server/size-budget.ts';
import { versionFile } from './server/version-file.ts';

// `vite build` builds the files for the browser. `vite build --ssr` bundles the web server with all its dependencies.
export default defineConfig(({ isSsrBuild }) => ({
  plugins: [
    react(),
    tailwindcss(),
    ...(isSsrBuild ? [] : [sizeBudget({ home: 145_000, route: 37_000 }), versionFile(), precompress()]),
  ],
  ssr: isSsrBuild ? { noExternal: true } : {},
  // The built server always uses the production build of React, because the development build is several times slower.
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
        // All supported browsers can preload modules without a polyfill.
        modulePreload: { polyfill: false },
        rolldownOptions: {
          input: ['src/load-scripts.ts', 'src/entry-client.tsx'],
          output: {
            codeSplitting: {
              // A module that is needed by a group is not part of this group, so that pages for readers do not load it.
              includeDependenciesRecursively: false,
              groups: [
                // The modules that every page needs become one file. Otherwise they would become 21 files and be 7 KB larger
                // in total.
                { name: 'app', tags: ['$initial'], test: /^(?!.*load-scripts)/, priority: 1 },
                // The modules that only forms need become another file, because pages for readers do not need them.
                {
                  name: 'forms',
                  test: /\/zod\/|\/(fields|schemas|forms|form|picture-address|scale-picture|upload-picture|picture-upload|photos|use-picture-uploads|submit-draft|leave-guard|unsaved-text)\.tsx?$/,
                  minShareCount: 3,
                  priority: 0.5,
                },
                // Only the forms of reviews and requests have photos.
                { name: 'photo-fields', test: /\/photo-fields\.tsx$/, minShareCount: 2, priority: 0.5 },
                // The modules that three or more routes or dialogs need become one file. Otherwise the page of a
                // service would load 22 files, and would be interactive later on slow networks.
                { name: 'shared', minShareCount: 3 },
              ],
            },
          },
        },
      },
}));
