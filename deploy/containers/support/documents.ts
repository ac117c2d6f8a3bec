import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '@rtr/dev-stack/processes';
import { parse } from 'yaml';

interface Service {
  image: string;
  user: string;
  restart: string;
  ports?: string[];
  profiles?: string[];
}

/** The parsed docker-compose.yml. */
export const composition = parse(readFileSync(join(root, 'docker-compose.yml'), 'utf8'), { merge: true }) as {
  services: Record<string, Service> & { mongodb: Service };
};

/**
 * Returns the lines of a shell block in a file of docs/, from the line that contains `first` to the line that contains
 * `last`. Without `last`, returns the lines to the end of the block. So the tests run the commands that operators copy.
 */
export function documentedCommands(file: string, first: string, last = ''): string {
  const text = readFileSync(join(root, 'docs', file), 'utf8');
  for (const [, block = ''] of text.matchAll(/^ *```sh\n(.*?)^ *```$/gms)) {
    const lines = block.split('\n');
    const start = lines.findIndex((line) => line.includes(first));
    if (start < 0) continue;
    const end = last ? lines.findIndex((line, index) => index >= start && line.includes(last)) : lines.length - 1;
    if (end < 0) throw new Error(`docs/${file} has no line '${last}' after '${first}'.`);
    return lines.slice(start, end + 1).join('\n');
  }
  throw new Error(`docs/${file} has no command '${first}'.`);
}
