// What runs in a browser is set up as one; the tests of the web server and of files run on Node as they are.
export default typeof document === 'undefined' ? undefined : await import('./setup.ts');
