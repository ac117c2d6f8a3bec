import { randomUUID } from 'node:crypto';
import { type App, cert, initializeApp } from 'firebase-admin/app';
import type { AuthConfig } from '../config.ts';

export function createFirebaseApp(config: AuthConfig): App {
  // If FIREBASE_AUTH_EMULATOR_HOST is set, firebase-admin uses the Auth emulator and accepts unsigned tokens. So this
  // variable must not be set for a real Firebase project.
  const { env } = process; // oxlint-disable-line node/no-process-env -- written, never read
  if (config.mode === 'emulator') env.FIREBASE_AUTH_EMULATOR_HOST = config.emulatorHost;
  else delete env.FIREBASE_AUTH_EMULATOR_HOST;

  const { projectId } = config;
  const credential = config.mode === 'firebase' ? { credential: cert({ ...config.serviceAccount }) } : {};
  return initializeApp({ projectId, ...credential }, randomUUID());
}

/** Returns the code of a firebase-admin error, such as 'auth/user-not-found', or an empty string for other errors. */
export function firebaseErrorCode(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : '';
}
