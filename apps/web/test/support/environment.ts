// Loads the setup only for tests that run in jsdom. Tests in plain Node, such as those of the web server, need no setup.
export default typeof document === 'undefined' ? undefined : await import('./setup.ts');
