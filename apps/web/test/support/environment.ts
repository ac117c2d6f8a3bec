// Tests in jsdom need the setup of a browser. Tests of the web server and of files run on plain Node.
export default typeof document === 'undefined' ? undefined : await import('./setup.ts');
