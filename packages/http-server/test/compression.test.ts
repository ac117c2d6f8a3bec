import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { chooseEncoding, compress } from '../src/compression.ts';

test.each([
  [undefined, 'identity'],
  ['', 'identity'],
  ['deflate', 'identity'],
  ['gzip', 'gzip'],
  ['gzip, deflate, br', 'br'],
  ['GZIP;q=0.5 , BR;q=1', 'br'],
  ['br;q=0, gzip;q=0.5', 'gzip'],
  ['gzip;q=0, br; q=0.0', 'identity'],
])('for the header Accept-Encoding %j, the encoding is %s', (accepted, encoding) => {
  expect(chooseEncoding(accepted)).toBe(encoding);
});

test('br and gzip make a body smaller and decompress to the same bytes, and identity does not change the body', async () => {
  const body = Buffer.from('kitchen hood '.repeat(200));
  const [br, gzip] = [await compress(body, 'br'), await compress(body, 'gzip')];
  expect(br.length).toBeLessThan(body.length);
  expect(gzip.length).toBeLessThan(body.length);
  expect([brotliDecompressSync(br), gunzipSync(gzip), await compress(body, 'identity')]).toEqual([body, body, body]);
});
