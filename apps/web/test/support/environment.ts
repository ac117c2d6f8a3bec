// The hooks are only for tests in jsdom. Tests in plain Node, such as those of the web server, do not load it.
export default typeof document === 'undefined' ? undefined : (await import('./setup.ts')).registerHooks();
