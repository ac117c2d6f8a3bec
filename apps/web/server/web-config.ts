import type { WebConfig } from '@rtr/shared';

type Env = Readonly<Record<string, string | undefined>>;

/** What `/config.json` answers: how the browser reaches the identity provider, from the server's environment. */
export function webConfigFrom(env: Env): WebConfig {
  if (env.AUTH_MODE === 'emulator') {
    const projectId = env.FIREBASE_PROJECT_ID || 'demo-rtr-cloud-kitchen';
    return {
      apiKey: env.FIREBASE_API_KEY || 'demo',
      authDomain: env.FIREBASE_AUTH_DOMAIN || `${projectId}.firebaseapp.com`,
      projectId,
      authEmulator: `http://${env.FIREBASE_AUTH_EMULATOR_HOST || '127.0.0.1:9099'}`,
    };
  }
  if (env.AUTH_MODE !== 'firebase') throw new Error('AUTH_MODE must be firebase or emulator.');
  const { FIREBASE_API_KEY: apiKey, FIREBASE_PROJECT_ID: projectId } = env;
  if (!apiKey || !projectId) throw new Error('AUTH_MODE=firebase needs FIREBASE_API_KEY and FIREBASE_PROJECT_ID.');
  return { apiKey, projectId, authDomain: env.FIREBASE_AUTH_DOMAIN || `${projectId}.firebaseapp.com` };
}
