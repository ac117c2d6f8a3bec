import * as fc from 'fast-check';
import type { HeaderLine } from './headers.ts';
import { mostly, oddHeaderValues, oddTexts, oddValues } from './odd-values.ts';
import { pictureFiles } from './picture-files.ts';
import { type JsonSchema, type Schemas, valuesOf } from './schema-values.ts';

/** A body before it is encoded. */
export interface BodyPlan {
  /** The headers that describe the body. */
  headers: readonly HeaderLine[];
  /** A text can contain placeholders, such as `~service~3~` for the id of a service. See placeholders.ts. */
  content: string | Buffer;
  /** The number of spaces after the content. */
  paddingBytes: number;
  charset: 'utf8' | 'utf16le' | 'latin1';
  compression: 'none' | 'gzip' | 'deflate' | 'br';
  /** Whether the body is sent without a Content-Length header. */
  isChunked: boolean;
}

const jsonType = 'application/json';

/** Creates JSON bodies. About half of them match the schema. The others have a wrong property or type, or are not JSON. */
export function jsonBodies(schema: JsonSchema, schemas: Schemas): fc.Arbitrary<BodyPlan> {
  const target = schema.$ref === undefined ? schema : (schemas[schema.$ref.split('/').at(-1) ?? ''] ?? {});
  const valid = valuesOf(schema, schemas);
  const keys = [...Object.keys(target.properties ?? {}), '__proto__', '_id', 'uid', ''];
  const changed = fc
    .tuple(valid, fc.constantFrom(...keys), oddValues)
    .map(([value, key, odd]) => ({ ...(value as object), [key]: odd }));
  const texts = fc
    .oneof({ weight: 7, arbitrary: valid }, { weight: 3, arbitrary: changed }, { weight: 1, arbitrary: oddValues })
    .map((value) => JSON.stringify(value));
  const content = fc.oneof(
    { weight: 14, arbitrary: texts },
    // Bodies that are not JSON, or unusual JSON.
    { weight: 1, arbitrary: fc.tuple(texts, oddTexts).map(([text, odd]) => text + odd) },
    { weight: 1, arbitrary: fc.tuple(oddTexts, texts).map(([odd, text]) => odd + text) },
    { weight: 1, arbitrary: fc.tuple(texts, fc.double({ min: 0, max: 1, noNaN: true })).map(cut) },
    {
      weight: 1,
      arbitrary: fc.constantFrom('', '{"title":"\\ud800"}', '{"a":1,"a":2}', '{"title":"\\u0000"}', '{"__proto__":1}'),
    },
  );
  return fc.record({
    headers: fc.tuple(contentTypes, contentEncodings).map((lines) => lines.flat()),
    content,
    paddingBytes: mostly(0, 15, fc.constantFrom(100, 32_000, 32_768, 40_000, 1_000_000)),
    charset: mostly('utf8', 20, fc.constantFrom('utf16le', 'latin1')),
    compression: mostly('none', 10, fc.constantFrom('gzip', 'deflate', 'br')),
    isChunked: mostly(false, 10, fc.constant(true)),
  });
}

const contentTypes: fc.Arbitrary<HeaderLine[]> = fc
  .oneof(
    {
      weight: 20,
      arbitrary: fc.constantFrom(
        jsonType,
        jsonType,
        `${jsonType}; charset=utf-8`,
        `${jsonType.toUpperCase()};charset="UTF-8"`,
      ),
    },
    {
      weight: 3,
      arbitrary: fc.constantFrom(
        '',
        '/',
        'text/plain',
        'application/x-www-form-urlencoded',
        'multipart/form-data; boundary=x',
        'image/png',
        ...[
          '; charset=utf-16',
          '; charset=utf-16le',
          '; charset=utf-32',
          '; charset=klingon',
          ';',
          '; charset',
          ', a/b',
        ].map((suffix) => jsonType + suffix),
      ),
    },
    { weight: 1, arbitrary: oddHeaderValues },
  )
  .map((value): HeaderLine[] => [['Content-Type', value]]);

/**
 * Content-Encoding headers that are usually wrong for the body. If the body is compressed, `prepareRequest` adds the
 * correct header too.
 */
const contentEncodings: fc.Arbitrary<HeaderLine[]> = mostly(
  [],
  25,
  fc
    .oneof(fc.constantFrom('identity', 'gzip', 'deflate', 'br', 'zstd', 'compress', 'gzip, gzip', ''), oddHeaderValues)
    .map((value): HeaderLine[] => [['Content-Encoding', value]]),
);

/**
 * Creates request bodies with pictures. Most pictures are complete. Some are damaged, too large or sent with a content
 * type that does not match the file.
 */
export function pictureBodies(): fc.Arbitrary<BodyPlan> {
  const files = fc.constantFrom(...pictureFiles);
  const types = mostly(undefined, 6, fc.constantFrom(...pictureFiles.keys(), 'image/svg+xml', 'text/html', ''));
  const contents = files.chain(([type, file]) =>
    fc.record({
      type: fc.constant(type),
      content: mostly(
        file,
        3,
        fc.oneof(
          damaged(file),
          oddTexts.map((text) => Buffer.from(text)),
          fc.constant(svg),
        ),
      ),
    }),
  );
  return fc
    .record({
      file: contents,
      sentType: types,
      encoding: contentEncodings,
      paddingBytes: mostly(0, 30, fc.constantFrom(100, 100_000, 10_000_001)),
      isChunked: mostly(false, 10, fc.constant(true)),
    })
    .map(({ file, sentType, encoding, ...body }) => ({
      headers: [['Content-Type', sentType ?? file.type] as const, ...encoding],
      content: file.content,
      charset: 'latin1',
      compression: 'none',
      ...body,
    }));
}

const svg = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><image href="file:///etc/passwd"/></svg>');

function damaged(file: Buffer): fc.Arbitrary<Buffer> {
  const position = fc.nat({ max: file.length - 1 });
  return fc.oneof(
    position.map((end) => file.subarray(0, end)),
    fc
      .tuple(position, fc.nat({ max: 255 }))
      .map(([at, byte]) => Buffer.concat([file.subarray(0, at), Buffer.of(byte), file.subarray(at + 1)])),
  );
}

function cut([text, share]: [string, number]): string {
  return text.slice(0, Math.floor(text.length * share));
}
