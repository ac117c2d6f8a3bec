import tailwindcss from '@tailwindcss/vite';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';
import { apiProxy } from './server/api-proxy.ts';
import { budget } from './server/budget.ts';
import { early } from './server/early.ts';
import { leftOut } from './server/left-out.ts';
import { precompress } from './server/precompress.ts';
import { webServer } from './server/web-server.ts';

const { env } = process;
const api = env.API_ORIGIN || 'http://127.0.0.1:4000';
// 127.0.0.1 and no other port than the one asked for, whose address was announced.
const listen = { host: '127.0.0.1', port: Number(env.WEB_PORT || 3000), strictPort: true, proxy: apiProxy(api) };

export default defineConfig({
  plugins: [
    react(),
    tailwindcss(),
    leftOut(),
    early(['services', 'service-details']),
    budget({ home: 120_000, route: 25_000, hero: 60_000 }),
    precompress(),
    webServer({ env, api }),
  ],
  build: {
    target: 'es2023',
    sourcemap: false,
    // Browsers of that age preload modules by themselves.
    modulePreload: { polyfill: false },
    rolldownOptions: {
      output: {
        codeSplitting: {
          groups: [
            // All that the first page needs is one file: cut where routes share code, it is 2 KB more.
            { name: 'app', tags: ['$initial'], priority: 3 },
            // The heart of a card, which home too loads when its cards have come.
            { name: 'heart', test: /\/features\/services\/(save-button|kept)\./, priority: 2 },
            // What pages share comes in two: each file costs a slow network a round trip. Forms alone need schemas.
            {
              name: 'parts',
              test: /\/src\/(ui|lib|features\/(services|reviews))\/(?!form|review-form)|\/(react-query|query-core)\//,
              minShareCount: 2,
              priority: 1,
            },
            { name: 'forms', minShareCount: 2 },
          ],
        },
      },
    },
  },
  server: listen,
  // Its permissive CORS default would let any site read what the proxy answers.
  preview: { ...listen, cors: false },
});
