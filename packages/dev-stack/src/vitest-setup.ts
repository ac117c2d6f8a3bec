import { authEmulator, demoProject } from './auth-emulator.ts';
import { startMongodb } from './mongodb.ts';
import { childProcess, freePort } from './processes.ts';

/**
 * The properties of a Vitest project that this setup uses. The type of the whole project differs between the packages.
 */
interface TestProject {
  vitest: { logger: { log(line: string): void } };
  provide(name: 'mongodbUri' | 'authEmulatorHost', value: string): void;
}

/**
 * Starts one MongoDB and one Auth emulator for all test files. Provides the connection string, without a database name, and
 * the host and port of the Auth emulator, such as '127.0.0.1:9099'.
 */
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
