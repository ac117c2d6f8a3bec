// Loads the setup for tests in jsdom. Tests of the web server and of files run in plain Node and need no setup.
export default typeof document === 'undefined' ? undefined : await import('./setup.ts');
