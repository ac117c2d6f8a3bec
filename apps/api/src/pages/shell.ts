import { createHash } from 'node:crypto';
import { readFile, stat } from 'node:fs/promises';
import { HttpError } from '../http/problem.ts';

/** The web app's built index.html, which starts the app at whatever address it is served. */
export interface Shell {
  /** Names the build: a web server that has another one's files cannot start this one's page. */
  build(): Promise<string>;
  /** As it was built. */
  plain(): Promise<string>;
  /** With what it says of the page replaced by `head`. */
  withHead(head: string): Promise<string>;
}

/** What index.html says of the page stands between these. */
const place = /(?<=<!-- page -->)[^]*(?=<!-- \/page -->)/;

/** Reads the file when it is first needed, and again whenever it has changed: a new build needs no restart. */
export function webShell(file: string): Shell {
  let built = { of: '', html: '', build: '' };

  async function read(): Promise<typeof built> {
    try {
      const { mtimeMs, size } = await stat(file);
      const of = `${mtimeMs} ${size}`;
      if (built.of === of) return built;
      const html = await readFile(file, 'utf8');
      built = { of, html, build: createHash('sha256').update(html).digest('base64url') };
    } catch (cause) {
      throw new HttpError(503, 'The built web app is not where WEB_INDEX says.', {
        headers: { 'Retry-After': '5' },
        cause,
      });
    }
    return built;
  }

  return {
    build: async () => (await read()).build,
    plain: async () => (await read()).html,
    async withHead(head) {
      const { html } = await read();
      if (!place.test(html)) throw new Error(`${file} has no <!-- page --> … <!-- /page --> in its head.`);
      return html.replace(place, () => `\n${head}\n`);
    },
  };
}
