import type {} from 'pino-http'; // adds `id` to Request
