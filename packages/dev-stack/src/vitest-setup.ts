import type { TestProject } from 'vitest/node';
import { authEmulator, demoProject } from './auth-emulator.ts';
import { startMongodb } from './mongodb.ts';
import { childProcess, freePort } from './processes.ts';

declare module 'vitest' {
  /** The values that every test file can read with `inject`. */
  export interface ProvidedContext {
    /** The connection string without a database name. Each test file chooses its own database. */
    mongodbUri: string;
    /** The host and port of the Auth emulator, such as '127.0.0.1:9099'. */
    authEmulatorHost: string;
  }
}

/** Starts one MongoDB and one Auth emulator for all test files. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const port = await freePort();
  const emulator = childProcess(authEmulator({ project: demoProject, port }));
  try {
    const [mongodb] = await Promise.all([
      startMongodb({
        given: { variable: 'TEST_MONGODB_URI', uri: process.env.TEST_MONGODB_URI },
        report: (line) => project.vitest.logger.log(line),
      }),
      emulator.start(),
    ]);
    project.provide('mongodbUri', mongodb.uri);
    project.provide('authEmulatorHost', `127.0.0.1:${port}`);
    return async () => {
      await Promise.all([mongodb.stop(), emulator.stop()]);
    };
  } catch (error) {
    await emulator.stop();
    throw error;
  }
}
